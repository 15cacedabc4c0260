// Generated from stoa/v1/content.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

/** A blog post. */
export type BlogPost = {
  id: string;
  title: string;
  slug: string;
  excerpt: string | null;
  /** Markdown, as it was written. */
  body: string;
  cover_image: string | null;
  author: string | null;
  tags: readonly string[];
  status: "draft" | "scheduled" | "published";
  /** When it was published, or will be; null for a draft that says nothing of it. */
  published_at: string | null;
  seo_title: string | null;
  seo_description: string | null;
  created_at: string;
  /** When it was last edited. */
  updated_at: string;
};

export type ListPostsRequest = {
  limit?: number;
  cursor?: string;
  /** Letter case does not count. */
  tag?: string;
  /** Secret keys alone. */
  status?: "draft" | "scheduled" | "published";
};

export type ListPostsResponse = {
  posts: readonly BlogPost[];
  pagination: Pagination;
};

export type GetPostRequest = {
  /** The post's slug. */
  slug: string;
  /** Whose view it is: a storefront's own name for a shopper. Where left out it is told by network and browser. */
  visitor_id?: string;
  /** The visit that the view belongs to; the visitor's where left out. */
  session_id?: string;
};

export type PostResponse = {
  post: BlogPost;
};

export type CreatePostRequest = {
  title: string;
  /** Made from the title where left out; one that is taken is a conflict. */
  slug?: string | null;
  excerpt?: string | null;
  /** Markdown; empty where left out. */
  body?: string | null;
  cover_image?: string | null;
  author?: string | null;
  tags?: readonly string[] | null;
  /** `draft` where left out. */
  status?: "draft" | "scheduled" | "published" | null;
  /** In the future for `scheduled`, which needs it; not in the future for `published`, now where left out. */
  published_at?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
};

export type UpdatePostRequest = {
  /** The post's id. */
  id: string;
  title?: string | null;
  /** It stays as it is when the title changes. */
  slug?: string | null;
  excerpt?: string | null;
  body?: string | null;
  cover_image?: string | null;
  author?: string | null;
  tags?: readonly string[] | null;
  status?: "draft" | "scheduled" | "published" | null;
  published_at?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
};

export type DeletePostRequest = {
  /** The post's id. */
  id: string;
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
  /** What it is sold at now; null where it has no price, or is gone. */
  price: number | null;
  currency: string;
  /** Whether it can be bought now; any of its variants where none is named. */
  in_stock: boolean;
  /** Null where the product is gone. */
  product_slug: string | null;
};

/** A picture of a lookbook. */
export type LookbookImage = {
  url: string;
  hotspots: readonly Hotspot[];
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
};

export type ListLookbooksRequest = {
  limit?: number;
  cursor?: string;
  /** Secret keys alone. */
  status?: "published" | "draft";
};

export type ListLookbooksResponse = {
  lookbooks: readonly StoreLookbook[];
  pagination: Pagination;
};

export type GetLookbookRequest = {
  /** The lookbook's slug. */
  slug: string;
  /** Whose view it is: a storefront's own name for a shopper. Where left out it is told by network and browser. */
  visitor_id?: string;
  /** The visit that the view belongs to; the visitor's where left out. */
  session_id?: string;
};

export type NewHotspot = {
  /** One that this lookbook has already; any other is replaced by a new one. */
  id?: string | null;
  x: number;
  y: number;
  product_id: string;
  /** Of that product. */
  variant_id?: string | null;
  label?: string | null;
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
  /** Not in the future; now where left out. */
  published_at?: string | null;
  images?: readonly NewLookbookImage[] | null;
};

export type UpdateLookbookRequest = {
  /** The lookbook's id. */
  id: string;
  title?: string | null;
  /** It stays as it is when the title changes. */
  slug?: string | null;
  description?: string | null;
  featured_image?: string | null;
  video?: string | null;
  collection_id?: string | null;
  status?: "published" | "draft" | null;
  published_at?: string | null;
  images?: readonly NewLookbookImage[] | null;
};

export type DeleteLookbookRequest = {
  /** The lookbook's id. */
  id: string;
};

export type GetAnalyticsRequest = {
  /** Both where left out. */
  kind?: "post" | "lookbook";
  /** Of a post or a lookbook. */
  id?: string;
  /** A day, or a moment of it; thirty days up to `to` where left out. */
  from?: string;
  /** The last day, or a moment of it; today where left out. At most 366 days. */
  to?: string;
};

export type DailyViews = {
  date: string;
  views: number;
  visitors: number;
};

/** How often something was looked at. */
export type ContentViews = {
  id: string;
  kind: "post" | "lookbook";
  slug: string;
  title: string;
  views: number;
  visitors: number;
  sessions: number;
  /** Oldest first. */
  daily: readonly DailyViews[];
};

export type GetAnalyticsResponse = {
  /** At most 500. */
  analytics: readonly ContentViews[];
};
