// Generated from stoa/v1/price_list.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const ListPrice: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  min_quantity: Type.Integer({ minimum: 1, maximum: 1000000000 }),
  price: Type.Number({ minimum: 0 }),
});

export const ListPriceInput: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  min_quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000000000 })),
  price: Type.Number({ maximum: 99999999.99, minimum: 0 }),
});

export const PriceListing: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  currency: Type.String(),
  customer_group: Type.Union([Type.String(), Type.Null()]),
  starts_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  ends_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  prices: Type.Array(ListPrice),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const ListPriceListsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListPriceListsResponse: TSchema = Type.Object({
  price_lists: Type.Array(PriceListing),
  pagination: Pagination,
});

export const PriceListResponse: TSchema = Type.Object({
  price_list: PriceListing,
});

export const CreatePriceListRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  currency: Type.Optional(Text({ format: "currency" })),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()])),
  starts_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  prices: Type.Optional(Type.Array(ListPriceInput, { maxItems: 5000 })),
});

export const UpdatePriceListRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  currency: Type.Optional(Text({ format: "currency" })),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()])),
  starts_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  prices: Type.Optional(Type.Array(ListPriceInput, { maxItems: 5000 })),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const GetPriceListRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const DeletePriceListRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
