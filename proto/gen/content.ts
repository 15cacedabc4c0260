// Generated from stoa/v1/content.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type GetAnalyticsRequest = {
  /** Both where left out. */
  kind?: "post" | "lookbook";
  /** Id of a post or a lookbook. */
  id?: string;
  /** A day, or a moment of it; thirty days up to `to` where left out. */
  from?: string;
  /** The last day, or a moment of it; today when left out. The period is 366 days at most. */
  to?: string;
  fields?: string;
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
  /** Up to 500 items. */
  analytics: readonly ContentViews[];
};

/**
 * A view. Unknown fields are empty.
 * @internal
 */
export type SeenContent = {
  kind: "post" | "lookbook";
  slug: string;
  visitor: string;
  session: string;
  network: string;
  /** The browser's name for itself. */
  agent: string;
};

/** @internal */
export type CountViewsRequest = {
  views: readonly SeenContent[];
};

/** @internal */
export type CountViewsResponse = Record<never, never>;

/** @internal */
export type ListPublishedRequest = {
  /** One of the store's other languages; the default one if left out. */
  language?: string;
};

/** @internal */
export type PublishedStory = {
  title: string;
  slug: string;
  /** Empty where nothing is said. */
  about: string;
};

/** @internal */
export type ListPublishedResponse = {
  /** The tenant's revision of content, as of which all this is. */
  revision: number;
  posts: readonly PublishedStory[];
  lookbooks: readonly PublishedStory[];
};

/**
 * Views of posts and lookbooks.
 * @internal
 */
export interface ContentRpcs {
  GetAnalytics: { request: GetAnalyticsRequest; response: GetAnalyticsResponse };
}

/**
 * Content, as other domains read it and report to it.
 * @internal
 */
export interface ContentDirectoryRpcs {
  CountViews: { request: CountViewsRequest; response: CountViewsResponse };
  ListPublished: { request: ListPublishedRequest; response: ListPublishedResponse };
}
