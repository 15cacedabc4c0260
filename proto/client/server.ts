// The clients of programs that keep secrets: a store's own server, and an operator's. Never for a browser.
import type { StoreOnly } from '#proto/gen/client/merchant.ts';
import { type OperatorResources, operatorResources } from '#proto/gen/client/operator.ts';
import type { ServerResources } from '#proto/gen/client/server.ts';
import { type StorefrontResources, storefrontResources } from '#proto/gen/client/storefront.ts';
import { checkKey, type OperatorKey, type SecretKey } from './key.ts';
import { assemble, type Send } from './resource.ts';
import { readRoute } from './route.ts';
import { type ServerApi, secretKeyResources } from './secret_key_resource.ts';
import { type SessionTokens, type ShopperCredential, type ShopperOptions, ShopperSession } from './session.ts';
import { createSigner } from './signing.ts';
import { type ClientOptions, type Connection, createSend } from './transport.ts';

export type * from '#proto/gen/client/message.ts';
export { type ApiCode, type ErrorCode, type OAuthCode, StoaError, type TransportCode } from './error.ts';
export type { Listing } from './listing.ts';
export type { CallOptions, Chosen, FieldName, Narrowed } from './method.ts';
export type { Renew, SessionTokens, ShopperCredential, ShopperOptions } from './session.ts';
export type { ClientOptions, Exchange, Fetch } from './transport.ts';
export type { OperatorResources, ServerApi, ServerResources, StorefrontResources };

export interface ServerOptions<K extends string> extends ClientOptions {
  /** A secret key (`svc_sk_…`), or the access token of an app. */
  readonly key: SecretKey<K>;
  /** Signs what must be signed: orders, payments, pushes of products. */
  readonly hmacSecret?: string;
}

/** A shopper on whose behalf a server calls. */
export interface ForShopper extends ShopperOptions {
  /** The shopper's own network address, which limits count by. */
  readonly ip?: string;
}

export interface Server extends ServerApi {
  readonly shopper: ShopperSession;
  /** The same client on behalf of a shopper. The client refreshes the shopper's session. */
  readonly as: (shopper: ForShopper) => ServerApi & { readonly shopper: ShopperSession };
}

const REFRESH = readRoute('POST /v1/auth/refresh o', 'auth.refresh');

/** A secret that a page can read is public. */
const refuseBrowser = (callerName: string): void => {
  if ('document' in globalThis)
    throw new TypeError(`${callerName} is for servers: use storefront() with a publishable key here.`);
};

export const server = <const K extends string>(options: ServerOptions<K>): Server => {
  refuseBrowser('server()');
  const key = checkKey(options.key, 'secret', 'server()');
  const signer = options.hmacSecret === undefined ? undefined : createSigner(options.hmacSecret);
  const parts = secretKeyResources();
  const over = (connection: Connection) => ({
    ...(assemble(parts, createSend(connection)) as unknown as ServerApi),
    shopper: connection.shopper,
  });
  const own: Connection = { ...options, key, signer, shopper: new ShopperSession({}) };
  const refresh = refreshing(createSend(own));
  return {
    ...over(own),
    as: ({ ip, ...shopper }) =>
      over({
        ...own,
        headers: { ...options.headers, ...(ip === undefined ? {} : { 'x-shopper-ip': ip }) },
        shopper: new ShopperSession({ ...shopper, renew: shopper.renew ?? refresh }),
      }),
  };
};

/** Renews tokens of ours; what others vouch for is theirs to renew. */
const refreshing =
  (send: Send) =>
  async (spent: ShopperCredential): Promise<ShopperCredential | null> => {
    if (!('refresh_token' in spent) || !spent.refresh_token) return null;
    const answer = (await send(REFRESH, { refresh_token: spent.refresh_token }, {})) as { session: SessionTokens };
    return answer.session;
  };

export interface OperatorOptions<K extends string> extends ClientOptions {
  /** An operator's key: `svc_mk_…`. */
  readonly key: OperatorKey<K>;
}

export interface Operator extends OperatorResources {
  /** The methods that a publishable key of that merchant's would open. */
  readonly merchant: (storeId: string, shopper?: ForShopper) => Omit<StorefrontResources, StoreOnly>;
}

export const operator = <const K extends string>(options: OperatorOptions<K>): Operator => {
  refuseBrowser('operator()');
  const key = checkKey(options.key, 'operator', 'operator()');
  return {
    ...assemble(operatorResources, createSend({ ...options, key, shopper: new ShopperSession({}) })),
    merchant: (storeId, shopper = {}) =>
      assemble(
        storefrontResources,
        createSend({ ...options, key, query: { store_id: storeId }, shopper: new ShopperSession(shopper) }),
      ),
  };
};
