// The client of a page that a store's staff sign in to: the browser's session cookie takes the place of a key.
import { type StaffSessionResources, staffSessionResources } from '#proto/gen/client/staff_session.ts';
import { assemble } from './resource.ts';
import { mergeResources, type ServerApi, secretKeyResources } from './secret_key_resource.ts';
import { ShopperSession } from './session.ts';
import { type ClientOptions, createSend } from './transport.ts';

export type * from '#proto/gen/client/message.ts';
export { type ErrorCode, StoaError } from './error.ts';
export type { Listing } from './listing.ts';
export type { CallOptions } from './method.ts';
export type { ServerApi } from './secret_key_resource.ts';
export type { Exchange } from './transport.ts';

export interface DashboardOptions extends Omit<ClientOptions, 'url'> {
  /** Base URL of the API. Left out: the origin of the page, which alone has the session's cookie. */
  readonly url?: string;
  readonly environment: 'production' | 'sandbox';
}

/** All that a signed-in owner may call. */
export type DashboardApi = ServerApi & StaffSessionResources;

/** The API as the signed-in staff member may use it. `staff.session.begin` signs in; no call is signed. */
export const dashboard = ({ environment, url = '', ...options }: DashboardOptions): DashboardApi =>
  assemble(
    mergeResources(secretKeyResources(), staffSessionResources),
    createSend({
      ...options,
      url,
      key: null,
      headers: { 'x-stoa-dashboard': environment, ...options.headers },
      shopper: new ShopperSession({}),
    }),
  ) as unknown as DashboardApi;
