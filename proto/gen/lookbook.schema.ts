// Generated from stoa/v1/lookbook.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const HotspotTranslation: TSchema = Type.Object({
  label: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
});

export const HotspotTranslationInput: TSchema = Type.Object({
  label: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
});

export const Hotspot: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  x: Type.Number(),
  y: Type.Number(),
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  label: Type.Union([Type.String(), Type.Null()]),
  price: Type.Union([Type.Number(), Type.Null()]),
  currency: Type.String(),
  in_stock: Type.Boolean(),
  product_slug: Type.Union([Type.String(), Type.Null()]),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), HotspotTranslation, { additionalProperties: false })),
});

export const LookbookImage: TSchema = Type.Object({
  url: Text({ format: "uri" }),
  hotspots: Type.Array(Hotspot),
});

export const LookbookTranslation: TSchema = Type.Object({
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
});

export const LookbookTranslationInput: TSchema = Type.Object({
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
});

export const StoreLookbook: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  featured_image: Type.Union([Text({ format: "uri" }), Type.Null()]),
  video: Type.Union([Text({ format: "uri" }), Type.Null()]),
  collection_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  status: Type.Union([Type.Literal("published"), Type.Literal("draft")]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  images: Type.Array(LookbookImage),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), LookbookTranslation, { additionalProperties: false })),
});

export const LookbookDetail: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  featured_image: Type.Union([Text({ format: "uri" }), Type.Null()]),
  video: Type.Union([Text({ format: "uri" }), Type.Null()]),
  collection_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  images: Type.Array(LookbookImage),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), LookbookTranslation, { additionalProperties: false })),
});

export const ListLookbooksRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  status: Type.Optional(Type.Union([Type.Literal("published"), Type.Literal("draft")])),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListLookbooksResponse: TSchema = Type.Object({
  lookbooks: Type.Array(StoreLookbook),
  pagination: Pagination,
});

export const GetLookbookRequest: TSchema = Type.Object({
  slug: Type.String(),
  fields: Type.Optional(Type.String()),
  visitor_id: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  visitor_header: Type.Optional(Type.String()),
  session_header: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const NewHotspot: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  x: Type.Number({ minimum: 0, maximum: 1 }),
  y: Type.Number({ minimum: 0, maximum: 1 }),
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  label: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([HotspotTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const NewLookbookImage: TSchema = Type.Object({
  url: Text({ maxLength: 2048, format: "media-url" }),
  hotspots: Type.Optional(Type.Union([Type.Array(NewHotspot, { maxItems: 100 }), Type.Null()])),
});

export const CreateLookbookRequest: TSchema = Type.Object({
  title: Text({ minLength: 1, maxLength: 300, format: "words" }),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  featured_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  collection_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("published"), Type.Literal("draft")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  images: Type.Optional(Type.Union([Type.Array(NewLookbookImage, { maxItems: 100 }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([LookbookTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const UpdateLookbookRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  featured_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  collection_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("published"), Type.Literal("draft")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  images: Type.Optional(Type.Union([Type.Array(NewLookbookImage, { maxItems: 100 }), Type.Null()])),
  version: Type.Optional(Text({ format: "date-time" })),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([LookbookTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const DeleteLookbookRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
