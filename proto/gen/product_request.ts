// Generated from stoa/v1/product_request.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ProductTranslationInput, ShippingInfoInput, SpecificationInput } from './product.ts';
import type { MediaItemInput } from './shared.ts';
import type { NewVariant } from './variant_request.ts';

export type CreateProductRequest = {
  name: string;
  description?: string;
  /** A top category. */
  category_id?: string | null;
  /** A child of `category_id`; alone it brings its parent along. */
  subcategory_id?: string | null;
  brand?: string | null;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  /** Replaced as a whole, in the order in which it stands. */
  media?: readonly MediaItemInput[];
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: readonly string[] | null;
  featured?: boolean;
  /** Display order of featured products, lowest first. */
  featured_order?: number;
  tags?: readonly string[] | null;
  google_product_category?: string | null;
  meta_product_category?: string | null;
  /** Replaced as a whole; at most 300 keys of 100 characters, 64 kB of JSON. */
  attributes?: Record<string, unknown> | null;
  shipping_info?: ShippingInfoInput | null;
  /** False hides it from publishable keys, feeds and counts; true where left out at first. */
  is_active?: boolean;
  /** Replaced as a whole; read at `/specifications`. */
  specifications?: readonly SpecificationInput[];
  /** Makes the product a multi-variant one; then no variant field may stand at the root. */
  variants?: readonly NewVariant[] | null;
  /**
   * This field and the following ones belong to a simple product's only variant.
   *
   * A SKU is unique in the store: a second one is 409 `conflict`.
   */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** A value of `price` or more is stored but has no effect. */
  sale_price?: number | null;
  /** Units on hand; 0 when left out at creation. */
  stock?: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold?: number | null;
  condition?: "new" | "refurbished" | "used";
  /** UPC, EAN or ISBN. */
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  variant_name?: string | null;
  /** For example colour and size; texts, numbers and booleans. */
  variant_attributes?: Record<string, unknown> | null;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, ProductTranslationInput | null> | null;
};

export type UpdateProductRequest = {
  id: string;
  name?: string;
  description?: string;
  /** A top category. */
  category_id?: string | null;
  /** A child of `category_id`; alone it brings its parent along. */
  subcategory_id?: string | null;
  brand?: string | null;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  /** Replaced as a whole, in the order in which it stands. */
  media?: readonly MediaItemInput[];
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: readonly string[] | null;
  featured?: boolean;
  /** Display order of featured products, lowest first. */
  featured_order?: number;
  tags?: readonly string[] | null;
  google_product_category?: string | null;
  meta_product_category?: string | null;
  /** Replaced as a whole; at most 300 keys of 100 characters, 64 kB of JSON. */
  attributes?: Record<string, unknown> | null;
  shipping_info?: ShippingInfoInput | null;
  /** False hides it from publishable keys, feeds and counts; true where left out at first. */
  is_active?: boolean;
  /** Replaced as a whole; read at `/specifications`. */
  specifications?: readonly SpecificationInput[];
  /** The whole set, recognised by `variant_id`, else by `sku`; who is left out is deleted. */
  variants?: readonly NewVariant[] | null;
  /**
   * This field and the following ones belong to a simple product's only variant.
   *
   * A SKU is unique in the store: a second one is 409 `conflict`.
   */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** A value of `price` or more is stored but has no effect. */
  sale_price?: number | null;
  /** Units on hand; 0 when left out at creation. */
  stock?: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold?: number | null;
  condition?: "new" | "refurbished" | "used";
  /** UPC, EAN or ISBN. */
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  variant_name?: string | null;
  /** For example colour and size; texts, numbers and booleans. */
  variant_attributes?: Record<string, unknown> | null;
  /** The `updated_at` that the change is based on. If the product has changed since then, the answer is 409 `conflict`. */
  version?: string;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, ProductTranslationInput | null> | null;
};

export type DeleteProductRequest = {
  id: string;
};
