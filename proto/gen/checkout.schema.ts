// Generated from stoa/v1/checkout.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AddressInput, Pagination } from './shared.schema.ts';

export const ListCheckoutPaymentsRequest: TSchema = Type.Object({
  group_id: Text({ format: "uuid" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const PayCheckoutRequest: TSchema = Type.Object({
  group_id: Text({ format: "uuid" }),
  provider: Text({ pattern: "^[a-z][a-z0-9_]{1,49}$" }),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 20 }), Type.Null()])),
  success_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  cancel_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  capture: Type.Optional(Type.Union([Type.Literal("automatic")])),
  presentation: Type.Optional(Type.Union([Type.Literal("redirect")])),
});

export const CheckoutLine: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const PlaceCheckoutRequest: TSchema = Type.Object({
  lines: Type.Array(CheckoutLine, { minItems: 1, maxItems: 200 }),
  email: Text({ format: "email" }),
  shipping_address: AddressInput,
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  shipping_option_ids: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,36}$" }), Text({ maxLength: 200 }), { additionalProperties: false, maxProperties: 20 })),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  customer_token: Type.Optional(Type.String()),
});

export const ListCheckoutsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const CheckoutOrder: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  order_id: Text({ format: "uuid" }),
  order_number: Type.String(),
  total: Type.Number(),
  amount_due: Type.Number(),
  order_status: Type.Union([Type.Literal("pending"), Type.Literal("confirmed"), Type.Literal("processing"), Type.Literal("shipped"), Type.Literal("delivered"), Type.Literal("cancelled")]),
  payment_status: Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("paid"), Type.Literal("partially_refunded"), Type.Literal("refunded"), Type.Literal("failed"), Type.Literal("voided")]),
});

export const CheckoutGroup: TSchema = Type.Object({
  group_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("pending"), Type.Literal("paid")]),
  email: Type.String(),
  currency: Type.String(),
  total: Type.Number(),
  amount_due: Type.Number(),
  orders: Type.Array(CheckoutOrder),
  created_at: Text({ format: "date-time" }),
});

export const ListCheckoutsResponse: TSchema = Type.Object({
  checkouts: Type.Array(CheckoutGroup),
  pagination: Pagination,
});

export const GetCheckoutRequest: TSchema = Type.Object({
  group_id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const CheckoutResponse: TSchema = Type.Object({
  checkout: CheckoutGroup,
});

export const GetPayableCheckoutRequest: TSchema = Type.Object({
  group_id: Text({ format: "uuid" }),
});

export const PayableShare: TSchema = Type.Object({
  store_id: Type.String(),
  order_id: Type.String(),
  order_number: Type.String(),
  amount_due: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  payable: Type.Boolean(),
  payment_status: Type.String(),
  generation: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const GetPayableCheckoutResponse: TSchema = Type.Object({
  group_id: Type.String(),
  currency: Type.String(),
  email: Type.String(),
  shares: Type.Array(PayableShare),
});
