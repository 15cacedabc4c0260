// Generated from stoa/v1/catalog_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { ListedProduct } from './product.schema.ts';

export const HasProductsRequest: TSchema = Type.Object({});

export const HasProductsResponse: TSchema = Type.Object({
  any: Type.Boolean(),
  active: Type.Boolean(),
});

export const VariantsByIdsRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 1000 }),
  language: Type.Optional(Type.String()),
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

export const PricingVariantsByIdsRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 1000 }),
});

export const PricingListPrice: TSchema = Type.Object({
  price_list_id: Type.String(),
  min_quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  price: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const PricingVariant: TSchema = Type.Object({
  variant_id: Type.String(),
  product_id: Type.String(),
  category_id: Type.Union([Type.String(), Type.Null()]),
  subcategory_id: Type.Union([Type.String(), Type.Null()]),
  collection_ids: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  price: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  sale_price: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  list_prices: Type.Array(PricingListPrice),
});

export const PricingList: TSchema = Type.Object({
  id: Type.String(),
  currency: Type.String(),
  customer_group: Type.Union([Type.String(), Type.Null()]),
  starts_at: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  ends_at: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
});

export const PricingVariantsByIdsResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  variants: Type.Array(PricingVariant),
  lists: Type.Array(PricingList),
});

export const ActiveProductsRequest: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
});

export const ActiveProductsResponse: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const RefreshRatingsRequest: TSchema = Type.Object({
  product_ids: Type.Array(Type.String(), { maxItems: 1000 }),
});

export const RefreshRatingsResponse: TSchema = Type.Object({});

export const RefreshStoreRequest: TSchema = Type.Object({});

export const RefreshStoreResponse: TSchema = Type.Object({});

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
