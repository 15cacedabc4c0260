// Generated from stoa/v1/shared.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const Pagination: TSchema = Type.Object({
  limit: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});

export const Deleted: TSchema = Type.Object({
  deleted: Type.Boolean(),
  id: Text({ format: "uuid" }),
});

export const Address: TSchema = Type.Object({
  first_name: Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()]),
  last_name: Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()]),
  company: Type.Union([Text({ maxLength: 200, format: "line" }), Type.Null()]),
  line1: Text({ maxLength: 200, format: "line" }),
  line2: Type.Union([Text({ maxLength: 200, format: "line" }), Type.Null()]),
  city: Text({ maxLength: 100, format: "line" }),
  state: Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()]),
  postal_code: Type.Union([Text({ maxLength: 16, format: "line" }), Type.Null()]),
  country: Text({ pattern: "^[A-Za-z]{2}$" }),
  phone: Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()]),
  latitude: Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()]),
  longitude: Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()]),
});

export const AddressInput: TSchema = Type.Object({
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  company: Type.Optional(Type.Union([Text({ maxLength: 200, format: "line" }), Type.Null()])),
  line1: Type.Optional(Text({ maxLength: 200, format: "line" })),
  line2: Type.Optional(Type.Union([Text({ maxLength: 200, format: "line" }), Type.Null()])),
  city: Type.Optional(Text({ maxLength: 100, format: "line" })),
  state: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  postal_code: Type.Optional(Type.Union([Text({ maxLength: 16, format: "line" }), Type.Null()])),
  country: Text({ pattern: "^[A-Za-z]{2}$" }),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()])),
  latitude: Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()])),
  longitude: Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()])),
});

export const AgentName: TSchema = Type.Object({
  name: Text({ maxLength: 200 }),
  protocol: Type.Union([Type.Literal("mcp"), Type.Literal("acp"), Type.Literal("ucp")]),
});

export const AgentNameInput: TSchema = Type.Object({
  name: Text({ maxLength: 200 }),
  protocol: Type.Union([Type.Literal("mcp"), Type.Literal("acp"), Type.Literal("ucp")]),
});

export const MediaItem: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  type: Type.Union([Type.Literal("image"), Type.Literal("video")]),
  url: Text({ maxLength: 2048, format: "media-url" }),
  alt_text: Type.Union([Text({ maxLength: 500 }), Type.Null()]),
  width: Type.Union([Type.Integer({ maximum: 2147483647, minimum: 1 }), Type.Null()]),
  height: Type.Union([Type.Integer({ maximum: 2147483647, minimum: 1 }), Type.Null()]),
  position: Type.Union([Type.Integer({ maximum: 2147483647, minimum: 1 }), Type.Null()]),
  poster_url: Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()]),
});

export const MediaItemInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  type: Type.Optional(Type.Union([Type.Literal("image"), Type.Literal("video")])),
  url: Text({ maxLength: 2048, format: "media-url" }),
  alt_text: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  width: Type.Optional(Type.Union([Type.Integer({ maximum: 2147483647, minimum: 1 }), Type.Null()])),
  height: Type.Optional(Type.Union([Type.Integer({ maximum: 2147483647, minimum: 1 }), Type.Null()])),
  position: Type.Optional(Type.Union([Type.Integer({ maximum: 2147483647, minimum: 1 }), Type.Null()])),
  poster_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
});

export const AppliedPromotion: TSchema = Type.Object({
  promotion_id: Text({ format: "uuid" }),
  code: Type.Union([Type.String(), Type.Null()]),
  title: Type.String(),
  amount: Type.Number(),
});

export const RejectedCode: TSchema = Type.Object({
  code: Type.String(),
  reason: Type.String(),
});

export const ErrorDetail: TSchema = Type.Object({
  code: Type.Union([Type.Literal("invalid_request"), Type.Literal("unauthorized"), Type.Literal("forbidden"), Type.Literal("not_found"), Type.Literal("conflict"), Type.Literal("rate_limited"), Type.Literal("quota_exceeded"), Type.Literal("service_unavailable"), Type.Literal("server_error"), Type.Literal("shipping_not_deliverable"), Type.Literal("amount_mismatch"), Type.Literal("insufficient_stock"), Type.Literal("promotion_not_applicable"), Type.Literal("gift_card_not_applicable"), Type.Literal("currency_not_available"), Type.Literal("payment_declined"), Type.Literal("payment_not_captured"), Type.Literal("idempotency_conflict"), Type.Literal("payload_too_large"), Type.Literal("unsupported_media_type"), Type.Literal("method_not_allowed")]),
  message: Type.String(),
  details: Type.Optional(Type.String()),
  hint: Type.Optional(Type.String()),
  param: Type.Optional(Type.String()),
  remaining: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  reset: Type.Optional(Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 })),
  request_id: Type.String(),
});

export const ErrorObject: TSchema = Type.Object({
  error: ErrorDetail,
});
