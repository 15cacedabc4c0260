// Generated from stoa/v1/catalog_source.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Product } from './product.ts';
import type { FoundProduct, HitInput } from './search.ts';

/** @internal */
export type ChangedProductsRequest = {
  /** Process that the edition belongs to. Editions of another process mean nothing. */
  instance?: string;
  since?: number;
  limit?: number;
  /** The round to continue; 0 starts one, which covers every change up to now. */
  round?: number;
  /** One of the store's other languages; the default one if left out. */
  language?: string;
};

/** @internal */
export type ChangedProductsResponse = {
  instance: string;
  /** The catalogue's revision when it was looked at. */
  revision: number;
  /** Edition to continue from. */
  edition: number;
  has_more: boolean;
  /** Products in the catalogue now. */
  size: number;
  products: readonly Product[];
  /** Round of the next page; 0 at the end of the round. */
  round: number;
};

/** @internal */
export type ListProductDigestsRequest = {
  instance?: string;
  since?: number;
  /** 0 asks for the instance and the revision alone. */
  limit?: number;
  round?: number;
  /** Language of the texts, one of the store's; its default one when left out. */
  language?: string;
};

/** @internal */
export type ProductDigest = {
  product_id: string;
  /** 53 bits of a hash of everything that a secret key sees of the product. */
  digest: number;
};

/** @internal */
export type ListProductDigestsResponse = {
  instance: string;
  /** The catalogue's revision when it was looked at. */
  revision: number;
  /** Edition to continue from. */
  edition: number;
  has_more: boolean;
  digests: readonly ProductDigest[];
  round: number;
  /** Another number whenever products are gone since. */
  removal: number;
};

/** @internal */
export type NamedProductsRequest = {
  product_ids?: readonly string[];
  /** Language of the texts, one of the store's; its default one when left out. */
  language?: string;
};

/** @internal */
export type NamedProductsResponse = {
  products: readonly Product[];
};

/** @internal */
export type ListProductIdsRequest = Record<never, never>;

/** @internal */
export type ListProductIdsResponse = {
  product_ids: readonly string[];
};

/** @internal */
export type ListRevisionsRequest = {
  stores?: readonly string[];
};

/** @internal */
export type CatalogueRevision = {
  store_id: string;
  revision: number;
};

/** @internal */
export type ListRevisionsResponse = {
  revisions: readonly CatalogueRevision[];
};

/** @internal */
export type FoundProductsRequest = {
  hits?: readonly HitInput[];
  /** The caller's own numbers of these hits, if it has any. The same caller's next request finds them faster by number. */
  doc_ids?: readonly number[];
  /** Currency of the prices; the store's own where left out. */
  currency?: string | null;
  /** One of the store's other languages; the default one if left out. */
  language?: string;
  /** Whether products have their `lowest_price_30d`. */
  with_lowest_prices?: boolean;
};

/** @internal */
export type FoundProductsResponse = {
  products: readonly FoundProduct[];
};

/**
 * The catalogue, as search reads it.
 * @internal
 */
export interface CatalogSourceRpcs {
  ChangedProducts: { request: ChangedProductsRequest; response: ChangedProductsResponse };
  ListProductDigests: { request: ListProductDigestsRequest; response: ListProductDigestsResponse };
  NamedProducts: { request: NamedProductsRequest; response: NamedProductsResponse };
  ListProductIds: { request: ListProductIdsRequest; response: ListProductIdsResponse };
  ListRevisions: { request: ListRevisionsRequest; response: ListRevisionsResponse };
  FoundProducts: { request: FoundProductsRequest; response: FoundProductsResponse };
}
