// Generated from stoa/v1/lookbook.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** Label of a hotspot in another language. */
export type HotspotTranslation = {
  label?: string | null;
};

/** Label of a hotspot in another language. */
export type HotspotTranslationInput = {
  label?: string | null;
};

/** A place in a picture that leads to a product. */
export type Hotspot = {
  id: string;
  /** From the left edge, 0, to the right one, 1. */
  x: number;
  /** From the upper edge, 0, to the lower one, 1. */
  y: number;
  product_id: string;
  /** Null: the product as lists show it. */
  variant_id: string | null;
  label: string | null;
  /** Current selling price; null when it has no price or the product is gone. */
  price: number | null;
  currency: string;
  /** Whether it can be bought now; any of its variants where none is named. */
  in_stock: boolean;
  /** Null where the product is gone. */
  product_slug: string | null;
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, HotspotTranslation>;
};

/** A picture of a lookbook. */
export type LookbookImage = {
  url: string;
  hotspots: readonly Hotspot[];
};

/** Texts of a lookbook in another language. A field without a translation is read in the store's `language`. */
export type LookbookTranslation = {
  title?: string | null;
  description?: string | null;
};

/** Texts of a lookbook in another language. A field without a translation is read in the store's `language`. */
export type LookbookTranslationInput = {
  title?: string | null;
  description?: string | null;
};

/** A lookbook as lists, writes and events show it. */
export type StoreLookbook = {
  id: string;
  title: string;
  slug: string;
  description: string;
  /** Poster and fallback for the video: the first picture where none was chosen. */
  featured_image: string | null;
  /** MP4, H.264 with AAC audio. */
  video: string | null;
  /** The product collection behind it; null when it stands alone. */
  collection_id: string | null;
  status: "published" | "draft";
  /** Null for a draft that was never published. */
  published_at: string | null;
  created_at: string;
  /** When it was last edited. */
  updated_at: string;
  /** In their order. */
  images: readonly LookbookImage[];
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, LookbookTranslation>;
};

/** A published lookbook. */
export type LookbookDetail = {
  id: string;
  title: string;
  slug: string;
  description: string;
  /** Poster and fallback for the video: the first picture where none was chosen. */
  featured_image: string | null;
  /** MP4, H.264 with AAC audio. */
  video: string | null;
  /** The product collection behind it; null when it stands alone. */
  collection_id: string | null;
  published_at: string | null;
  created_at: string;
  /** When it was last edited. */
  updated_at: string;
  /** In their order. */
  images: readonly LookbookImage[];
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, LookbookTranslation>;
};

export type ListLookbooksRequest = {
  limit?: number;
  cursor?: string;
  /** Secret keys alone. */
  status?: "published" | "draft";
  /** Comma-separated names of a lookbook's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListLookbooksResponse = {
  lookbooks: readonly StoreLookbook[];
  pagination: Pagination;
};

export type GetLookbookRequest = {
  /** The lookbook's slug. */
  slug: string;
  /** Comma-separated names of the lookbook's fields to return. */
  fields?: string;
  /**
   * The shopper who views, under a name that the storefront chooses. Network and browser identify the shopper when this
   * is left out.
   */
  visitor_id?: string;
  /** The visit that the view belongs to; the visitor's where left out. */
  session_id?: string;
  /** The same as `visitor_id`; the header wins. */
  visitor_header?: string;
  /** The same as `session_id`; the header wins. */
  session_header?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type NewHotspot = {
  /** One that this lookbook has already; any other is replaced by a new one. */
  id?: string | null;
  x: number;
  y: number;
  product_id: string;
  /** A variant of that product. */
  variant_id?: string | null;
  label?: string | null;
  /** Translations by the tag of a language among the store's `languages`. `images` replace them. */
  translations?: Record<string, HotspotTranslationInput | null> | null;
};

export type NewLookbookImage = {
  url: string;
  hotspots?: readonly NewHotspot[] | null;
};

export type CreateLookbookRequest = {
  title: string;
  /** Made from the title where left out; one that is taken is a conflict. */
  slug?: string | null;
  description?: string | null;
  /** The first picture where left out. */
  featured_image?: string | null;
  /** MP4, H.264 with AAC audio. */
  video?: string | null;
  collection_id?: string | null;
  /** `draft` where left out. */
  status?: "published" | "draft" | null;
  /** A time that is not in the future; now when left out. */
  published_at?: string | null;
  images?: readonly NewLookbookImage[] | null;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, LookbookTranslationInput | null> | null;
};

export type UpdateLookbookRequest = {
  /** The lookbook's id. */
  id: string;
  title?: string | null;
  /** A changed title does not change the slug. */
  slug?: string | null;
  description?: string | null;
  featured_image?: string | null;
  video?: string | null;
  collection_id?: string | null;
  status?: "published" | "draft" | null;
  published_at?: string | null;
  images?: readonly NewLookbookImage[] | null;
  /** The `updated_at` that the change is based on. If the lookbook has changed since then, the answer is 409 `conflict`. */
  version?: string;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, LookbookTranslationInput | null> | null;
};

export type DeleteLookbookRequest = {
  /** The lookbook's id. */
  id: string;
};

/**
 * Lookbooks: pictures with hotspots that lead to products. Prices, stock and slugs in them are the catalogue's of this
 * moment. A publishable key sees published ones, without the hotspots whose product is inactive or gone.
 * @internal
 */
export interface LookbookRpcs {
  ListLookbooks: { request: ListLookbooksRequest; response: ListLookbooksResponse };
  GetLookbook: { request: GetLookbookRequest; response: LookbookDetail };
  CreateLookbook: { request: CreateLookbookRequest; response: StoreLookbook };
  UpdateLookbook: { request: UpdateLookbookRequest; response: StoreLookbook };
  DeleteLookbook: { request: DeleteLookbookRequest; response: Deleted };
}
