// Generated from stoa/v1/mail_suppression.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const SuppressedAddress: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Type.String(),
  reason: Type.Union([Type.Literal("hard_bounce"), Type.Literal("complaint"), Type.Literal("unsubscribed")]),
  details: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const ListMailSuppressionsRequest: TSchema = Type.Object({
  email: Type.Optional(Text({ maxLength: 254 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListMailSuppressionsResponse: TSchema = Type.Object({
  mail_suppressions: Type.Array(SuppressedAddress),
  pagination: Pagination,
});

export const DeleteMailSuppressionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const CreateBounceAddressRequest: TSchema = Type.Object({});

export const BounceAddressResponse: TSchema = Type.Object({
  url: Type.String(),
});

export const BounceEvent: TSchema = Type.Object({
  email: Text({ minLength: 3, maxLength: 254 }),
  type: Text({ minLength: 1, maxLength: 50 }),
  details: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
});

export const ReportBouncesRequest: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  token: Text({ minLength: 1, maxLength: 100 }),
  events: Type.Array(BounceEvent, { minItems: 1, maxItems: 1000 }),
});

export const ReportBouncesResponse: TSchema = Type.Object({
  accepted: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const ShowSubscriptionRequest: TSchema = Type.Object({
  token: Text({ minLength: 1, maxLength: 1000 }),
});

export const SubscriptionResponse: TSchema = Type.Object({
  store_id: Type.String(),
  email: Type.String(),
  unsubscribed: Type.Boolean(),
});
