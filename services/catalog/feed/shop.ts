// What a feed is made of: the store as the public may see it, and links into its storefront.
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';

export type FeedStore = Pick<
  GetProfileResponse,
  'id' | 'code' | 'name' | 'description' | 'website_url' | 'currency' | 'country' | 'agents'
> & {
  /** The address at which assistants find the store, without a slash at its end. */
  readonly base: string;
};

/** A page of the storefront: `products/<slug>`; null where the store names no website. */
export const linkTo = ({ website_url }: Pick<FeedStore, 'website_url'>, path: string): string | null => {
  const website = website_url === null ? null : URL.parse(website_url);
  return website && `${website.origin}${website.pathname.replace(/\/+$/, '')}/${path}`;
};

/** Between two turns of the event loop so many products are written: some milliseconds. */
export const PRODUCTS_AT_ONCE = 100;

export const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
