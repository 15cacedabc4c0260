// Generated from stoa/v1/category.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const ProductSubcategory: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  slug: Type.String(),
  product_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const ProductCategory: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  slug: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  product_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  subcategories: Type.Array(ProductSubcategory),
});

export const ListCategoriesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListCategoriesResponse: TSchema = Type.Object({
  categories: Type.Array(ProductCategory),
});

export const CreateCategoryRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  parent_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const UpdateCategoryRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 100000 })),
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
});

export const CategoryResponse: TSchema = Type.Object({
  category: WrittenCategory,
});
