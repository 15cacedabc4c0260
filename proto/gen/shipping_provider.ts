// Generated from stoa/v1/shipping_provider.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A carrier account or an extension. Answers never show its key or secret. */
export type ConnectedProvider = {
  id: string;
  kind: "carrier_account" | "custom";
  name: string;
  /** Base URL of a carrier account. */
  base_url?: string;
  /** URL of an extension. */
  url?: string;
  /** Secret of an extension, in the answer to its creation only. */
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
  /** Key of a carrier account. */
  api_key?: string;
  /** Base URL of a carrier account, if it is not the usual one. */
  base_url?: string | null;
  /** URL of an extension. */
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
