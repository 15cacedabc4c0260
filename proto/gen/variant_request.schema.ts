// Generated from stoa/v1/variant_request.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { MediaItemInput } from './shared.schema.ts';

export const NewVariant: TSchema = Type.Object({
  variant_id: Type.Optional(Text({ format: "uuid" })),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  is_default: Type.Optional(Type.Boolean()),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
});

export const CreateVariantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  is_default: Type.Optional(Type.Boolean()),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
});

export const UpdateVariantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  is_default: Type.Optional(Type.Boolean()),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const DeleteVariantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
});
