// Generated from stoa/v1/feed.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Product } from './product.ts';

export type GetFeedRequest = {
  /** The store's id or code. */
  store: string;
};

export type GetSummaryResponse = Record<never, never>;

export type GetShoppingFeedResponse = Record<never, never>;

export type FeedStore = {
  id: string;
  code: string;
  name: string;
  website_url: string | null;
};

export type GetProductFeedResponse = {
  store: FeedStore;
  currency: string;
  /** When the catalogue last changed. */
  updated_at: string;
  products: readonly Product[];
};
