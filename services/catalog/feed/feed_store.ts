// The store's data in feeds, and links into its storefront.
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';

export type FeedStore = Pick<
  GetProfileResponse,
  'id' | 'code' | 'name' | 'description' | 'website_url' | 'currency' | 'country' | 'agents'
> & {
  /** Base URL of the store's API for assistants, without a trailing slash. */
  readonly base: string;
  /** Language of the feed; undefined for the store's default one. */
  readonly language: string | undefined;
};

export const linkTo = ({ website_url }: Pick<FeedStore, 'website_url'>, path: string): string | null => {
  const website = website_url === null ? null : URL.parse(website_url);
  return website && `${website.origin}${website.pathname.replace(/(?<!\/)\/+$/, '')}/${path}`;
};

/** Number of products rendered before yielding to the event loop. Rendering that many takes some milliseconds. */
export const PRODUCTS_PER_YIELD = 100;
