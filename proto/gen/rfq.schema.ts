// Generated from stoa/v1/rfq.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const RfqItem: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  target_unit_price: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
});

export const RfqItemInput: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  target_unit_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
});

export const Rfq: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  rfq_number: Type.String(),
  status: Type.Union([Type.Literal("submitted"), Type.Literal("quoted"), Type.Literal("closed"), Type.Literal("cancelled")]),
  customer_id: Text({ format: "uuid" }),
  items: Type.Array(RfqItem),
  note: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const CreateRfqRequest: TSchema = Type.Object({
  items: Type.Array(RfqItemInput, { minItems: 1, maxItems: 500 }),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const RfqResponse: TSchema = Type.Object({
  data: Rfq,
});

export const ListRfqsRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("submitted"), Type.Literal("quoted"), Type.Literal("closed"), Type.Literal("cancelled")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListRfqsResponse: TSchema = Type.Object({
  data: Type.Array(Rfq),
  pagination: Pagination,
});

export const GetRfqRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const CancelRfqRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
