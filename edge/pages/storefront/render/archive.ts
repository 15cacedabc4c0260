// Tells whether a product that shoppers cannot read is archived. The API answers that to a secret key alone.
import type { ShopSecrets } from '#edge/pages/storefront/setting.ts';
import { StoaError, server } from '#proto/client/server.ts';

const TIMEOUT_MS = 5_000;

export type IsArchived = (slug: string) => Promise<boolean>;

/** A product that was deleted, or never was, is not archived. */
export const archive = (apiUrl: string, { key, hmacSecret }: ShopSecrets): IsArchived => {
  const api = server({ url: apiUrl, key, hmacSecret, timeoutMs: TIMEOUT_MS });
  return async (slug) => {
    try {
      const { is_active } = await api.products.getBySlug({ slug, fields: ['is_active'] });
      return is_active === false;
    } catch (problem) {
      if (!(problem instanceof StoaError)) throw problem;
      return false;
    }
  };
};
