// Generated from stoa/v1/customer_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Customer } from './customer.ts';

/** @internal */
export type ResolveSessionRequest = {
  /** SHA-256 of the access token, in hex. */
  token_hash: string;
};

/** @internal */
export type ResolveSessionResponse = {
  customer_id: string;
  /** The family of tokens that it belongs to: what a logout ends. */
  session_id: string;
  expires_at: string;
  /** Until then, by the tenant's clock. */
  remaining_ms: number;
};

/** @internal */
export type ResolveAssertionRequest = {
  kind: "external_auth" | "idp";
  token: string;
};

/** @internal */
export type ResolveAssertionResponse = {
  customer_id: string;
  /** For how long that may be believed without asking again. */
  remaining_ms: number;
};

/** @internal */
export type FindCustomerRequest = {
  customer_id: string;
};

/** @internal */
export type FindCustomerResponse = {
  customer: Customer;
};

/** @internal */
export type FindShopperRequest = {
  stores: readonly string[];
  /** The token of the request. */
  token: string;
};

/** @internal */
export type ShopperCustomer = {
  store_id: string;
  customer: Customer;
};

/** @internal */
export type FindShopperResponse = {
  /** Normal. */
  email: string;
  /** Whether it was proved where the token is of. */
  proved: boolean;
  /** The token's own customer first. */
  customers: readonly ShopperCustomer[];
};

/**
 * Sessions, as the edge resolves them.
 * @internal
 */
export interface SessionDirectoryRpcs {
  ResolveSession: { request: ResolveSessionRequest; response: ResolveSessionResponse };
  ResolveAssertion: { request: ResolveAssertionRequest; response: ResolveAssertionResponse };
}

/**
 * Customers, as other domains read them.
 * @internal
 */
export interface CustomerDirectoryRpcs {
  FindCustomer: { request: FindCustomerRequest; response: FindCustomerResponse };
  FindShopper: { request: FindShopperRequest; response: FindShopperResponse };
}
