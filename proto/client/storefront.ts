// The client of shops that run in a browser: all that a publishable key opens.
import { type StorefrontResources, storefrontResources } from '#proto/gen/client/storefront.ts';
import { type StorefrontOptions, slim, type WithShopper } from './slim.ts';

export type * from '#proto/gen/client/message.ts';
export type { StorefrontResources } from '#proto/gen/client/storefront.ts';
export { type ApiCode, type ErrorCode, type OAuthCode, StoaError, type TransportCode } from './error.ts';
export type { Listing } from './listing.ts';
export type { CallOptions, Chosen, FieldName, Narrowed } from './method.ts';
export { AnswerCache } from './revalidation.ts';
export type { Renew, SessionTokens, ShopperCredential, ShopperOptions, ShopperSession } from './session.ts';
export type { StorefrontOptions } from './slim.ts';
export { type ClientOptions, type Exchange, type Fetch, randomId } from './transport.ts';

export type Storefront = StorefrontResources & WithShopper;

export const storefront = <const K extends string>(options: StorefrontOptions<K>): Storefront =>
  slim(options, storefrontResources);
