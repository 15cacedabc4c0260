// Generated from stoa/v1/product.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { MediaItem } from './shared.ts';

/** Weight and measures of the parcel. */
export type ShippingInfo = {
  /** True where left out. */
  requires_shipping: boolean;
  weight_grams: number | null;
  length_cm: number | null;
  width_cm: number | null;
  height_cm: number | null;
};

/** Weight and measures of the parcel. */
export type ShippingInfoInput = {
  /** True where left out. */
  requires_shipping?: boolean;
  weight_grams?: number | null;
  length_cm?: number | null;
  width_cm?: number | null;
  height_cm?: number | null;
};

/** The lowest and the highest selling price among a product's variants. */
export type PriceRange = {
  min: number;
  max: number;
  currency: string;
};

/** Texts of a product in another language. A field without a translation is read in the store's `language`. */
export type ProductTranslation = {
  name?: string | null;
  description?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: readonly string[] | null;
  /**
   * Words of the variants' options and names, and of the specifications: `{ "Colour": "Farbe", "Red": "Rot" }`. A change
   * replaces all words of the language.
   */
  terms?: Record<string, string> | null;
};

/** Texts of a product in another language. A field without a translation is read in the store's `language`. */
export type ProductTranslationInput = {
  name?: string | null;
  description?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: readonly string[] | null;
  /**
   * Words of the variants' options and names, and of the specifications: `{ "Colour": "Farbe", "Red": "Rot" }`. A change
   * replaces all words of the language.
   */
  terms?: Record<string, string> | null;
};

/** A product as lists show it. */
export type ListedProduct = {
  id: string;
  /** The same as `id`. */
  product_id: string;
  name: string;
  description: string;
  category_id: string | null;
  subcategory_id: string | null;
  category_name: string | null;
  subcategory_name: string | null;
  brand: string | null;
  /** Primary image. */
  thumbnail_url: string | null;
  media: readonly MediaItem[];
  /** The name in lower case with hyphens, and a short id; it stays when the name changes. */
  product_slug: string | null;
  seo_title: string | null;
  seo_description: string | null;
  seo_keywords: readonly string[] | null;
  featured: boolean;
  featured_order: number;
  tags: readonly string[] | null;
  google_product_category: string | null;
  meta_product_category: string | null;
  attributes: Record<string, unknown> | null;
  shipping_info: ShippingInfo | null;
  created_at: string | null;
  updated_at: string | null;
  is_active: boolean | null;
  /** Mean of approved reviews with one decimal; null when there are none. */
  average_rating: number | null;
  review_count: number;
  /** From here to `last_restocked`: the default variant's. */
  variant_id: string | null;
  sku: string | null;
  price: number | null;
  sale_price: number | null;
  /** The lowest of `price`, `sale_price` and an active price list's price for everybody. */
  selling_price: number | null;
  /** Units that can be bought now. */
  stock: number | null;
  variant_attributes: Record<string, unknown> | null;
  variant_name: string | null;
  is_default: boolean | null;
  condition: "new" | "refurbished" | "used";
  gtin: string | null;
  mpn: string | null;
  weight_grams: number | null;
  dimensions_cm: string | null;
  /** Present only when `fields` names it. */
  last_restocked?: string | null;
  /** Multi-variant products only, to `variant_count`. */
  total_stock?: number | null;
  /** Over selling_price. */
  price_range?: PriceRange | null;
  variant_count?: number | null;
  has_variants: boolean;
  display_currency: string;
  currency_symbol: string;
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, ProductTranslation>;
  /** Present over all merchants of an operator. */
  merchant_store_id?: string;
  merchant_name?: string;
  /**
   * Present only when `fields` names it. The lowest selling price of the 30 days before the current reduction began; null
   * without a reduction, or without an earlier price.
   */
  lowest_price_30d?: number | null;
};

/** A variant inside a multi-variant product. */
export type Variant = {
  variant_id: string;
  sku: string | null;
  variant_name: string | null;
  /** For example colour and size. */
  variant_attributes: Record<string, unknown> | null;
  is_default: boolean;
  price: number | null;
  sale_price: number | null;
  /** The lowest of `price`, `sale_price` and an active price list's price for everybody. */
  selling_price: number | null;
  /** Units that can be bought now. */
  stock: number;
  low_stock_threshold: number | null;
  condition: "new" | "refurbished" | "used";
  gtin: string | null;
  mpn: string | null;
  weight_grams: number | null;
  dimensions_cm: string | null;
  last_restocked: string | null;
  thumbnail_url: string | null;
  media: readonly MediaItem[];
  /**
   * Present only when `fields` names it. The lowest selling price of the 30 days before the current reduction began; null
   * without a reduction, or without an earlier price.
   */
  lowest_price_30d?: number | null;
};

/** A product as its own page shows it. */
export type Product = {
  id: string;
  /** The same as `id`. */
  product_id: string;
  name: string;
  description: string;
  category_id: string | null;
  subcategory_id: string | null;
  category_name: string | null;
  subcategory_name: string | null;
  brand: string | null;
  /** Primary image. */
  thumbnail_url: string | null;
  media: readonly MediaItem[];
  /** The name in lower case with hyphens, and a short id; it stays when the name changes. */
  product_slug: string | null;
  seo_title: string | null;
  seo_description: string | null;
  seo_keywords: readonly string[] | null;
  featured: boolean;
  featured_order: number;
  tags: readonly string[] | null;
  google_product_category: string | null;
  meta_product_category: string | null;
  attributes: Record<string, unknown> | null;
  shipping_info: ShippingInfo | null;
  created_at: string | null;
  updated_at: string | null;
  is_active: boolean | null;
  /** Mean of approved reviews with one decimal; null when there are none. */
  average_rating: number | null;
  review_count: number;
  /** From here to `last_restocked`: simple products only. */
  variant_id?: string | null;
  sku?: string | null;
  price?: number | null;
  sale_price?: number | null;
  /** The lowest of `price`, `sale_price` and an active price list's price for everybody. */
  selling_price?: number | null;
  /** Units that can be bought now. */
  stock?: number | null;
  variant_attributes?: Record<string, unknown> | null;
  variant_name?: string | null;
  is_default?: boolean | null;
  condition?: "new" | "refurbished" | "used";
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  last_restocked?: string | null;
  /** Multi-variant products only, to `variant_count`. */
  total_stock?: number | null;
  /** Over selling_price. */
  price_range?: PriceRange | null;
  variant_count?: number | null;
  has_variants: boolean;
  display_currency: string;
  currency_symbol: string;
  /** Multi-variant products only. */
  variants?: readonly Variant[];
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, ProductTranslation>;
  /**
   * Simple products only, present only when `fields` names it. The lowest selling price of the 30 days before the current reduction began; null
   * without a reduction, or without an earlier price.
   */
  lowest_price_30d?: number | null;
};

/** One line of a product's technical data. */
export type Specification = {
  group: string | null;
  name: string;
  /** A text, a number or a boolean. */
  value: string | number | boolean;
  unit: string | null;
};

/** One line of a product's technical data. */
export type SpecificationInput = {
  group?: string | null;
  name: string;
  /** A text, a number or a boolean. */
  value: string | number | boolean;
  unit?: string | null;
};
