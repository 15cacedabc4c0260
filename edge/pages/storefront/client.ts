// The shop's client: the demo store's sandbox with its publishable key, and a log of what was asked, for the drawer.

import { type Exchange, type Storefront, storefront } from '#proto/client/storefront.ts';
import { keptSession, renewSession } from './server.ts';

const SESSION = 'stoa-shop-session';
const EXCHANGES_KEPT = 30;

/** What the page is told of its store; `key` is null where there is no demo store. */
export interface ShopSetting {
  readonly key: `svc_pk_test_${string}` | null;
  readonly code: string;
}

export interface OpenShop {
  readonly api: Storefront;
  readonly setting: ShopSetting;
  /** The newest first. */
  readonly exchanges: () => readonly Exchange[];
  /** From here on the log is of another page. */
  readonly turn: () => void;
  /** Hears of every request; returns how to stop. */
  readonly listen: (hear: () => void) => () => void;
}

export const openShop = async (): Promise<OpenShop | null> => {
  const setting = (await (await fetch('/shop/setting.json')).json()) as ShopSetting;
  if (setting.key === null) return null;
  let exchanges: readonly Exchange[] = [];
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const hear of listeners) hear();
  };
  const known = localStorage.getItem(SESSION);
  const api = storefront({
    url: location.origin,
    key: setting.key,
    shopper: { ...(known && { sessionId: known }), credential: keptSession(), renew: renewSession },
    observe: (exchange) => {
      exchanges = [exchange, ...exchanges].slice(0, EXCHANGES_KEPT);
      tell();
    },
  });
  localStorage.setItem(SESSION, api.shopper.sessionId ?? '');
  return {
    api,
    setting,
    exchanges: () => exchanges,
    turn: () => {
      exchanges = [];
      tell();
    },
    listen: (hear) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
};
