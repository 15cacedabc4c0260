// Opens the shop on the server for one page: a client for a visitor, the store, its categories and its policies.

import { type OpenShop, PROFILE, type ShopFrame } from '#edge/pages/storefront/client.ts';
import type { ShopSetting } from '#edge/pages/storefront/setting.ts';
import { type AnswerCache, type Exchange, type Fetch, type Storefront, storefront } from '#proto/client/storefront.ts';

const TIMEOUT_MS = 10_000;
const ATTEMPT_TIMEOUT_MS = 5_000;
const RETRIES = 1;
/** Names no cart: pages that are the same for all visitors are asked for with it. */
const SHARED_SESSION = 'stoa-shop-shared-pages';

export interface ApiAccess {
  readonly setting: ShopSetting;
  /** Base URL of the API as the server reaches it. */
  readonly apiUrl: string;
  readonly cache: AnswerCache;
  readonly fetch?: Fetch | undefined;
}

export interface ServedShop {
  readonly api: Storefront;
  readonly exchanges: readonly Exchange[];
}

/**
 * `session` names the visitor's cart; null for pages that are the same for all visitors. Answers are in the store's default
 * language without `language`.
 */
export const openApi = (
  { setting, apiUrl, cache, fetch }: ApiAccess,
  session: string | null,
  language?: string | null,
): ServedShop => {
  const exchanges: Exchange[] = [];
  const api = storefront({
    url: apiUrl,
    key: setting.key,
    ...(language && { headers: { 'accept-language': language } }),
    shopper: { sessionId: session ?? SHARED_SESSION },
    cachedAnswers: cache,
    timeoutMs: TIMEOUT_MS,
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    retries: RETRIES,
    observe: (exchange) => exchanges.push(exchange),
    ...(fetch && { fetch }),
  });
  return { api, exchanges };
};

const POLICY_FIELDS = ['type', 'title'] as const;

export const readFrame = async (api: Storefront): Promise<ShopFrame> => {
  const [{ store }, { categories }, { policies }] = await Promise.all([
    api.store.get({ fields: PROFILE }),
    api.categories.list(),
    api.store.policies.list({ fields: POLICY_FIELDS }),
  ]);
  return { store, categories: categories.filter(({ product_count }) => product_count > 0), policies };
};

interface ServedContext {
  readonly api: Storefront;
  readonly setting: ShopSetting;
  readonly frame: ShopFrame;
  readonly base: string;
  readonly language: string;
  readonly currency: string;
}

export const servedShop = ({ api, setting, frame, base, language, currency }: ServedContext): OpenShop => ({
  ...frame,
  api,
  setting,
  base,
  language,
  currency,
  requests: () => [],
  clearRequests: () => {},
  listen: () => () => {},
});
