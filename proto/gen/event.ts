// Generated from stoa/v1/event.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { BlogPost } from './blog.ts';
import type { ShoppingCart } from './cart.ts';
import type { ChannelSync, StoreChannel } from './channel.ts';
import type { ProductCollection } from './collection.ts';
import type { Customer } from './customer.ts';
import type { IngestionError } from './ingestion.ts';
import type { Invoice } from './invoice.ts';
import type { StoreLookbook } from './lookbook.ts';
import type { Refund, StoreOrder } from './order.ts';
import type { PaymentProvider } from './payment_provider.ts';
import type { Product } from './product.ts';
import type { StorePromotion } from './promotion.ts';
import type { PurchaseOrder } from './purchase_order.ts';
import type { ProductReview } from './review.ts';
import type { Rfq } from './rfq.ts';
import type { AppliedPromotion } from './shared.ts';
import type { ConnectedProvider } from './shipping_provider.ts';
import type { Feature, StoreProfile } from './store.ts';
import type { GiftCard } from './value.ts';
import type { WholesaleQuote } from './wholesale_quote.ts';

export type EventData = {
  object: Record<string, unknown>;
};

/** Every event as it is sent. */
export type EventEnvelope = {
  /** The same at every attempt: receivers deduplicate on it. */
  id: string;
  type: string;
  /** Time by the store's clock. */
  created_at: string;
  store_id: string;
  api_version: "v1";
  /** A resource that is too large shrinks to `{ id, truncated: true }`. */
  data: EventData;
  /** On update events: the changed fields as they were. */
  previous_attributes?: Record<string, unknown>;
  /** The later of two events of one object has the larger number. */
  sequence: number;
};

export type OrderEvent = {
  object: StoreOrder;
};

export type OrderRefundedExtra = {
  refund: Refund;
};

export type OrderRefundedEvent = {
  object: StoreOrder;
  extra: OrderRefundedExtra;
};

/** A payment. */
export type PaymentNotice = {
  id: string;
  provider: string;
  reference: string;
  status: "pending" | "authorized" | "succeeded" | "failed" | "expired" | "voided" | "refunded";
  amount: number;
  currency: string;
  order_id: string | null;
  paid_at: string | null;
  amount_refunded: number;
  /** Why it failed; null where it did not. */
  failure: string | null;
  metadata: Record<string, unknown>;
  environment: "production" | "sandbox";
  created_at: string;
  /** A person is to look at it: what its provider told does not add up, or it is a second payment that is not back yet. */
  needs_review: boolean;
  /** Amount that was authorised; null of a payment that was never authorised. */
  amount_authorized: number | null;
  /** When the authorisation lapses; null unless the payment is `authorized`. */
  capture_before: string | null;
};

export type PaymentEvent = {
  object: PaymentNotice;
};

/** A refund by a payment provider. */
export type ReturnedMoney = {
  id: string;
  amount: number;
  reason: string | null;
};

export type PaymentRefundedExtra = {
  refund: ReturnedMoney;
};

export type PaymentRefundedEvent = {
  object: PaymentNotice;
  extra: PaymentRefundedExtra;
};

export type CustomerEvent = {
  object: Customer;
};

export type ProductEvent = {
  object: Product;
};

/** The variant that it is about. */
export type StockExtra = {
  variant_id: string;
  sku: string | null;
  stock: number;
  low_stock_threshold: number;
};

export type StockEvent = {
  object: Product;
  extra: StockExtra;
};

export type CartEvent = {
  object: ShoppingCart;
};

export type PostEvent = {
  object: BlogPost;
};

export type LookbookEvent = {
  object: StoreLookbook;
};

export type GiftCardEvent = {
  object: GiftCard;
};

export type GiftCardRedeemedExtra = {
  order_id: string;
  /** Amount of the order that the card paid. */
  amount: number;
};

export type GiftCardRedeemedEvent = {
  object: GiftCard;
  extra: GiftCardRedeemedExtra;
};

export type PromotionAppliedExtra = {
  order_id: string;
};

export type PromotionAppliedEvent = {
  object: AppliedPromotion;
  extra: PromotionAppliedExtra;
};

export type PromotionEvent = {
  object: StorePromotion;
};

export type CollectionEvent = {
  object: ProductCollection;
};

export type StoreExtra = {
  changed_fields: readonly string[];
};

export type StoreEvent = {
  object: StoreProfile;
  extra: StoreExtra;
};

export type PaymentProviderEvent = {
  object: PaymentProvider;
};

export type ShippingProviderExtra = {
  provider: string;
};

export type ShippingProviderEvent = {
  object: ConnectedProvider;
  extra: ShippingProviderExtra;
};

export type FeatureEvent = {
  object: Feature;
};

/** How a pull ended. */
export type FeedSync = {
  /** The feed's. */
  id: string;
  job_id: string;
  status: "completed" | "failed";
  rows_total: number;
  rows_created: number;
  rows_updated: number;
  rows_unchanged: number;
  rows_failed: number;
  rows_deactivated: number;
  /** A sample. */
  errors: readonly IngestionError[];
};

export type FeedSyncEvent = {
  object: FeedSync;
};

export type ReviewEvent = {
  object: ProductReview;
};

export type RfqEvent = {
  object: Rfq;
};

export type WholesaleQuoteEvent = {
  object: WholesaleQuote;
};

export type PurchaseOrderEvent = {
  object: PurchaseOrder;
};

export type InvoiceEvent = {
  object: Invoice;
};

export type ChannelEvent = {
  object: StoreChannel;
};

export type ChannelSyncEvent = {
  object: ChannelSync;
};
