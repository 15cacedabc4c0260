// Generated from stoa/v1/collection.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** Texts of a collection in another language. A field without a translation is read in the store's `language`. */
export type CollectionTranslation = {
  name?: string | null;
  description?: string | null;
};

/** Texts of a collection in another language. A field without a translation is read in the store's `language`. */
export type CollectionTranslationInput = {
  name?: string | null;
  description?: string | null;
};

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
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, CollectionTranslation>;
};

export type ListCollectionsRequest = {
  show_on_homepage?: boolean;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a collection's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
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
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
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
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, CollectionTranslationInput | null> | null;
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
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, CollectionTranslationInput | null> | null;
  /** The `updated_at` that the change is based on. If the collection has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type DeleteCollectionRequest = {
  id: string;
};

export type SetCollectionProductsRequest = {
  id: string;
  product_ids: readonly string[];
  /** The `updated_at` that the change is based on. If the collection has changed since then, the answer is 409 `conflict`. */
  version?: string;
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
