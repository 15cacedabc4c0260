// Generated from stoa/v1/wholesale_quote.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address, AddressInput, Pagination } from './shared.schema.ts';

export const AgreedItem: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  total: Type.Number(),
});

export const WholesaleQuote: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  quote_number: Type.String(),
  rfq_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("sent"), Type.Literal("accepted"), Type.Literal("rejected"), Type.Literal("expired")]),
  currency: Type.String(),
  items: Type.Array(AgreedItem),
  subtotal: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  payment_terms: Type.Union([Type.Literal("due_on_receipt"), Type.Literal("net_7"), Type.Literal("net_15"), Type.Literal("net_30"), Type.Literal("net_60"), Type.Literal("net_90")]),
  valid_until: Text({ format: "date-time" }),
  shipping_address: Type.Union([Address, Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const QuotedItemRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  unit_price: Type.Number({ maximum: 99999999.99, minimum: 0 }),
});

export const CreateWholesaleQuoteRequest: TSchema = Type.Object({
  rfq_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  items: Type.Array(QuotedItemRequest, { minItems: 1, maxItems: 500 }),
  payment_terms: Type.Optional(Type.Union([Type.Union([Type.Literal("due_on_receipt"), Type.Literal("net_7"), Type.Literal("net_15"), Type.Literal("net_30"), Type.Literal("net_60"), Type.Literal("net_90")]), Type.Null()])),
  valid_until: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const WholesaleQuoteResponse: TSchema = Type.Object({
  data: WholesaleQuote,
});

export const ListWholesaleQuotesRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("sent"), Type.Literal("accepted"), Type.Literal("rejected"), Type.Literal("expired")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListWholesaleQuotesResponse: TSchema = Type.Object({
  data: Type.Array(WholesaleQuote),
  pagination: Pagination,
});

export const GetWholesaleQuoteRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const AnswerWholesaleQuoteRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  reason: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});
