// Generated from stoa/v1/catalog_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ListedProduct } from './product.ts';

/** @internal */
export type HasProductsRequest = Record<never, never>;

/** @internal */
export type HasProductsResponse = {
  any: boolean;
  /** Whether publishable keys can see any. */
  active: boolean;
};

/** @internal */
export type VariantsByIdsRequest = {
  variant_ids: readonly string[];
  /** Language of the names; the store's default one when left out. */
  language?: string;
};

/**
 * A variant and what its product says of it.
 * @internal
 */
export type VariantSummary = {
  variant_id: string;
  product_id: string;
  name: string;
  variant_name: string | null;
  sku: string | null;
  thumbnail_url: string | null;
  category_id: string | null;
  subcategory_id: string | null;
  is_active: boolean;
  currency: string;
  price: number | null;
  sale_price: number | null;
  selling_price: number | null;
  stock: number;
  weight_grams: number | null;
  requires_shipping: boolean;
};

/** @internal */
export type VariantsByIdsResponse = {
  variants: readonly VariantSummary[];
};

/** @internal */
export type ProductsByIdsRequest = {
  product_ids: readonly string[];
};

/** @internal */
export type ProductsByIdsResponse = {
  products: readonly ListedProduct[];
};

/**
 * A product, or one of its variants.
 * @internal
 */
export type Offered = {
  product_id: string;
  variant_id?: string | null;
};

/** @internal */
export type OffersByIdsRequest = {
  offered: readonly Offered[];
  collection_ids: readonly string[];
};

/** @internal */
export type Offer = {
  product_id: string;
  variant_id: string | null;
  product_slug: string;
  is_active: boolean;
  /** The product's price as lists show it. */
  price: number | null;
  /** Whether any variant of the product is in stock. */
  in_stock: boolean;
};

/** @internal */
export type OffersByIdsResponse = {
  /** The catalogue's, as of which all this is. */
  revision: number;
  /** The store's. */
  currency: string;
  offers: readonly Offer[];
  /** Collections that exist. */
  collection_ids: readonly string[];
};

/** @internal */
export type PricingVariantsByIdsRequest = {
  variant_ids: readonly string[];
};

/**
 * Amounts in the smallest unit of the list's currency.
 * @internal
 */
export type PricingListPrice = {
  price_list_id: string;
  min_quantity: number;
  price: number;
};

/**
 * The fields of a variant that pricing needs. Amounts are in the smallest unit of the store's currency.
 * @internal
 */
export type PricingVariant = {
  variant_id: string;
  product_id: string;
  category_id: string | null;
  subcategory_id: string | null;
  collection_ids: readonly string[];
  is_active: boolean;
  price: number | null;
  sale_price: number | null;
  list_prices: readonly PricingListPrice[];
};

/** @internal */
export type PricingList = {
  id: string;
  currency: string;
  customer_group: string | null;
  /** Ms since the epoch. */
  starts_at: number | null;
  ends_at: number | null;
};

/** @internal */
export type PricingVariantsByIdsResponse = {
  /** The catalogue's revision that this response shows. */
  revision: number;
  variants: readonly PricingVariant[];
  /** Price lists that price any of these variants. */
  lists: readonly PricingList[];
};

/** @internal */
export type ActiveProductsRequest = {
  product_ids: readonly string[];
};

/** @internal */
export type ActiveProductsResponse = {
  product_ids: readonly string[];
  /** Catalogue revision of the answer. */
  revision: number;
};

/** @internal */
export type RefreshRatingsRequest = {
  product_ids: readonly string[];
};

/** @internal */
export type RefreshRatingsResponse = Record<never, never>;

/** @internal */
export type RefreshStoreRequest = Record<never, never>;

/** @internal */
export type RefreshStoreResponse = Record<never, never>;

/** @internal */
export type MissingIdsRequest = {
  product_ids?: readonly string[];
  category_ids?: readonly string[];
  collection_ids?: readonly string[];
};

/** @internal */
export type MissingIdsResponse = {
  product_ids: readonly string[];
  category_ids: readonly string[];
  collection_ids: readonly string[];
};

/**
 * Products, variants and categories, as other domains read them.
 * @internal
 */
export interface CatalogDirectoryRpcs {
  HasProducts: { request: HasProductsRequest; response: HasProductsResponse };
  VariantsByIds: { request: VariantsByIdsRequest; response: VariantsByIdsResponse };
  ProductsByIds: { request: ProductsByIdsRequest; response: ProductsByIdsResponse };
  PricingVariantsByIds: { request: PricingVariantsByIdsRequest; response: PricingVariantsByIdsResponse };
  MissingIds: { request: MissingIdsRequest; response: MissingIdsResponse };
  ActiveProducts: { request: ActiveProductsRequest; response: ActiveProductsResponse };
  RefreshRatings: { request: RefreshRatingsRequest; response: RefreshRatingsResponse };
  OffersByIds: { request: OffersByIdsRequest; response: OffersByIdsResponse };
  RefreshStore: { request: RefreshStoreRequest; response: RefreshStoreResponse };
}
