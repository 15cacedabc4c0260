// Generated from stoa/v1/order_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AgentBuyerInput } from './agent.schema.ts';
import { AddressInput, AgentNameInput } from './shared.schema.ts';

export const GetPayableRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
});

export const PayableBooks: TSchema = Type.Object({
  currency: Type.String(),
  rate: Type.String(),
  total: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  order_total: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const GetPayableResponse: TSchema = Type.Object({
  order_id: Type.String(),
  order_number: Type.String(),
  currency: Type.String(),
  amount_due: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  payable: Type.Boolean(),
  email: Type.String(),
  order_status: Type.String(),
  payment_status: Type.String(),
  books: Type.Union([PayableBooks, Type.Null()]),
});

export const SettleOrderRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
});

export const SettleOrderResponse: TSchema = Type.Object({
  payment_status: Type.String(),
});

export const NotePaymentRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("pending"), Type.Literal("failed")]),
});

export const NoteRefundRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  refund_id: Text({ format: "uuid" }),
  succeeded: Type.Boolean(),
});

export const NoteRefundResponse: TSchema = Type.Object({
  status: Type.Union([Type.Literal("pending"), Type.Literal("succeeded"), Type.Literal("failed")]),
});

export const FindPurchaseRequest: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  order_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const FindPurchaseResponse: TSchema = Type.Object({
  paid: Type.Boolean(),
  named: Type.Boolean(),
});

export const StoreCustomer: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
});

export const CountOrdersRequest: TSchema = Type.Object({
  customers: Type.Array(StoreCustomer),
});

export const CountOrdersResponse: TSchema = Type.Object({
  orders_count: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const AgreedOrderLine: TSchema = Type.Object({
  variant_id: Type.String(),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  tax_amount: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const PlaceAgreedOrderRequest: TSchema = Type.Object({
  command_id: Type.String(),
  purchase_order_id: Type.String(),
  order_id: Type.String(),
  document: Type.String(),
  customer_id: Type.String(),
  email: Type.String(),
  currency: Type.String(),
  tax_inclusive: Type.Boolean(),
  lines: Type.Array(AgreedOrderLine),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
});

export const PlaceAgreedOrderResponse: TSchema = Type.Object({});

export const ShipAgreedOrderRequest: TSchema = Type.Object({
  command_id: Type.String(),
  purchase_order_id: Type.String(),
  order_id: Type.String(),
  document: Type.String(),
  carrier: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tracking_number: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tracking_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const ShipAgreedOrderResponse: TSchema = Type.Object({});

export const PlaceIntentOrderRequest: TSchema = Type.Object({
  checkout_intent_id: Text({ format: "uuid" }),
  agent: Type.Optional(Type.Union([AgentNameInput, Type.Null()])),
  token: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500 }), Type.Null()])),
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  expected_total: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 99999999.99 }), Type.Null()])),
  pay_later: Type.Optional(Type.Boolean()),
  gift_card_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 10 })),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  buyer: Type.Optional(Type.Union([AgentBuyerInput, Type.Null()])),
});
