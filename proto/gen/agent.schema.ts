// Generated from stoa/v1/agent.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { OrderItemRequest } from './order.schema.ts';
import { Address, AddressInput, AgentName, AppliedPromotion, Pagination } from './shared.schema.ts';
import { ShippingChoice } from './shipping.schema.ts';

export const CreateQuoteRequest: TSchema = Type.Object({
  items: Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 }),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  latitude: Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()])),
  longitude: Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()])),
  shipping_option_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
});

export const GetQuoteRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const AgentBuyer: TSchema = Type.Object({
  first_name: Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()]),
  last_name: Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()]),
  phone: Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()]),
});

export const AgentBuyerInput: TSchema = Type.Object({
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()])),
});

export const QuoteLine: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  name: Type.String(),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  discount: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
});

export const Quote: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("open"), Type.Literal("used"), Type.Literal("expired")]),
  currency: Type.String(),
  lines: Type.Array(QuoteLine),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  shipping_total: Type.Number(),
  shipping_tax: Type.Number(),
  tax_total: Type.Number(),
  grand_total: Type.Number(),
  expires_at: Text({ format: "date-time" }),
  created_at: Text({ format: "date-time" }),
});

export const QuoteResponse: TSchema = Type.Object({
  data: Quote,
});

export const CreateCartDraftRequest: TSchema = Type.Object({
  items: Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 }),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  buyer: Type.Optional(Type.Union([AgentBuyerInput, Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
});

export const GetCartDraftRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const UpdateCartDraftRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  items: Type.Optional(Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 })),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  buyer: Type.Optional(Type.Union([AgentBuyerInput, Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
});

export const DraftItem: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  name: Type.String(),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  subtotal: Type.Number(),
  discount: Type.Number(),
  total: Type.Number(),
  product_id: Text({ format: "uuid" }),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Type.String(), Type.Null()]),
});

export const UnusedCode: TSchema = Type.Object({
  code: Type.String(),
  reason: Type.String(),
  expired: Type.Boolean(),
  cause: Type.Union([Type.String(), Type.Null()]),
});

export const CartDraft: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("open"), Type.Literal("converted"), Type.Literal("cancelled"), Type.Literal("expired")]),
  items: Type.Array(DraftItem),
  email: Type.Union([Type.String(), Type.Null()]),
  shipping_address: Type.Union([Address, Type.Null()]),
  promotion_codes: Type.Array(Type.String()),
  currency: Type.String(),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  total: Type.Number(),
  expires_at: Text({ format: "date-time" }),
  created_at: Text({ format: "date-time" }),
  buyer: Type.Union([AgentBuyer, Type.Null()]),
  applied_promotions: Type.Array(AppliedPromotion),
  agent: Type.Union([AgentName, Type.Null()]),
  rejected_codes: Type.Array(UnusedCode),
  billing_address: Type.Union([Address, Type.Null()]),
});

export const CartDraftResponse: TSchema = Type.Object({
  data: CartDraft,
});

export const CreateCheckoutIntentRequest: TSchema = Type.Object({
  items: Type.Optional(Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 })),
  quote_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  cart_draft_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  latitude: Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()])),
  longitude: Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()])),
  shipping_option_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  buyer: Type.Optional(Type.Union([AgentBuyerInput, Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const GetCheckoutIntentRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const ListCheckoutIntentsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const IntentLine: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  name: Type.String(),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  discount: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  subtotal: Type.Number(),
  product_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Type.String(), Type.Null()]),
});

export const IntentRequirement: TSchema = Type.Object({
  code: Type.Union([Type.Literal("missing_address"), Type.Literal("missing_email"), Type.Literal("missing_shipping_option"), Type.Literal("not_deliverable"), Type.Literal("cancelled"), Type.Literal("expired")]),
  path: Type.String(),
  resolver: Type.Union([Type.Literal("agent"), Type.Literal("buyer"), Type.Literal("nobody")]),
});

export const IntentHold: TSchema = Type.Object({
  status: Type.Union([Type.Literal("held"), Type.Literal("released"), Type.Literal("converted")]),
  expires_at: Text({ format: "date-time" }),
});

export const CheckoutIntent: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("open"), Type.Literal("ready"), Type.Literal("completed"), Type.Literal("cancelled"), Type.Literal("expired")]),
  grand_total: Type.Number(),
  currency: Type.String(),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  shipping_total: Type.Number(),
  shipping_tax: Type.Number(),
  tax_total: Type.Number(),
  lines: Type.Array(IntentLine),
  shipping_options: Type.Array(ShippingChoice),
  shipping_option_id: Type.Union([Type.String(), Type.Null()]),
  requirements: Type.Array(IntentRequirement),
  hold: IntentHold,
  email: Type.Union([Type.String(), Type.Null()]),
  shipping_address: Type.Union([Address, Type.Null()]),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  expires_at: Text({ format: "date-time" }),
  created_at: Text({ format: "date-time" }),
  buyer: Type.Union([AgentBuyer, Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
  promotion_codes: Type.Array(Type.String()),
  applied_promotions: Type.Array(AppliedPromotion),
  tax_inclusive: Type.Boolean(),
  requires_shipping: Type.Boolean(),
  agent: Type.Union([AgentName, Type.Null()]),
  rejected_codes: Type.Array(UnusedCode),
  billing_address: Type.Union([Address, Type.Null()]),
  exchange_rate: Type.Union([Type.Number(), Type.Null()]),
  language: Type.Union([Type.String(), Type.Null()]),
});

export const ListCheckoutIntentsResponse: TSchema = Type.Object({
  data: Type.Array(CheckoutIntent),
  pagination: Pagination,
});

export const UpdateCheckoutIntentRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  latitude: Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()])),
  longitude: Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()])),
  shipping_option_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  items: Type.Optional(Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 })),
  buyer: Type.Optional(Type.Union([AgentBuyerInput, Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const CancelCheckoutIntentRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const CheckoutIntentResponse: TSchema = Type.Object({
  data: CheckoutIntent,
});
