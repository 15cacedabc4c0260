// Generated from stoa/v1/dispute.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const OrderDispute: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  order_id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("open"), Type.Literal("under_review"), Type.Literal("resolved"), Type.Literal("rejected"), Type.Literal("cancelled")]),
  reason_code: Type.Union([Type.Literal("item_not_received"), Type.Literal("not_as_described"), Type.Literal("damaged"), Type.Literal("wrong_item"), Type.Literal("refund_not_received"), Type.Literal("other")]),
  description: Type.String(),
  evidence_urls: Type.Array(Type.String()),
  resolution: Type.Union([Type.Union([Type.Literal("refund"), Type.Literal("replacement"), Type.Literal("store_credit"), Type.Literal("none")]), Type.Null()]),
  amount: Type.Union([Type.Number(), Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  resolved_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const DisputeResponse: TSchema = Type.Object({
  data: OrderDispute,
});

export const CreateDisputeRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  reason_code: Type.Union([Type.Literal("item_not_received"), Type.Literal("not_as_described"), Type.Literal("damaged"), Type.Literal("wrong_item"), Type.Literal("refund_not_received"), Type.Literal("other")]),
  description: Text({ minLength: 10, maxLength: 5000, format: "words" }),
  evidence_urls: Type.Optional(Type.Array(Text({ maxLength: 2048, format: "http-url" }), { maxItems: 10 })),
});

export const ListDisputesRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("open"), Type.Literal("under_review"), Type.Literal("resolved"), Type.Literal("rejected"), Type.Literal("cancelled")])),
  order_id: Type.Optional(Text({ format: "uuid" })),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListDisputesResponse: TSchema = Type.Object({
  data: Type.Array(OrderDispute),
  pagination: Pagination,
});

export const GetDisputeRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const UpdateDisputeRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Optional(Type.Union([Type.Literal("under_review"), Type.Literal("resolved"), Type.Literal("rejected")])),
  resolution: Type.Optional(Type.Union([Type.Union([Type.Literal("refund"), Type.Literal("replacement"), Type.Literal("store_credit"), Type.Literal("none")]), Type.Null()])),
  amount: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, exclusiveMinimum: 0 }), Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const CancelDisputeRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
