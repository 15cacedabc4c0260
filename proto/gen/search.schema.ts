// Generated from stoa/v1/search.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { PriceRange, ShippingInfo } from './product.schema.ts';
import { MediaItem, Pagination } from './shared.schema.ts';

export const SearchRange: TSchema = Type.Object({
  gte: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  lte: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});

export const SearchFilters: TSchema = Type.Object({
  category_id: Type.Optional(Type.Union([Type.Array(Text({ format: "uuid" }), { maxItems: 100 }), Type.Null()])),
  brand: Type.Optional(Type.Union([Type.Array(Text({ maxLength: 500 }), { maxItems: 100 }), Type.Null()])),
  tag: Type.Optional(Type.Union([Type.Array(Text({ maxLength: 500 }), { maxItems: 100 }), Type.Null()])),
  condition: Type.Optional(Type.Union([Type.Array(Type.Union([Type.Literal("new"), Type.Literal("refurbished"), Type.Literal("used")]), { maxItems: 3 }), Type.Null()])),
  price: Type.Optional(Type.Union([SearchRange, Type.Null()])),
  rating: Type.Optional(Type.Union([SearchRange, Type.Null()])),
  in_stock: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  attributes: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  merchant_store_id: Type.Optional(Type.Union([Type.Array(Text({ format: "uuid" }), { maxItems: 100 }), Type.Null()])),
  currency: Type.Optional(Type.Union([Type.Array(Text({ pattern: "^[A-Za-z]{3}$" }), { maxItems: 100 }), Type.Null()])),
});

export const SearchProductsRequest: TSchema = Type.Object({
  query: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  mode: Type.Optional(Type.Union([Type.Literal("text"), Type.Literal("semantic"), Type.Literal("hybrid")])),
  filters: Type.Optional(Type.Union([SearchFilters, Type.Null()])),
  facets: Type.Optional(Type.Union([Type.Array(Text({ maxLength: 200 }), { maxItems: 20 }), Type.Null()])),
  sort: Type.Optional(Type.Union([Type.Literal("relevance"), Type.Literal("price_asc"), Type.Literal("price_desc"), Type.Literal("newest"), Type.Literal("rating")])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  fields: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const FoundProduct: TSchema = Type.Object({
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
  score: Type.Number(),
  merchant_store_id: Type.Optional(Text({ format: "uuid" })),
  merchant_name: Type.Optional(Type.String()),
  lowest_price_30d: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});

export const SearchFacetValue: TSchema = Type.Object({
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  label: Type.String(),
  count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const SearchFacet: TSchema = Type.Object({
  key: Type.String(),
  values: Type.Optional(Type.Array(SearchFacetValue)),
  min: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  max: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});

export const SearchCorrection: TSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
});

export const SearchProductsResponse: TSchema = Type.Object({
  products: Type.Array(FoundProduct),
  facets: Type.Array(SearchFacet),
  corrections: Type.Array(SearchCorrection),
  total: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  mode: Type.String(),
  pagination: Pagination,
});

export const SimilarProductsRequest: TSchema = Type.Object({
  product_id: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
});

export const Hit: TSchema = Type.Object({
  product_id: Type.String(),
  score: Type.Number(),
});

export const HitInput: TSchema = Type.Object({
  product_id: Type.Optional(Type.String()),
  score: Type.Optional(Type.Number()),
});

export const SimilarProductsResponse: TSchema = Type.Object({
  hits: Type.Array(Hit),
});

export const MerchantHit: TSchema = Type.Object({
  store_id: Type.String(),
  product_id: Type.String(),
  score: Type.Number(),
});

export const SimilarMerchantProductsResponse: TSchema = Type.Object({
  hits: Type.Array(MerchantHit),
});
