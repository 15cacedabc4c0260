// The shop's client: the demo store's sandbox with its publishable key, and a log of what was asked, for the drawer.

import { type Storefront, type StoreProfile, storefront } from '#proto/client/storefront.ts';
import { type PageRequest, requestOf, serverRequestOf } from './request_snippet.ts';
import { configureServer, renewSession, storedSession } from './server.ts';

const SESSION = 'stoa-shop-session';
const REQUESTS_MAX = 30;

/** What the page is told of its store; `key` is null where there is no demo store. */
export interface ShopSetting {
  readonly key: `svc_pk_${string}` | null;
  readonly code: string;
  /** Where the API is; absent: where this page is from. */
  readonly url?: string;
  /** Where the shop's own server is; absent: it has none, signs no shopper in, and takes payments on the store's own page. */
  readonly server?: string;
}

const PROFILE = ['name', 'description', 'logo_url', 'branding', 'country', 'low_stock_threshold'] as const;

export type ShopProfile = Pick<StoreProfile, (typeof PROFILE)[number]>;

export interface OpenShop {
  readonly api: Storefront;
  readonly setting: ShopSetting;
  readonly store: ShopProfile;
  /** The newest first. */
  readonly requests: () => readonly PageRequest[];
  /** From here on the log is of another page. */
  readonly clearRequests: () => void;
  /** Hears of every request; returns how to stop. */
  readonly listen: (listener: () => void) => () => void;
}

const readSetting = async (): Promise<ShopSetting> => {
  const { setting = '/shop/setting.json' } = document.querySelector<HTMLElement>('#shop')!.dataset;
  return (await (await fetch(setting)).json()) as ShopSetting;
};

export const apiUrl = ({ url }: ShopSetting): string => url ?? location.origin;

/** Where the store's own pages are: a checkout's, an order's. */
export const storeUrl = (setting: ShopSetting): string => `${apiUrl(setting)}/s/${setting.code}`;

export const openShop = async (): Promise<OpenShop | null> => {
  const setting = await readSetting();
  if (setting.key === null) return null;
  let requests: readonly PageRequest[] = [];
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const log = (request: PageRequest): void => {
    requests = [request, ...requests].slice(0, REQUESTS_MAX);
    notify();
  };
  configureServer(setting.server, (call) => log(serverRequestOf(call)));
  const known = localStorage.getItem(SESSION);
  const api = storefront({
    url: apiUrl(setting),
    key: setting.key,
    shopper: { ...(known && { sessionId: known }), credential: storedSession(), renew: renewSession },
    observe: (exchange) => log(requestOf(exchange)),
  });
  localStorage.setItem(SESSION, api.shopper.sessionId ?? '');
  const { store } = await api.store.get({ fields: PROFILE });
  return {
    api,
    setting,
    store,
    requests: () => requests,
    clearRequests: () => {
      requests = [];
      notify();
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
