// Generated from stoa/v1/marketplace.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address, Pagination } from './shared.schema.ts';

export const SectionItem: TSchema = Type.Object({
  merchant_store_id: Text({ format: "uuid" }),
  product_id: Type.Optional(Text({ format: "uuid" })),
  promotion_id: Type.Optional(Text({ format: "uuid" })),
  name: Type.Optional(Type.String()),
  logo_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  title: Type.Optional(Type.String()),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
});

export const Section: TSchema = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  placement_kind: Type.Union([Type.Literal("product"), Type.Literal("merchant"), Type.Literal("promotion")]),
  curated: Type.Boolean(),
  items: Type.Array(SectionItem),
  hidden_items: Type.Optional(Type.Array(SectionItem)),
  updated_at: Text({ format: "date-time" }),
});

export const SectionResponse: TSchema = Type.Object({
  collection: Section,
});

export const ListSectionsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListSectionsResponse: TSchema = Type.Object({
  collections: Type.Array(Section),
  pagination: Pagination,
});

export const GetSectionRequest: TSchema = Type.Object({
  slug: Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  fields: Type.Optional(Type.String()),
  hidden: Type.Optional(Type.Boolean()),
});

export const PutSectionItem: TSchema = Type.Object({
  merchant_store_id: Text({ format: "uuid" }),
  product_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  promotion_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const PutSectionRequest: TSchema = Type.Object({
  slug: Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  placement_kind: Type.Union([Type.Literal("product"), Type.Literal("merchant"), Type.Literal("promotion")]),
  items: Type.Array(PutSectionItem, { maxItems: 100 }),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const GetShopperRequest: TSchema = Type.Object({
  customer_token: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ShopperAccount: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
});

export const Shopper: TSchema = Type.Object({
  shopper_id: Text({ format: "uuid" }),
  email: Type.String(),
  customers: Type.Array(ShopperAccount),
  orders_count: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  addresses: Type.Array(Address),
});

export const ShopperResponse: TSchema = Type.Object({
  shopper: Shopper,
});

export const DeleteSectionRequest: TSchema = Type.Object({
  slug: Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }),
});

export const SectionDeleted: TSchema = Type.Object({
  deleted: Type.Boolean(),
  slug: Type.String(),
  id: Type.String(),
});
