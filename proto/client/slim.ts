// The storefront's client with named resources alone, for pages that count bytes: a bundler leaves all others out.
import { checkKey, type PublishableKey } from './key.ts';
import { type Assembled, assemble, type ClientResource } from './resource.ts';
import { type ShopperOptions, ShopperSession } from './session.ts';
import { type ClientOptions, createSend, randomId } from './transport.ts';

export * from '#proto/gen/client/storefront.ts';
export { StoaError } from './error.ts';

export interface StorefrontOptions<K extends string> extends ClientOptions {
  /** A publishable key: `svc_pk_…`. Secret ones are refused, since every reader of the page sees them. */
  readonly key: PublishableKey<K>;
  readonly shopper?: ShopperOptions;
}

/** A client's shopper, beside its resources. */
export interface WithShopper {
  /** The browsing session and the signed-in customer. */
  readonly shopper: ShopperSession;
}

export const slim = <const K extends string, Parts extends Readonly<Record<string, ClientResource<unknown>>>>(
  options: StorefrontOptions<K>,
  resources: Parts,
): Assembled<Parts> & WithShopper => {
  const key = checkKey(options.key, 'publishable', 'A storefront');
  const shopper = new ShopperSession({ ...options.shopper, sessionId: options.shopper?.sessionId ?? randomId() });
  return { ...assemble(resources, createSend({ ...options, key, shopper })), shopper };
};
