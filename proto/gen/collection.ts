// Generated from stoa/v1/collection.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A collection of products. */
export type ProductCollection = {
  id: string;
  name: string;
  slug: string;
  description: string;
  collection_type: "featured_collections" | "new_arrivals" | "best_selling" | "custom";
  is_active: boolean;
  show_on_homepage: boolean;
  /** Lowest first. */
  display_priority: number;
  image: string | null;
  image_mobile: string | null;
  /** A short video (MP4, H.264, AAC audio). */
  video: string | null;
  created_at: string;
  updated_at: string;
};

export type ListCollectionsRequest = {
  show_on_homepage?: boolean;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a collection's fields to return. */
  fields?: string;
};

export type ListCollectionsResponse = {
  collections: readonly ProductCollection[];
  pagination: Pagination;
};

export type GetCollectionRequest = {
  /** The collection's id or slug. */
  id: string;
  /** Comma-separated names of the collection's fields to return. */
  fields?: string;
};

export type CollectionResponse = {
  collection: ProductCollection;
};

export type CreateCollectionRequest = {
  name: string;
  /** Made from the name where left out; one that is taken is a conflict. */
  slug?: string;
  description?: string;
  /** `custom` where left out. */
  collection_type?: "featured_collections" | "new_arrivals" | "best_selling" | "custom";
  /** True where left out. */
  is_active?: boolean;
  show_on_homepage?: boolean;
  /** Lowest first; 0 where left out. */
  display_priority?: number;
  image?: string | null;
  image_mobile?: string | null;
  video?: string | null;
};

export type UpdateCollectionRequest = {
  id: string;
  name?: string;
  slug?: string;
  description?: string;
  collection_type?: "featured_collections" | "new_arrivals" | "best_selling" | "custom";
  is_active?: boolean;
  show_on_homepage?: boolean;
  display_priority?: number;
  image?: string | null;
  image_mobile?: string | null;
  video?: string | null;
};

export type DeleteCollectionRequest = {
  id: string;
};

export type SetCollectionProductsRequest = {
  id: string;
  product_ids: readonly string[];
};

/**
 * Product collections: hand-picked products in an order.
 * @internal
 */
export interface CollectionRpcs {
  ListCollections: { request: ListCollectionsRequest; response: ListCollectionsResponse };
  GetCollection: { request: GetCollectionRequest; response: CollectionResponse };
  CreateCollection: { request: CreateCollectionRequest; response: CollectionResponse };
  UpdateCollection: { request: UpdateCollectionRequest; response: CollectionResponse };
  DeleteCollection: { request: DeleteCollectionRequest; response: Deleted };
  SetCollectionProducts: { request: SetCollectionProductsRequest; response: CollectionResponse };
}
