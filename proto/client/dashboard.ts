// The client of a page that staff of a store or a marketplace operator sign in to: the browser's session cookie takes the
// place of a key.
import type { StoreOnly } from '#proto/gen/client/merchant.ts';
import { type OperatorResources, operatorResources } from '#proto/gen/client/operator.ts';
import { type StaffSessionResources, staffSessionResources } from '#proto/gen/client/staff_session.ts';
import { type StorefrontResources, storefrontResources } from '#proto/gen/client/storefront.ts';
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

/** All that a signed-in owner of a store, or of an operator, may call. */
export type DashboardApi = ServerApi &
  StaffSessionResources &
  OperatorResources & {
    /** Methods that shoppers of a merchant may call, for staff of its operator. */
    readonly merchant: (storeId: string) => Omit<StorefrontResources, StoreOnly>;
  };

/** The API as the signed-in staff member may use it. `staff.session.begin` signs in; no call is signed. */
export const dashboard = ({ environment, url = '', ...options }: DashboardOptions): DashboardApi => {
  const connection = {
    ...options,
    url,
    key: null,
    headers: { 'x-stoa-dashboard': environment, ...options.headers },
    shopper: new ShopperSession({}),
  };
  const parts = mergeResources(secretKeyResources(), staffSessionResources, operatorResources);
  return {
    ...(assemble(parts, createSend(connection)) as unknown as DashboardApi),
    merchant: (storeId) => assemble(storefrontResources, createSend({ ...connection, query: { store_id: storeId } })),
  };
};
