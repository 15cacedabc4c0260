// Generated from stoa/v1/catalog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { MediaItem, MediaItemInput, Pagination } from './shared.schema.ts';

export const ShippingInfo: TSchema = Type.Object({
  requires_shipping: Type.Boolean(),
  weight_grams: Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()]),
  length_cm: Type.Union([Type.Number({ minimum: 0, maximum: 100000 }), Type.Null()]),
  width_cm: Type.Union([Type.Number({ minimum: 0, maximum: 100000 }), Type.Null()]),
  height_cm: Type.Union([Type.Number({ minimum: 0, maximum: 100000 }), Type.Null()]),
});

export const ShippingInfoInput: TSchema = Type.Object({
  requires_shipping: Type.Optional(Type.Boolean()),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  length_cm: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 100000 }), Type.Null()])),
  width_cm: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 100000 }), Type.Null()])),
  height_cm: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 100000 }), Type.Null()])),
});

export const PriceRange: TSchema = Type.Object({
  min: Type.Number(),
  max: Type.Number(),
  currency: Type.String(),
});

export const ListedProduct: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  name: Type.String(),
  description: Type.String(),
  category_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  subcategory_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  category_name: Type.Union([Type.String(), Type.Null()]),
  subcategory_name: Type.Union([Type.String(), Type.Null()]),
  brand: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Text({ format: "uri" }), Type.Null()]),
  media: Type.Array(MediaItem),
  product_slug: Type.Union([Type.String(), Type.Null()]),
  seo_title: Type.Union([Type.String(), Type.Null()]),
  seo_description: Type.Union([Type.String(), Type.Null()]),
  seo_keywords: Type.Union([Type.Array(Type.String()), Type.Null()]),
  featured: Type.Boolean(),
  featured_order: Type.Number(),
  tags: Type.Union([Type.Array(Type.String()), Type.Null()]),
  google_product_category: Type.Union([Type.String(), Type.Null()]),
  meta_product_category: Type.Union([Type.String(), Type.Null()]),
  attributes: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  shipping_info: Type.Union([ShippingInfo, Type.Null()]),
  created_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  updated_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  is_active: Type.Union([Type.Boolean(), Type.Null()]),
  average_rating: Type.Union([Type.Number(), Type.Null()]),
  review_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  variant_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  price: Type.Union([Type.Number(), Type.Null()]),
  sale_price: Type.Union([Type.Number(), Type.Null()]),
  selling_price: Type.Union([Type.Number(), Type.Null()]),
  stock: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  variant_attributes: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  is_default: Type.Union([Type.Boolean(), Type.Null()]),
  condition: Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")]),
  gtin: Type.Union([Type.String(), Type.Null()]),
  mpn: Type.Union([Type.String(), Type.Null()]),
  weight_grams: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  dimensions_cm: Type.Union([Type.String(), Type.Null()]),
  last_restocked: Type.Optional(Type.Union([Text({ format: "date" }), Type.Null()])),
  total_stock: Type.Optional(Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()])),
  price_range: Type.Optional(Type.Union([PriceRange, Type.Null()])),
  variant_count: Type.Optional(Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()])),
  has_variants: Type.Boolean(),
  display_currency: Type.String(),
  currency_symbol: Type.String(),
});

export const Variant: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  sku: Type.Union([Type.String(), Type.Null()]),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  variant_attributes: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  is_default: Type.Boolean(),
  price: Type.Union([Type.Number(), Type.Null()]),
  sale_price: Type.Union([Type.Number(), Type.Null()]),
  selling_price: Type.Union([Type.Number(), Type.Null()]),
  stock: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  condition: Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")]),
  gtin: Type.Union([Type.String(), Type.Null()]),
  mpn: Type.Union([Type.String(), Type.Null()]),
  weight_grams: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  dimensions_cm: Type.Union([Type.String(), Type.Null()]),
  last_restocked: Type.Union([Text({ format: "date" }), Type.Null()]),
  thumbnail_url: Type.Union([Text({ format: "uri" }), Type.Null()]),
  media: Type.Array(MediaItem),
});

export const Product: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  name: Type.String(),
  description: Type.String(),
  category_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  subcategory_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  category_name: Type.Union([Type.String(), Type.Null()]),
  subcategory_name: Type.Union([Type.String(), Type.Null()]),
  brand: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Text({ format: "uri" }), Type.Null()]),
  media: Type.Array(MediaItem),
  product_slug: Type.Union([Type.String(), Type.Null()]),
  seo_title: Type.Union([Type.String(), Type.Null()]),
  seo_description: Type.Union([Type.String(), Type.Null()]),
  seo_keywords: Type.Union([Type.Array(Type.String()), Type.Null()]),
  featured: Type.Boolean(),
  featured_order: Type.Number(),
  tags: Type.Union([Type.Array(Type.String()), Type.Null()]),
  google_product_category: Type.Union([Type.String(), Type.Null()]),
  meta_product_category: Type.Union([Type.String(), Type.Null()]),
  attributes: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  shipping_info: Type.Union([ShippingInfo, Type.Null()]),
  created_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  updated_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  is_active: Type.Union([Type.Boolean(), Type.Null()]),
  average_rating: Type.Union([Type.Number(), Type.Null()]),
  review_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  sku: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  selling_price: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  stock: Type.Optional(Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  is_default: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  mpn: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  last_restocked: Type.Optional(Type.Union([Text({ format: "date" }), Type.Null()])),
  total_stock: Type.Optional(Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()])),
  price_range: Type.Optional(Type.Union([PriceRange, Type.Null()])),
  variant_count: Type.Optional(Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()])),
  has_variants: Type.Boolean(),
  display_currency: Type.String(),
  currency_symbol: Type.String(),
  variants: Type.Optional(Type.Array(Variant)),
});

export const Specification: TSchema = Type.Object({
  group: Type.Union([Text({ maxLength: 200 }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 200 }),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  unit: Type.Union([Text({ maxLength: 50 }), Type.Null()]),
});

export const SpecificationInput: TSchema = Type.Object({
  group: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 200 }),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  unit: Type.Optional(Type.Union([Text({ maxLength: 50 }), Type.Null()])),
});

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
});

export const ListProductsResponse: TSchema = Type.Object({
  products: Type.Array(ListedProduct),
  pagination: Pagination,
});

export const GetProductRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const GetProductBySlugRequest: TSchema = Type.Object({
  slug: Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }),
  fields: Type.Optional(Type.String()),
});

export const GetSpecificationsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const GetSpecificationsResponse: TSchema = Type.Object({
  specifications: Type.Array(Specification),
});

export const NewVariant: TSchema = Type.Object({
  variant_id: Type.Optional(Text({ format: "uuid" })),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ pattern: "^[0-9][0-9 -]{5,18}[0-9Xx]$" }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  is_default: Type.Optional(Type.Boolean()),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
});

export const CreateProductRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 500 }),
  description: Type.Optional(Text({ maxLength: 100000 })),
  category_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  subcategory_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  brand: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 200 }), Type.Null()])),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  seo_keywords: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100 }), { maxItems: 100 }), Type.Null()])),
  featured: Type.Optional(Type.Boolean()),
  featured_order: Type.Optional(Type.Number({ minimum: -1000000000, maximum: 1000000000 })),
  tags: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100 }), { maxItems: 100 }), Type.Null()])),
  google_product_category: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  meta_product_category: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  shipping_info: Type.Optional(Type.Union([ShippingInfoInput, Type.Null()])),
  is_active: Type.Optional(Type.Boolean()),
  specifications: Type.Optional(Type.Array(SpecificationInput, { maxItems: 500 })),
  variants: Type.Optional(Type.Union([Type.Array(NewVariant, { maxItems: 250 }), Type.Null()])),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ pattern: "^[0-9][0-9 -]{5,18}[0-9Xx]$" }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
});

export const UpdateProductRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 500 })),
  description: Type.Optional(Text({ maxLength: 100000 })),
  category_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  subcategory_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  brand: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 200 }), Type.Null()])),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  seo_keywords: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100 }), { maxItems: 100 }), Type.Null()])),
  featured: Type.Optional(Type.Boolean()),
  featured_order: Type.Optional(Type.Number({ minimum: -1000000000, maximum: 1000000000 })),
  tags: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100 }), { maxItems: 100 }), Type.Null()])),
  google_product_category: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  meta_product_category: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  shipping_info: Type.Optional(Type.Union([ShippingInfoInput, Type.Null()])),
  is_active: Type.Optional(Type.Boolean()),
  specifications: Type.Optional(Type.Array(SpecificationInput, { maxItems: 500 })),
  variants: Type.Optional(Type.Union([Type.Array(NewVariant, { maxItems: 250 }), Type.Null()])),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ pattern: "^[0-9][0-9 -]{5,18}[0-9Xx]$" }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
});

export const CreateVariantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ pattern: "^[0-9][0-9 -]{5,18}[0-9Xx]$" }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  is_default: Type.Optional(Type.Boolean()),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
});

export const UpdateVariantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  sku: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  sale_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  stock: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000000 })),
  low_stock_threshold: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1000000000 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")])),
  gtin: Type.Optional(Type.Union([Text({ pattern: "^[0-9][0-9 -]{5,18}[0-9Xx]$" }), Type.Null()])),
  mpn: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  weight_grams: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100000000 }), Type.Null()])),
  dimensions_cm: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  variant_name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  variant_attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  is_default: Type.Optional(Type.Boolean()),
  thumbnail_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  media: Type.Optional(Type.Array(MediaItemInput, { maxItems: 50 })),
});

export const DeleteProductRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const DeleteVariantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
});

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
  name: Text({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.Union([Text({ maxLength: 10000 }), Type.Null()])),
  parent_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const UpdateCategoryRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  description: Type.Optional(Type.Union([Text({ maxLength: 10000 }), Type.Null()])),
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
});

export const ListCollectionsRequest: TSchema = Type.Object({
  show_on_homepage: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListCollectionsResponse: TSchema = Type.Object({
  collections: Type.Array(ProductCollection),
  pagination: Pagination,
});

export const GetCollectionRequest: TSchema = Type.Object({
  id: Text({ pattern: "^[A-Za-z0-9][A-Za-z0-9-]{0,199}$" }),
  fields: Type.Optional(Type.String()),
});

export const CollectionResponse: TSchema = Type.Object({
  collection: ProductCollection,
});

export const CreateCollectionRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 200 }),
  slug: Type.Optional(Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" })),
  description: Type.Optional(Text({ maxLength: 10000 })),
  collection_type: Type.Optional(Type.Union([Type.Literal("featured_collections"), Type.Literal("new_arrivals"), Type.Literal("best_selling"), Type.Literal("custom")])),
  is_active: Type.Optional(Type.Boolean()),
  show_on_homepage: Type.Optional(Type.Boolean()),
  display_priority: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  image_mobile: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
});

export const UpdateCollectionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  slug: Type.Optional(Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" })),
  description: Type.Optional(Text({ maxLength: 10000 })),
  collection_type: Type.Optional(Type.Union([Type.Literal("featured_collections"), Type.Literal("new_arrivals"), Type.Literal("best_selling"), Type.Literal("custom")])),
  is_active: Type.Optional(Type.Boolean()),
  show_on_homepage: Type.Optional(Type.Boolean()),
  display_priority: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  image_mobile: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
});

export const DeleteCollectionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const SetCollectionProductsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 5000, uniqueItems: true }),
});

export const StockLevel: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  held: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  available: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
});

export const GetInventoryRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const InventoryResponse: TSchema = Type.Object({
  inventory: StockLevel,
});

export const CreateAdjustmentRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  delta: Type.Optional(Type.Integer({ minimum: -1000000000, maximum: 1000000000 })),
  on_hand: Type.Optional(Type.Integer({ minimum: -1000000000, maximum: 1000000000 })),
  reason: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
});

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
  name: Text({ minLength: 1, maxLength: 200 }),
  currency: Type.Optional(Text({ format: "currency" })),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  starts_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  prices: Type.Optional(Type.Array(ListPriceInput, { maxItems: 5000 })),
});

export const UpdatePriceListRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  currency: Type.Optional(Text({ format: "currency" })),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  starts_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  prices: Type.Optional(Type.Array(ListPriceInput, { maxItems: 5000 })),
});

export const DeletePriceListRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const HasProductsRequest: TSchema = Type.Object({});

export const HasProductsResponse: TSchema = Type.Object({
  any: Type.Boolean(),
  active: Type.Boolean(),
});

export const VariantsByIdsRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 1000 }),
});

export const VariantSummary: TSchema = Type.Object({
  variant_id: Type.String(),
  product_id: Type.String(),
  name: Type.String(),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Type.String(), Type.Null()]),
  category_id: Type.Union([Type.String(), Type.Null()]),
  subcategory_id: Type.Union([Type.String(), Type.Null()]),
  is_active: Type.Boolean(),
  currency: Type.String(),
  price: Type.Union([Type.Number(), Type.Null()]),
  sale_price: Type.Union([Type.Number(), Type.Null()]),
  selling_price: Type.Union([Type.Number(), Type.Null()]),
  stock: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  weight_grams: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  requires_shipping: Type.Boolean(),
});

export const VariantsByIdsResponse: TSchema = Type.Object({
  variants: Type.Array(VariantSummary),
});

export const ProductsByIdsRequest: TSchema = Type.Object({
  product_ids: Type.Array(Type.String(), { maxItems: 1000 }),
});

export const ProductsByIdsResponse: TSchema = Type.Object({
  products: Type.Array(ListedProduct),
});

export const Offered: TSchema = Type.Object({
  product_id: Type.String(),
  variant_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const OffersByIdsRequest: TSchema = Type.Object({
  offered: Type.Array(Offered),
  collection_ids: Type.Array(Type.String()),
});

export const Offer: TSchema = Type.Object({
  product_id: Type.String(),
  variant_id: Type.Union([Type.String(), Type.Null()]),
  product_slug: Type.String(),
  is_active: Type.Boolean(),
  price: Type.Union([Type.Number(), Type.Null()]),
  in_stock: Type.Boolean(),
});

export const OffersByIdsResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  currency: Type.String(),
  offers: Type.Array(Offer),
  collection_ids: Type.Array(Type.String()),
});

export const WaresByIdsRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 1000 }),
});

export const WareListPrice: TSchema = Type.Object({
  price_list_id: Type.String(),
  min_quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  price: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const VariantWare: TSchema = Type.Object({
  variant_id: Type.String(),
  product_id: Type.String(),
  category_id: Type.Union([Type.String(), Type.Null()]),
  subcategory_id: Type.Union([Type.String(), Type.Null()]),
  collection_ids: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  price: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  sale_price: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  list_prices: Type.Array(WareListPrice),
});

export const WareList: TSchema = Type.Object({
  id: Type.String(),
  currency: Type.String(),
  customer_group: Type.Union([Type.String(), Type.Null()]),
  starts_at: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  ends_at: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
});

export const WaresByIdsResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  wares: Type.Array(VariantWare),
  lists: Type.Array(WareList),
});

export const ActiveProductsRequest: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
});

export const ActiveProductsResponse: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
});

export const TakeRatingsRequest: TSchema = Type.Object({
  product_ids: Type.Array(Type.String(), { maxItems: 1000 }),
});

export const TakeRatingsResponse: TSchema = Type.Object({});

export const FollowStoreRequest: TSchema = Type.Object({});

export const FollowStoreResponse: TSchema = Type.Object({});

export const MissingIdsRequest: TSchema = Type.Object({
  product_ids: Type.Optional(Type.Array(Type.String())),
  category_ids: Type.Optional(Type.Array(Type.String())),
  collection_ids: Type.Optional(Type.Array(Type.String())),
});

export const MissingIdsResponse: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
  category_ids: Type.Array(Type.String()),
  collection_ids: Type.Array(Type.String()),
});
