// Generated from stoa/v1/account.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Customer } from './customer.ts';
import type { AddressInput, Deleted, Pagination } from './shared.ts';

export type ListCustomersRequest = {
  /** The customer of this address, in any letter case. */
  email?: string;
  group?: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the customers' fields to return. */
  fields?: string;
  /** How the e-mail address, the whole name or the last name begins. Letter case is ignored. */
  search?: string;
};

export type ListCustomersResponse = {
  customers: readonly Customer[];
  pagination: Pagination;
};

export type CreateCustomerRequest = {
  email: string;
  first_name?: string | null;
  last_name?: string | null;
  phone?: string | null;
  /** Each with line1, city and country. */
  addresses?: readonly AddressInput[];
  /** Up to 50 keys of 40 characters with values of 500. */
  metadata?: Record<string, string>;
  /** The merchant's own name for the customer. */
  external_id?: string | null;
  /** Customer group whose price lists apply. */
  group?: string | null;
  /** Language of the customer as a BCP 47 tag, such as `de`. Mails are in the nearest of the store's languages. */
  language?: string | null;
};

export type CustomerResponse = {
  customer: Customer;
};

export type GetCustomerRequest = {
  id: string;
  /** Comma-separated names of the customer's fields to return. */
  fields?: string;
};

export type UpdateCustomerRequest = {
  id: string;
  email?: string;
  first_name?: string | null;
  last_name?: string | null;
  phone?: string | null;
  /** Each with line1, city and country. */
  addresses?: readonly AddressInput[];
  /** Up to 50 keys of 40 characters with values of 500. */
  metadata?: Record<string, string>;
  /** The `updated_at` that the change is based on. If the customer has changed since then, the answer is 409 `conflict`. */
  version?: string;
  /** Language of the customer as a BCP 47 tag, such as `de`. Mails are in the nearest of the store's languages. */
  language?: string | null;
};

export type DeleteCustomerRequest = {
  id: string;
};

export type SetCustomerGroupRequest = {
  id: string;
  group: string | null;
  /** The `updated_at` that the change is based on. If the customer has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

/** A session of a customer, without its tokens. */
export type AccountSessionRecord = {
  id: string;
  /** When the customer signed in. */
  created_at: string;
  /** When its tokens were last refreshed, or made. A session in use is refreshed about hourly. */
  last_refreshed_at: string;
  /** When it ends unless it is refreshed. */
  expires_at: string;
  /** The browser, as the server that signed the customer in or refreshed the session named it in `X-Shopper-User-Agent`. */
  user_agent: string | null;
};

export type ListCustomerSessionsRequest = {
  id: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the sessions' fields to return. */
  fields?: string;
};

export type ListCustomerSessionsResponse = {
  sessions: readonly AccountSessionRecord[];
  pagination: Pagination;
};

export type DeleteCustomerSessionRequest = {
  id: string;
  session_id: string;
};

export type EndCustomerSessionsRequest = {
  id: string;
};

export type EndCustomerSessionsResponse = {
  /** Number of sessions that were ended by this call. */
  ended: number;
};

/**
 * Customers as the merchant keeps them and as they see themselves.
 * @internal
 */
export interface AccountRpcs {
  ListCustomers: { request: ListCustomersRequest; response: ListCustomersResponse };
  CreateCustomer: { request: CreateCustomerRequest; response: CustomerResponse };
  GetCustomer: { request: GetCustomerRequest; response: CustomerResponse };
  UpdateCustomer: { request: UpdateCustomerRequest; response: CustomerResponse };
  DeleteCustomer: { request: DeleteCustomerRequest; response: Deleted };
  SetCustomerGroup: { request: SetCustomerGroupRequest; response: CustomerResponse };
}

/**
 * The sessions in which a customer is signed in. An ended session is refused by every edge within a moment. Customers whom the
 * store or its identity provider vouches for have no session here.
 * @internal
 */
export interface AccountSessionRpcs {
  ListSessions: { request: ListCustomerSessionsRequest; response: ListCustomerSessionsResponse };
  DeleteSession: { request: DeleteCustomerSessionRequest; response: Deleted };
  EndSessions: { request: EndCustomerSessionsRequest; response: EndCustomerSessionsResponse };
}
