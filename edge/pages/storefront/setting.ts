// Settings of a shop: the store that it sells for, and how it is served.

export interface ShopSetting {
  /** A publishable key: `svc_pk_…`. */
  readonly key: string;
  readonly code: string;
  /** Base URL of the API; by default the page's origin. */
  readonly url?: string;
  /** URL of the shop's own server. Without one the shop has no sign-in, and the store's page takes payments. */
  readonly server?: string;
}

/** Addresses of what the shop's pages load. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  /** Fonts of the first screen. */
  readonly fonts?: readonly string[];
}

/** The part of `fetch` with which the shop's server calls the API. */
type FetchApi = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | Blob | null;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<Response>;

/** Secrets of the shop's server, for sign-ins, orders and payments. */
export interface ShopSecrets {
  /** A secret key: `svc_sk_…`. */
  readonly key: string;
  readonly hmacSecret: string;
}

export interface ShopOptions {
  readonly setting: ShopSetting;
  /** Base URL of the API as this server reaches it. */
  readonly apiUrl: string;
  /** Path at which the shop is served: empty or `/shop`. */
  readonly base: string;
  readonly files: PageFiles;
  /** Origin of the shop's addresses, `https://shop.example`; by default that of each request. */
  readonly origin?: string | undefined;
  /** Without them the shop has no sign-in, and the store's page takes payments. */
  readonly secrets?: ShopSecrets | undefined;
  /** Slugs of products by their handles in an earlier shop. */
  readonly redirects?: ReadonlyMap<string, string>;
  readonly fetch?: FetchApi;
}

/**
 * Answers requests at or below the shop's path. `address` is the visitor's network address, by which sign-ins are
 * limited; empty if the host does not know it.
 */
export type ShopHandler = (request: Request, address: string) => Promise<Response>;
