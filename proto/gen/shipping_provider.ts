// Generated from stoa/v1/shipping_provider.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A carrier account or an extension. Its key and secret never come back. */
export type ConnectedProvider = {
  id: string;
  kind: "carrier_account" | "custom";
  name: string;
  /** Of a carrier account. */
  base_url?: string;
  /** Of an extension. */
  url?: string;
  /** Of an extension, in the answer to its creation alone. */
  signing_secret?: string;
  created_at: string;
};

export type ListProvidersRequest = {
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a provider's fields to return. */
  fields?: string;
};

export type ListProvidersResponse = {
  providers: readonly ConnectedProvider[];
  pagination: Pagination;
};

export type CreateProviderRequest = {
  kind: "carrier_account" | "custom";
  name: string;
  /** Of a carrier account. */
  api_key?: string;
  /** Of a carrier account, where it is not the usual one. */
  base_url?: string | null;
  /** Of an extension. */
  url?: string;
};

export type ProviderResponse = {
  provider: ConnectedProvider;
};

export type DeleteProviderRequest = {
  id: string;
};

/**
 * Carrier accounts and the merchant's own extensions: where live rates come from.
 * @internal
 */
export interface ShippingProviderRpcs {
  ListProviders: { request: ListProvidersRequest; response: ListProvidersResponse };
  CreateProvider: { request: CreateProviderRequest; response: ProviderResponse };
  DeleteProvider: { request: DeleteProviderRequest; response: Deleted };
}
