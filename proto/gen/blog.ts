// Generated from stoa/v1/blog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** Texts of a post in another language. A field without a translation is read in the store's `language`. */
export type PostTranslation = {
  title?: string | null;
  excerpt?: string | null;
  body?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
};

/** Texts of a post in another language. A field without a translation is read in the store's `language`. */
export type PostTranslationInput = {
  title?: string | null;
  excerpt?: string | null;
  body?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
};

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
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, PostTranslation>;
};

export type ListPostsRequest = {
  limit?: number;
  cursor?: string;
  /** Letter case does not count. */
  tag?: string;
  /** Secret keys alone. */
  status?: "draft" | "scheduled" | "published";
  /** Comma-separated names of a post's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListPostsResponse = {
  posts: readonly BlogPost[];
  pagination: Pagination;
};

export type GetPostRequest = {
  /** The post's slug. */
  slug: string;
  /** Comma-separated names of the post's fields to return. */
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
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, PostTranslationInput | null> | null;
};

export type UpdatePostRequest = {
  /** The post's id. */
  id: string;
  title?: string | null;
  /** A changed title does not change the slug. */
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
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, PostTranslationInput | null> | null;
  /** The `updated_at` that the change is based on. If the post has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type DeletePostRequest = {
  /** The post's id. */
  id: string;
};

/**
 * Posts of the store's blog, in Markdown that is stored as it was written. A publishable key sees published ones; drafts
 * and scheduled ones do not exist for it.
 * @internal
 */
export interface BlogRpcs {
  ListPosts: { request: ListPostsRequest; response: ListPostsResponse };
  GetPost: { request: GetPostRequest; response: PostResponse };
  CreatePost: { request: CreatePostRequest; response: PostResponse };
  UpdatePost: { request: UpdatePostRequest; response: PostResponse };
  DeletePost: { request: DeletePostRequest; response: Deleted };
}
