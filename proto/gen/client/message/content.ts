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
