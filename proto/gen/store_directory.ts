// Generated from stoa/v1/store_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { StoreCurrency } from './exchange_rate.ts';
import type { IdentityProvider, StoreAgents, StoreFeeds } from './store.ts';

/** @internal */
export type ListRetentionRequest = Record<never, never>;

/** @internal */
export type RetentionOfStore = {
  store_id: string;
  /** Days by the name of the setting. */
  days: Record<string, number>;
};

/** @internal */
export type ListRetentionResponse = {
  stores: readonly RetentionOfStore[];
};

/** @internal */
export type ActForStoreRequest = {
  key_id: string;
};

/** @internal */
export type ResolveKeyRequest = {
  /** SHA-256 of the key's whole text, in hex. */
  key_hash: string;
};

/**
 * Requests admitted in each fixed window; 0 where it is not metered.
 * @internal
 */
export type PlanLimits = {
  key_hour: number;
  key_day: number;
  network_hour: number;
  month: number;
};

/** @internal */
export type PreviousHmacSecret = {
  secret: string;
  /** Real time in milliseconds since the epoch from which it is no longer accepted. */
  until_ms: number;
};

/**
 * The owner of a key, with all that an edge needs to admit its calls.
 * @internal
 */
export type Principal = {
  key_id: string;
  key_type: "publishable" | "secret" | "operator";
  /** The store; for an operator the operator's own id, which no store has. */
  store_id: string;
  environment: "production" | "sandbox";
  /** `enterprise` for an operator. */
  plan: string;
  trial: boolean;
  limits: PlanLimits;
  /** Signs the store's requests; null for an operator. */
  hmac_secret: string | null;
  /** Null for an operator. */
  currency: string | null;
  /** The merchants of an operator; empty for a store. */
  operator_stores: readonly string[];
  /** Whether it sells to businesses; false for an operator. */
  wholesale: boolean;
  /** The store's languages, its default one first; empty for an operator. */
  languages: readonly string[];
  /** The HMAC secret before a rotation; null for an operator, for a key with its own secret, and after the overlap. */
  previous_hmac_secret: PreviousHmacSecret | null;
};

/** @internal */
export type ResolveKeyResponse = {
  principal: Principal;
  /** Scopes of a restricted key; null for a full one. */
  scopes: readonly string[] | null;
  /** Milliseconds until the key ends; null for a key without end. */
  expires_in_ms: number | null;
  /** The key's name; null without one. */
  name: string | null;
};

/** @internal */
export type ActForStoreResponse = {
  principal: Principal;
};

/** @internal */
export type KeyUse = {
  store_id: string;
  key_id: string;
  /** Unix milliseconds. */
  used_at_ms: number;
  /** Null for a publishable key. */
  address?: string | null;
};

/** @internal */
export type RecordKeyUsesRequest = {
  /** Uses of different keys. */
  uses: readonly KeyUse[];
};

/** @internal */
export type RecordKeyUsesResponse = Record<never, never>;

/** @internal */
export type ReportFeatureRequest = {
  /** One whose data another domain knows of: `recommendations`, `reviews`. */
  feature: string;
  has_data: boolean;
};

/** @internal */
export type ReportFeatureResponse = Record<never, never>;

/** @internal */
export type GetProfileRequest = {
  /** The store's id or code, or a host among its `domains`. */
  store: string;
};

/**
 * Colours of `branding`, if it has them as `#rgb` or `#rrggbb`.
 * @internal
 */
export type StoreColours = {
  primary_color: string | null;
  background_color: string | null;
  text_color: string | null;
};

/** @internal */
export type StoredRate = {
  environment: "production" | "sandbox";
  currency: string;
  base_currency: string;
  rate: number;
  /** Ending of prices in major units; null rounds to the smallest unit. */
  round_to: string | null;
  max_age_hours: number;
  /** Unix milliseconds by the tenant's clock. */
  updated_at_ms: number;
};

/** @internal */
export type GetProfileResponse = {
  id: string;
  code: string;
  name: string;
  description: string | null;
  logo_url: string | null;
  website_url: string | null;
  currency: string;
  currency_symbol: string;
  country: string | null;
  timezone: string;
  plan: string;
  trial: boolean;
  lapsed: boolean;
  wholesale_enabled: boolean;
  feeds: StoreFeeds;
  tax_inclusive: boolean;
  low_stock_threshold: number;
  return_window_days: number;
  cart_abandoned_after_minutes: number;
  intent_ttl_minutes: number;
  review_approval: "manual" | "verified" | "all";
  contact_email: string | null;
  contact_phone: string | null;
  /** Agent protocols that are on; a wholesale store has none. */
  agents: StoreAgents;
  domains: readonly string[];
  colours: StoreColours;
  /** The default one first. */
  languages: readonly string[];
  currencies: readonly StoreCurrency[];
  /** Rates of both environments. */
  exchange_rates: readonly StoredRate[];
};

/** @internal */
export type GetIdentityRequest = Record<never, never>;

/** @internal */
export type GetIdentityResponse = {
  name: string;
  contact_email: string | null;
  website_url: string | null;
  allowed_redirect_origins: readonly string[];
  /** Null: no token of another's is believed. */
  idp: IdentityProvider | null;
  /** Signs `x-external-auth` tokens; null until one is made. */
  external_auth_secret: string | null;
  /** Signs what the verifier is sent. */
  hmac_secret: string;
  /** The secret before a rotation, which signs as well during the overlap. */
  previous_hmac_secret: PreviousHmacSecret | null;
};

/** @internal */
export type GetOperatorRequest = {
  operator_id: string;
};

/** @internal */
export type GetOperatorResponse = {
  id: string;
  name: string;
};

/** @internal */
export type ListMerchantsRequest = {
  operator_id: string;
};

/** @internal */
export type ListMerchantsResponse = {
  stores: readonly string[];
};

/** @internal */
export type ListSellingMerchantsRequest = {
  operator_id: string;
};

/** @internal */
export type SellingMerchant = {
  store_id: string;
  name: string;
  currency: string;
  /** The one that its texts are written in. */
  language: string;
};

/** @internal */
export type ListSellingMerchantsResponse = {
  merchants: readonly SellingMerchant[];
};

/** @internal */
export type ListOperatorsRequest = Record<never, never>;

/** @internal */
export type ListOperatorsResponse = {
  operators: readonly string[];
};

/**
 * Stores and keys, as edges and other domains read them.
 * @internal
 */
export interface StoreDirectoryRpcs {
  ResolveKey: { request: ResolveKeyRequest; response: ResolveKeyResponse };
  ActForStore: { request: ActForStoreRequest; response: ActForStoreResponse };
  ActAsShopper: { request: ActForStoreRequest; response: ActForStoreResponse };
  GetProfile: { request: GetProfileRequest; response: GetProfileResponse };
  GetIdentity: { request: GetIdentityRequest; response: GetIdentityResponse };
  GetOperator: { request: GetOperatorRequest; response: GetOperatorResponse };
  ListMerchants: { request: ListMerchantsRequest; response: ListMerchantsResponse };
  ListSellingMerchants: { request: ListSellingMerchantsRequest; response: ListSellingMerchantsResponse };
  ListOperators: { request: ListOperatorsRequest; response: ListOperatorsResponse };
  ListRetention: { request: ListRetentionRequest; response: ListRetentionResponse };
  RecordKeyUses: { request: RecordKeyUsesRequest; response: RecordKeyUsesResponse };
  ReportFeature: { request: ReportFeatureRequest; response: ReportFeatureResponse };
}
