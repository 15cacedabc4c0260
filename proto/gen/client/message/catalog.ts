// Generated from stoa/v1/catalog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ListedProduct, Specification } from './product.ts';
import type { Pagination } from './shared.ts';

export type ListProductsRequest = {
  category_id?: string;
  subcategory_id?: string;
  collection_id?: string;
  /** Letter case is ignored. */
  brand?: string;
  /** Letter case is ignored. */
  tag?: string;
  /** That of any variant. */
  condition?: "new" | "refurbished" | "used";
  featured?: boolean;
  /** True: something of it can be bought now. False: nothing can. */
  in_stock?: boolean;
  /** Of any variant's selling_price, inclusive. */
  min_price?: number;
  max_price?: number;
  /** Comma-separated. */
  ids?: readonly string[];
  /** `newest` where left out. `collection` is the collection's own order and needs `collection_id`. */
  sort?: "newest" | "price_asc" | "price_desc" | "name" | "featured" | "rating" | "collection";
  limit?: number;
  cursor?: string;
};

export type ListProductsResponse = {
  products: readonly ListedProduct[];
  pagination: Pagination;
};

export type GetProductRequest = {
  id: string;
};

export type GetProductBySlugRequest = {
  slug: string;
};

export type GetSpecificationsRequest = {
  id: string;
};

export type GetSpecificationsResponse = {
  specifications: readonly Specification[];
};
