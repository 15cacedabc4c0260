// Generated from stoa/v1/collection.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const CollectionTranslation: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
});

export const CollectionTranslationInput: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
});

export const ProductCollection: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  collection_type: Type.Union([Type.Literal("featured_collections"), Type.Literal("new_arrivals"), Type.Literal("best_selling"), Type.Literal("custom")]),
  is_active: Type.Boolean(),
  show_on_homepage: Type.Boolean(),
  display_priority: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  image: Type.Union([Text({ format: "uri" }), Type.Null()]),
  image_mobile: Type.Union([Text({ format: "uri" }), Type.Null()]),
  video: Type.Union([Text({ format: "uri" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), CollectionTranslation, { additionalProperties: false })),
});

export const ListCollectionsRequest: TSchema = Type.Object({
  show_on_homepage: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListCollectionsResponse: TSchema = Type.Object({
  collections: Type.Array(ProductCollection),
  pagination: Pagination,
});

export const GetCollectionRequest: TSchema = Type.Object({
  id: Text({ pattern: "^[A-Za-z0-9][A-Za-z0-9-]{0,199}$" }),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const CollectionResponse: TSchema = Type.Object({
  collection: ProductCollection,
});

export const CreateCollectionRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  slug: Type.Optional(Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" })),
  description: Type.Optional(Text({ maxLength: 50000 })),
  collection_type: Type.Optional(Type.Union([Type.Literal("featured_collections"), Type.Literal("new_arrivals"), Type.Literal("best_selling"), Type.Literal("custom")])),
  is_active: Type.Optional(Type.Boolean()),
  show_on_homepage: Type.Optional(Type.Boolean()),
  display_priority: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  image_mobile: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([CollectionTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const UpdateCollectionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  slug: Type.Optional(Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" })),
  description: Type.Optional(Text({ maxLength: 50000 })),
  collection_type: Type.Optional(Type.Union([Type.Literal("featured_collections"), Type.Literal("new_arrivals"), Type.Literal("best_selling"), Type.Literal("custom")])),
  is_active: Type.Optional(Type.Boolean()),
  show_on_homepage: Type.Optional(Type.Boolean()),
  display_priority: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  image_mobile: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([CollectionTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const DeleteCollectionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const SetCollectionProductsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 5000, uniqueItems: true }),
  version: Type.Optional(Text({ format: "date-time" })),
});
