// Generated from stoa/v1/category.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const CategoryTranslation: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
});

export const CategoryTranslationInput: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
});

export const ProductSubcategory: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  slug: Type.String(),
  product_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), CategoryTranslation, { additionalProperties: false })),
  updated_at: Text({ format: "date-time" }),
});

export const ProductCategory: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  slug: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  product_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  subcategories: Type.Array(ProductSubcategory),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), CategoryTranslation, { additionalProperties: false })),
  updated_at: Text({ format: "date-time" }),
});

export const ListCategoriesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListCategoriesResponse: TSchema = Type.Object({
  categories: Type.Array(ProductCategory),
});

export const CreateCategoryRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  parent_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([CategoryTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const UpdateCategoryRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 100000 })),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([CategoryTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
  parent_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const DeleteCategoryRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const WrittenCategory: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  slug: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  parent_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  product_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  subcategories: Type.Array(ProductSubcategory),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), CategoryTranslation, { additionalProperties: false })),
  updated_at: Text({ format: "date-time" }),
});

export const CategoryResponse: TSchema = Type.Object({
  category: WrittenCategory,
});
