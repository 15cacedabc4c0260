// Generated from stoa/v1/payment_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const GiveBackPart: TSchema = Type.Object({
  payment_id: Text({ format: "uuid" }),
  amount: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const GiveBackRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  refund_id: Text({ format: "uuid" }),
  parts: Type.Array(GiveBackPart),
  reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const GiveBackResponse: TSchema = Type.Object({
  status: Type.Union([Type.Literal("pending"), Type.Literal("succeeded"), Type.Literal("failed")]),
});

export const IssuePaymentTokenRequest: TSchema = Type.Object({
  checkout_intent_id: Text({ format: "uuid" }),
  max_amount: Type.Number({ maximum: 99999999.99, exclusiveMinimum: 0 }),
  currency: Text({ format: "currency" }),
  expires_at: Text({ format: "date-time" }),
  declines: Type.Optional(Type.Boolean()),
});

export const IssuePaymentTokenResponse: TSchema = Type.Object({
  token: Type.String(),
  created_at: Text({ format: "date-time" }),
  expires_at: Text({ format: "date-time" }),
});

export const AuthorizeTokenRequest: TSchema = Type.Object({
  payment_id: Text({ format: "uuid" }),
  token: Text({ minLength: 1, maxLength: 500 }),
  checkout_intent_id: Text({ format: "uuid" }),
  amount: Type.Number({ minimum: 0, maximum: 99999999.99 }),
  currency: Type.String(),
  completion: Text({ format: "uuid" }),
});

export const AuthorizeTokenResponse: TSchema = Type.Object({
  payment_id: Type.String(),
});

export const NamePaymentRequest: TSchema = Type.Object({
  payment_id: Text({ format: "uuid" }),
});

export const ReleaseTokenResponse: TSchema = Type.Object({});
