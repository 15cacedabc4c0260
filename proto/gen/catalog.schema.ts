// Generated from stoa/v1/catalog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { ListedProduct, Specification } from './product.schema.ts';
import { Pagination } from './shared.schema.ts';

export const ListProductsRequest: TSchema = Type.Object({
  category_id: Type.Optional(Text({ format: "uuid" })),
  subcategory_id: Type.Optional(Text({ format: "uuid" })),
  collection_id: Type.Optional(Text({ format: "uuid" })),
  brand: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  tag: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  featured: Type.Optional(Type.Boolean()),
  in_stock: Type.Optional(Type.Boolean()),
  min_price: Type.Optional(Type.Number({ minimum: 0, maximum: 99999999.99 })),
  max_price: Type.Optional(Type.Number({ minimum: 0, maximum: 99999999.99 })),
  ids: Type.Optional(Type.Array(Text({ format: "uuid" }), { minItems: 1, maxItems: 100 })),
  sort: Type.Optional(Type.Union([Type.Literal("newest"), Type.Literal("price_asc"), Type.Literal("price_desc"), Type.Literal("name"), Type.Literal("featured"), Type.Literal("rating"), Type.Literal("collection")])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
  search: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  is_active: Type.Optional(Type.Boolean()),
  low_stock: Type.Optional(Type.Boolean()),
  currency: Type.Optional(Text({ format: "currency" })),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListProductsResponse: TSchema = Type.Object({
  products: Type.Array(ListedProduct),
  pagination: Pagination,
});

export const GetProductRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
  currency: Type.Optional(Text({ format: "currency" })),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const GetProductBySlugRequest: TSchema = Type.Object({
  slug: Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }),
  fields: Type.Optional(Type.String()),
  currency: Type.Optional(Text({ format: "currency" })),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const GetSpecificationsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const GetSpecificationsResponse: TSchema = Type.Object({
  specifications: Type.Array(Specification),
});

export const ShownPrice: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  currency: Type.String(),
  price: Type.Number(),
  compare_at_price: Type.Union([Type.Number(), Type.Null()]),
  source: Type.Union([Type.Literal("price"), Type.Literal("sale"), Type.Literal("price_list")]),
  from: Text({ format: "date-time" }),
  to: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const ListPriceHistoryRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Type.Optional(Text({ format: "uuid" })),
  currency: Type.Optional(Text({ format: "currency" })),
  from: Type.Optional(Text({ format: "date-time" })),
  to: Type.Optional(Text({ format: "date-time" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListPriceHistoryResponse: TSchema = Type.Object({
  price_history: Type.Array(ShownPrice),
  pagination: Pagination,
});
