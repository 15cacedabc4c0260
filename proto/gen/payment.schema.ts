// Generated from stoa/v1/payment.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { PaymentElement } from './payment_provider.schema.ts';
import { Pagination } from './shared.schema.ts';

export const PaymentMethod: TSchema = Type.Object({
  provider: Type.String(),
  name: Type.String(),
  type: Type.Union([Type.Literal("redirect"), Type.Literal("push")]),
  custom_provider: Type.Boolean(),
  currencies: Type.Array(Type.String()),
  countries: Type.Array(Type.String()),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  element: Type.Union([Type.Union([Type.Literal("stripe"), Type.Literal("simulator")]), Type.Null()]),
});

export const ListMethodsRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListMethodsResponse: TSchema = Type.Object({
  methods: Type.Array(PaymentMethod),
});

export const InitializePaymentRequest: TSchema = Type.Object({
  provider: Text({ pattern: "^[a-z][a-z0-9_]{1,49}$" }),
  amount: Type.Number({ maximum: 99999999.99, minimum: 0.01 }),
  currency: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{3}$" }), Type.Null()])),
  email: Type.Optional(Type.Union([Text({ format: "email" }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 20 }), Type.Null()])),
  country: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2}$" }), Type.Null()])),
  order_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
  success_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  cancel_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  callback_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  capture: Type.Optional(Type.Union([Type.Literal("automatic"), Type.Literal("manual")])),
  presentation: Type.Optional(Type.Union([Type.Literal("redirect"), Type.Literal("element")])),
});

export const InitializePaymentResponse: TSchema = Type.Object({
  success: Type.Boolean(),
  provider: Type.String(),
  type: Type.Union([Type.Literal("redirect"), Type.Literal("push"), Type.Literal("element")]),
  reference: Type.String(),
  checkout_url: Type.Union([Type.String(), Type.Null()]),
  session_id: Type.String(),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  expires_at: Text({ format: "date-time" }),
  element: Type.Union([PaymentElement, Type.Null()]),
});

export const VerifyPaymentRequest: TSchema = Type.Object({
  provider: Text({ pattern: "^[a-z][a-z0-9_]{1,49}$" }),
  reference: Text({ minLength: 1, maxLength: 300 }),
});

export const PaymentState: TSchema = Type.Object({
  success: Type.Boolean(),
  provider: Type.String(),
  reference: Type.String(),
  status: Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("succeeded"), Type.Literal("failed"), Type.Literal("expired"), Type.Literal("voided"), Type.Literal("refunded")]),
  amount: Type.Number(),
  currency: Type.String(),
  paid_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  needs_review: Type.Boolean(),
  capture: Type.Union([Type.Literal("automatic"), Type.Literal("manual")]),
  amount_authorized: Type.Union([Type.Number(), Type.Null()]),
  authorized_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  capture_before: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  in_progress: Type.Union([Type.Union([Type.Literal("capture"), Type.Literal("void")]), Type.Null()]),
});

export const CapturePaymentRequest: TSchema = Type.Object({
  reference: Text({ maxLength: 100 }),
  amount: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0.01 }), Type.Null()])),
});

export const VoidPaymentRequest: TSchema = Type.Object({
  reference: Text({ maxLength: 100 }),
});

export const ListPaymentsRequest: TSchema = Type.Object({
  needs_review: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("succeeded"), Type.Literal("failed"), Type.Literal("expired"), Type.Literal("voided"), Type.Literal("refunded")])),
  order_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListedPayment: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  success: Type.Boolean(),
  provider: Type.String(),
  reference: Type.String(),
  status: Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("succeeded"), Type.Literal("failed"), Type.Literal("expired"), Type.Literal("voided"), Type.Literal("refunded")]),
  amount: Type.Number(),
  amount_refunded: Type.Number(),
  currency: Type.String(),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  needs_review: Type.Boolean(),
  failure: Type.Union([Type.String(), Type.Null()]),
  metadata: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.String(), { additionalProperties: false }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  paid_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  capture: Type.Union([Type.Literal("automatic"), Type.Literal("manual")]),
  amount_authorized: Type.Union([Type.Number(), Type.Null()]),
  authorized_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  capture_before: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  in_progress: Type.Union([Type.Union([Type.Literal("capture"), Type.Literal("void")]), Type.Null()]),
});

export const ListPaymentsResponse: TSchema = Type.Object({
  payments: Type.Array(ListedPayment),
  pagination: Pagination,
});
