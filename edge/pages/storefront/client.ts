// Creates the shop's API client with the publishable key, and logs its requests for the drawer.

import { type Storefront, type StoreProfile, storefront } from '#proto/client/storefront.ts';
import { type PageRequest, requestOf, serverRequestOf } from './request_snippet.ts';
import { configureServer, renewSession, storedSession } from './server.ts';

const SESSION = 'stoa-shop-session';
const REQUESTS_MAX = 30;

export interface ShopSetting {
  readonly key: `svc_pk_${string}` | null;
  readonly code: string;
  /** Base URL of the API; by default this page's origin. */
  readonly url?: string;
  /** URL of the shop's own server. Without one the shop has no sign-in, and the store's page takes payments. */
  readonly server?: string;
}

const PROFILE = ['name', 'description', 'logo_url', 'branding', 'country', 'low_stock_threshold'] as const;

export type ShopProfile = Pick<StoreProfile, (typeof PROFILE)[number]>;

export interface OpenShop {
  readonly api: Storefront;
  readonly setting: ShopSetting;
  readonly store: ShopProfile;
  readonly requests: () => readonly PageRequest[];
  readonly clearRequests: () => void;
  readonly listen: (listener: () => void) => () => void;
}

const readSetting = async (): Promise<ShopSetting> => {
  const { setting = '/shop/setting.json' } = document.querySelector<HTMLElement>('#shop')!.dataset;
  return (await (await fetch(setting)).json()) as ShopSetting;
};

export const apiUrl = ({ url }: ShopSetting): string => url ?? location.origin;

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
