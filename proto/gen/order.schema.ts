// Generated from stoa/v1/order.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address, AddressInput, AgentName, AppliedPromotion, Pagination } from './shared.schema.ts';

export const OrderLine: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  name: Type.String(),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  quantity_fulfilled: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  quantity_returned: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  subtotal: Type.Number(),
  discount: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
});

export const Refund: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  amount: Type.Number(),
  reason: Type.Union([Type.String(), Type.Null()]),
  status: Type.Union([Type.Literal("pending"), Type.Literal("succeeded"), Type.Literal("failed")]),
  created_at: Text({ format: "date-time" }),
});

export const ShippedItem: TSchema = Type.Object({
  order_item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const ShippedItemInput: TSchema = Type.Object({
  order_item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const Shipment: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  carrier: Type.Union([Type.String(), Type.Null()]),
  service: Type.Union([Type.String(), Type.Null()]),
  tracking_number: Type.Union([Type.String(), Type.Null()]),
  tracking_url: Type.Union([Type.String(), Type.Null()]),
  label_url: Type.Union([Type.String(), Type.Null()]),
  rate_id: Type.Union([Type.String(), Type.Null()]),
  source: Type.Union([Type.String(), Type.Null()]),
  fee: Type.Union([Type.Number(), Type.Null()]),
  items: Type.Array(ShippedItem),
  created_at: Text({ format: "date-time" }),
});

export const StoreAmounts: TSchema = Type.Object({
  currency: Type.String(),
  exchange_rate: Type.Number(),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  shipping_total: Type.Number(),
  shipping_tax: Type.Number(),
  tax_total: Type.Number(),
  total_amount: Type.Number(),
  amount_refunded: Type.Number(),
});

export const StoreOrder: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  order_number: Type.String(),
  store_id: Text({ format: "uuid" }),
  customer_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  email: Type.String(),
  order_status: Type.Union([Type.Literal("pending"), Type.Literal("confirmed"), Type.Literal("processing"), Type.Literal("shipped"), Type.Literal("delivered"), Type.Literal("cancelled")]),
  payment_status: Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("paid"), Type.Literal("partially_refunded"), Type.Literal("refunded"), Type.Literal("failed"), Type.Literal("voided")]),
  currency: Type.String(),
  items: Type.Array(OrderLine),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  shipping_total: Type.Number(),
  shipping_tax: Type.Number(),
  tax_total: Type.Number(),
  total_amount: Type.Number(),
  gift_card_total: Type.Number(),
  store_credit_total: Type.Number(),
  amount_paid: Type.Number(),
  amount_refunded: Type.Number(),
  amount_due: Type.Number(),
  shipping_address: Type.Union([Address, Type.Null()]),
  billing_address: Type.Union([Address, Type.Null()]),
  shipping_option_id: Type.Union([Type.String(), Type.Null()]),
  shipping_option_name: Type.Union([Type.String(), Type.Null()]),
  tracking_number: Type.Union([Type.String(), Type.Null()]),
  carrier: Type.Union([Type.String(), Type.Null()]),
  tracking_url: Type.Union([Type.String(), Type.Null()]),
  applied_promotions: Type.Array(AppliedPromotion),
  refunds: Type.Array(Refund),
  shipments: Type.Array(Shipment),
  note: Type.Union([Type.String(), Type.Null()]),
  metadata: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.String(), { additionalProperties: false }),
  return_window_ends_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  checkout_group_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  checkout_intent_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  agent: Type.Union([AgentName, Type.Null()]),
  delivered_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  amount_released: Type.Number(),
  language: Type.Union([Type.String(), Type.Null()]),
  store_amounts: Type.Union([StoreAmounts, Type.Null()]),
});

export const OrderResponse: TSchema = Type.Object({
  order: StoreOrder,
});

export const OrderItemRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const CreateOrderRequest: TSchema = Type.Object({
  items: Type.Optional(Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 })),
  cart: Type.Optional(Type.Boolean()),
  session_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  checkout_intent_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  quote_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  shipping_option_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  shipping_rate_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  shipping_rate_source: Type.Optional(Type.Union([Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]), Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  gift_card_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  store_credit: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
  expected_total: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const UpdateOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  order_status: Type.Optional(Type.Union([Type.Literal("pending"), Type.Literal("confirmed"), Type.Literal("processing"), Type.Literal("shipped"), Type.Literal("delivered"), Type.Literal("cancelled")])),
  payment_status: Type.Optional(Type.Union([Type.Literal("paid"), Type.Literal("failed")])),
  email: Type.Optional(Text({ format: "email" })),
  shipping_address: Type.Optional(AddressInput),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
  tracking_number: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  carrier: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  tracking_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  billing_address: Type.Optional(AddressInput),
});

export const ListOrdersRequest: TSchema = Type.Object({
  customer_id: Type.Optional(Text({ format: "uuid" })),
  order_status: Type.Optional(Type.Union([Type.Literal("pending"), Type.Literal("confirmed"), Type.Literal("processing"), Type.Literal("shipped"), Type.Literal("delivered"), Type.Literal("cancelled")])),
  payment_status: Type.Optional(Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("paid"), Type.Literal("partially_refunded"), Type.Literal("refunded"), Type.Literal("failed"), Type.Literal("voided")])),
  created_after: Type.Optional(Text({ format: "date-time" })),
  created_before: Type.Optional(Text({ format: "date-time" })),
  order_number: Type.Optional(Text({ maxLength: 20 })),
  search: Type.Optional(Text({ minLength: 1, maxLength: 320 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListOrdersResponse: TSchema = Type.Object({
  orders: Type.Array(StoreOrder),
  pagination: Pagination,
});

export const GetOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const RefundedItem: TSchema = Type.Object({
  order_item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  restock: Type.Optional(Type.Boolean()),
});

export const CreateRefundRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  amount: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
  reason: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  items: Type.Optional(Type.Array(RefundedItem, { maxItems: 500 })),
});

export const RefundedTo: TSchema = Type.Object({
  type: Type.Union([Type.Literal("payment"), Type.Literal("elsewhere"), Type.Literal("store_credit"), Type.Literal("gift_card")]),
  id: Text({ format: "uuid" }),
  amount: Type.Number(),
  closed: Type.Boolean(),
});

export const RefundResponse: TSchema = Type.Object({
  refund: Refund,
  refunded_to: Type.Array(RefundedTo),
});

export const CreateShipmentRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  rate_id: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  source: Type.Optional(Type.Union([Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]), Type.Null()])),
  carrier: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  tracking_number: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  tracking_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  items: Type.Optional(Type.Array(ShippedItemInput, { minItems: 1, maxItems: 500 })),
});

export const ShipmentResponse: TSchema = Type.Object({
  shipment: Shipment,
});
