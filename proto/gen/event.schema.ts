// Generated from stoa/v1/event.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { BlogPost } from './blog.schema.ts';
import { ShoppingCart } from './cart.schema.ts';
import { ChannelSync, StoreChannel } from './channel.schema.ts';
import { ProductCollection } from './collection.schema.ts';
import { Customer } from './customer.schema.ts';
import { IngestionError } from './ingestion.schema.ts';
import { Invoice } from './invoice.schema.ts';
import { StoreLookbook } from './lookbook.schema.ts';
import { Refund, StoreOrder } from './order.schema.ts';
import { PaymentProvider } from './payment_provider.schema.ts';
import { Product } from './product.schema.ts';
import { StorePromotion } from './promotion.schema.ts';
import { PurchaseOrder } from './purchase_order.schema.ts';
import { ProductReview } from './review.schema.ts';
import { Rfq } from './rfq.schema.ts';
import { AppliedPromotion } from './shared.schema.ts';
import { ConnectedProvider } from './shipping_provider.schema.ts';
import { Feature, StoreProfile } from './store.schema.ts';
import { GiftCard } from './value.schema.ts';
import { WholesaleQuote } from './wholesale_quote.schema.ts';

export const EventData: TSchema = Type.Object({
  object: Type.Object({}, { additionalProperties: true }),
});

export const EventEnvelope: TSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  created_at: Text({ format: "date-time" }),
  store_id: Text({ format: "uuid" }),
  api_version: Type.Union([Type.Literal("v1")]),
  data: EventData,
  previous_attributes: Type.Optional(Type.Object({}, { additionalProperties: true })),
  sequence: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const OrderEvent: TSchema = Type.Object({
  object: StoreOrder,
});

export const OrderRefundedExtra: TSchema = Type.Object({
  refund: Refund,
});

export const OrderRefundedEvent: TSchema = Type.Object({
  object: StoreOrder,
  extra: OrderRefundedExtra,
});

export const PaymentNotice: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  provider: Type.String(),
  reference: Type.String(),
  status: Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("succeeded"), Type.Literal("failed"), Type.Literal("expired"), Type.Literal("voided"), Type.Literal("refunded")]),
  amount: Type.Number(),
  currency: Type.String(),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  paid_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  amount_refunded: Type.Number(),
  failure: Type.Union([Type.String(), Type.Null()]),
  metadata: Type.Object({}, { additionalProperties: true }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  created_at: Text({ format: "date-time" }),
  needs_review: Type.Boolean(),
  amount_authorized: Type.Union([Type.Number(), Type.Null()]),
  capture_before: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const PaymentEvent: TSchema = Type.Object({
  object: PaymentNotice,
});

export const ReturnedMoney: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  amount: Type.Number(),
  reason: Type.Union([Type.String(), Type.Null()]),
});

export const PaymentRefundedExtra: TSchema = Type.Object({
  refund: ReturnedMoney,
});

export const PaymentRefundedEvent: TSchema = Type.Object({
  object: PaymentNotice,
  extra: PaymentRefundedExtra,
});

export const CustomerEvent: TSchema = Type.Object({
  object: Customer,
});

export const ProductEvent: TSchema = Type.Object({
  object: Product,
});

export const StockExtra: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  sku: Type.Union([Type.String(), Type.Null()]),
  stock: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const StockEvent: TSchema = Type.Object({
  object: Product,
  extra: StockExtra,
});

export const CartEvent: TSchema = Type.Object({
  object: ShoppingCart,
});

export const PostEvent: TSchema = Type.Object({
  object: BlogPost,
});

export const LookbookEvent: TSchema = Type.Object({
  object: StoreLookbook,
});

export const GiftCardEvent: TSchema = Type.Object({
  object: GiftCard,
});

export const GiftCardRedeemedExtra: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  amount: Type.Number(),
});

export const GiftCardRedeemedEvent: TSchema = Type.Object({
  object: GiftCard,
  extra: GiftCardRedeemedExtra,
});

export const PromotionAppliedExtra: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
});

export const PromotionAppliedEvent: TSchema = Type.Object({
  object: AppliedPromotion,
  extra: PromotionAppliedExtra,
});

export const PromotionEvent: TSchema = Type.Object({
  object: StorePromotion,
});

export const CollectionEvent: TSchema = Type.Object({
  object: ProductCollection,
});

export const StoreExtra: TSchema = Type.Object({
  changed_fields: Type.Array(Type.String()),
});

export const StoreEvent: TSchema = Type.Object({
  object: StoreProfile,
  extra: StoreExtra,
});

export const PaymentProviderEvent: TSchema = Type.Object({
  object: PaymentProvider,
});

export const ShippingProviderExtra: TSchema = Type.Object({
  provider: Type.String(),
});

export const ShippingProviderEvent: TSchema = Type.Object({
  object: ConnectedProvider,
  extra: ShippingProviderExtra,
});

export const FeatureEvent: TSchema = Type.Object({
  object: Feature,
});

export const FeedSync: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  job_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("completed"), Type.Literal("failed")]),
  rows_total: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_created: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_updated: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_unchanged: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_failed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_deactivated: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  errors: Type.Array(IngestionError),
});

export const FeedSyncEvent: TSchema = Type.Object({
  object: FeedSync,
});

export const ReviewEvent: TSchema = Type.Object({
  object: ProductReview,
});

export const RfqEvent: TSchema = Type.Object({
  object: Rfq,
});

export const WholesaleQuoteEvent: TSchema = Type.Object({
  object: WholesaleQuote,
});

export const PurchaseOrderEvent: TSchema = Type.Object({
  object: PurchaseOrder,
});

export const InvoiceEvent: TSchema = Type.Object({
  object: Invoice,
});

export const ChannelEvent: TSchema = Type.Object({
  object: StoreChannel,
});

export const ChannelSyncEvent: TSchema = Type.Object({
  object: ChannelSync,
});
