// Generated from stoa/v1/content.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type GetAnalyticsRequest = {
  /** Both where left out. */
  kind?: "post" | "lookbook";
  /** Of a post or a lookbook. */
  id?: string;
  /** A day, or a moment of it; thirty days up to `to` where left out. */
  from?: string;
  /** The last day, or a moment of it; today where left out. At most 366 days. */
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
  /** At most 500. */
  analytics: readonly ContentViews[];
};

/**
 * A view. What is not known is empty.
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
export type ListPublishedRequest = Record<never, never>;

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
 * Who has looked at posts and lookbooks.
 * @internal
 */
export interface ContentRpcs {
  GetAnalytics: { request: GetAnalyticsRequest; response: GetAnalyticsResponse };
}

/**
 * What other parts of the house tell and ask of content.
 * @internal
 */
export interface ContentDirectoryRpcs {
  CountViews: { request: CountViewsRequest; response: CountViewsResponse };
  ListPublished: { request: ListPublishedRequest; response: ListPublishedResponse };
}
