// The shop as its screens see it: API client, store, and a log of its requests for the drawer. The browser opens it with
// what the server has put into the page.
import {
  type Exchange,
  type ProductCategory,
  type Storefront,
  type StoreProfile,
  storefront,
} from '#proto/client/storefront.ts';
import type { Policy } from '#proto/gen/client/message.ts';
import type { AnswerTable } from './answer.ts';
import { type PageRequest, requestOf, serverRequestOf } from './request_snippet.ts';
import { configureServer, renewSession, storedSession } from './server.ts';
import { readSession, sessionCookie } from './session_cookie.ts';
import type { ShopSetting } from './setting.ts';
import type { Texts } from './wording.ts';

const REQUESTS_MAX = 30;

export const PROFILE = [
  'name',
  'description',
  'logo_url',
  'branding',
  'country',
  'currency',
  'currencies',
  'low_stock_threshold',
  'contact_email',
  'contact_phone',
  'language',
  'languages',
] as const;

export type ShopProfile = Pick<StoreProfile, (typeof PROFILE)[number]>;

/** Contents of the header and footer. */
export interface ShopFrame {
  readonly store: ShopProfile;
  readonly categories: readonly ProductCategory[];
  readonly policies: readonly Pick<Policy, 'type' | 'title'>[];
}

/** State of a rendered page, with which the browser continues. */
export interface PageState {
  readonly setting: ShopSetting;
  /** Path at which the shop is served: empty or `/shop`. */
  readonly base: string;
  /** Language of the page. */
  readonly language: string;
  /** Currency of the page's prices. */
  readonly currency: string;
  /** The shop's own texts, and the language that they are in; null if they are English. */
  readonly texts: { readonly language: string; readonly texts: Texts } | null;
  /** Path and query of the page within the shop, without its language. */
  readonly path: string;
  readonly frame: ShopFrame;
  readonly answers: AnswerTable;
  readonly requests: readonly Exchange[];
}

export interface OpenShop extends ShopFrame {
  readonly api: Storefront;
  readonly setting: ShopSetting;
  /** Path at which the shop is served: empty or `/shop`. */
  readonly base: string;
  /** Language of the page. */
  readonly language: string;
  /** Currency of the page's prices, which the shopper chose or which is the store's. */
  readonly currency: string;
  readonly requests: () => readonly PageRequest[];
  readonly clearRequests: () => void;
  readonly listen: (listener: () => void) => () => void;
}

export const apiUrl = ({ url }: ShopSetting): string => url ?? location.origin;

export const storeUrl = (setting: ShopSetting): string => `${apiUrl(setting)}/s/${setting.code}`;

export const openShop = ({ setting, base, language, currency, frame, requests: earlier }: PageState): OpenShop => {
  let requests: readonly PageRequest[] = earlier.map(requestOf);
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const log = (request: PageRequest): void => {
    requests = [request, ...requests].slice(0, REQUESTS_MAX);
    notify();
  };
  configureServer(setting.server, language, (call) => log(serverRequestOf(call)));
  const api = storefront({
    url: apiUrl(setting),
    key: setting.key,
    headers: { 'accept-language': language },
    shopper: { sessionId: readSession(document.cookie) ?? undefined, credential: storedSession(), renew: renewSession },
    observe: (exchange) => log(requestOf(exchange)),
  });
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
  document.cookie = sessionCookie(api.shopper.sessionId ?? '', base, location.protocol === 'https:');
  return {
    ...frame,
    api,
    setting,
    base,
    language,
    currency,
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
