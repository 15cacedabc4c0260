// Generated from stoa/v1/search.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ListProductsRequest, ListProductsResponse } from './catalog.ts';
import type { PriceRange, ShippingInfo } from './product.ts';
import type { MediaItem, Pagination } from './shared.ts';

/** Both bounds belong to it. */
export type SearchRange = {
  gte?: number | null;
  lte?: number | null;
};

/** A product passes when it passes all of them; of several values one is enough. Letter case does not matter. */
export type SearchFilters = {
  /** A category or a subcategory. */
  category_id?: readonly string[] | null;
  brand?: readonly string[] | null;
  tag?: readonly string[] | null;
  condition?: readonly ("new" | "refurbished" | "used")[] | null;
  /** Range of any variant's selling price. */
  price?: SearchRange | null;
  /** Range of the mean rating. */
  rating?: SearchRange | null;
  /** False: only products that are out of stock. */
  in_stock?: boolean | null;
  /** Lists of values by the attribute's name: texts, numbers and booleans, compared by value. */
  attributes?: Record<string, unknown> | null;
  /** Over all merchants only: the merchants. */
  merchant_store_id?: readonly string[] | null;
  /** Over all merchants only: the merchants' own currencies. */
  currency?: readonly string[] | null;
};

export type SearchProductsRequest = {
  /** Empty: everything that passes the filters. */
  query?: string | null;
  /** `hybrid` unless said: by words, corrected by meaning; by meaning alone where no product has the words. */
  mode?: "text" | "semantic" | "hybrid";
  filters?: SearchFilters | null;
  /**
   * `brand`, `category`, `price`, `condition`, `tag`, `rating`, or `attributes.<name>`; over all merchants `merchant` and
   * `currency`, too.
   */
  facets?: readonly string[] | null;
  /** `relevance` unless said; without a query that is `newest`. */
  sort?: "relevance" | "price_asc" | "price_desc" | "newest" | "rating";
  /** Page size. */
  limit?: number;
  /** Cursor at the end of the previous page. */
  cursor?: string | null;
  /** Comma-separated names of the product fields to return. */
  fields?: string | null;
  /**
   * Shows prices in this currency, one of the store's `currencies`; the store's own where left out. `filters.price` and
   * the facet `price` are in it, too; a currency with fixed prices takes neither of them, nor a sort by price. Over all
   * merchants prices are in their own currencies: filter by `filters.currency` instead.
   */
  currency?: string | null;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

/** A product as lists show it, and how well it answers the query. */
export type FoundProduct = {
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
  /** 0 to 1; 0 without a query. */
  score: number;
  /** Present over all merchants of an operator. */
  merchant_store_id?: string;
  merchant_name?: string;
  /**
   * Present only when `fields` names it. The lowest selling price of the 30 days before the current reduction began; null
   * without a reduction, or without an earlier price.
   */
  lowest_price_30d?: number | null;
};

export type SearchFacetValue = {
  /** The value to filter by; a category's is its id. */
  value: string | number | boolean;
  /** For people. */
  label: string;
  count: number;
};

export type SearchFacet = {
  key: string;
  /** Most frequent first, at most 100. */
  values?: readonly SearchFacetValue[];
  /** Lowest value of the facet `price`; null when no product matches. */
  min?: number | null;
  max?: number | null;
};

export type SearchCorrection = {
  from: string;
  to: string;
};

export type SearchProductsResponse = {
  products: readonly FoundProduct[];
  /** In the order asked for. */
  facets: readonly SearchFacet[];
  /** Words of the query that were taken for others. */
  corrections: readonly SearchCorrection[];
  /** All that the cursor can reach; by meaning alone at most 1,000. */
  total: number;
  /** How the query was answered. */
  mode: string;
  pagination: Pagination;
};

/** @internal */
export type SimilarProductsRequest = {
  product_id?: string;
  limit?: number;
};

/** @internal */
export type Hit = {
  product_id: string;
  score: number;
};

/** @internal */
export type HitInput = {
  product_id?: string;
  score?: number;
};

/** @internal */
export type SimilarProductsResponse = {
  hits: readonly Hit[];
};

/** @internal */
export type MerchantHit = {
  store_id: string;
  product_id: string;
  score: number;
};

/** @internal */
export type SimilarMerchantProductsResponse = {
  hits: readonly MerchantHit[];
};

/**
 * Finding products.
 * @internal
 */
export interface SearchRpcs {
  SearchProducts: { request: SearchProductsRequest; response: SearchProductsResponse };
}

/**
 * Search, as other domains use it.
 * @internal
 */
export interface SearchDirectoryRpcs {
  SimilarProducts: { request: SimilarProductsRequest; response: SimilarProductsResponse };
  SimilarMerchantProducts: { request: SimilarProductsRequest; response: SimilarMerchantProductsResponse };
  ListMerchantProducts: { request: ListProductsRequest; response: ListProductsResponse };
}
