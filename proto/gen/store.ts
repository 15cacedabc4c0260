// Generated from stoa/v1/store.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { StoreCurrency, StoreCurrencyInput } from './exchange_rate.ts';
import type { StoreRetention, StoreRetentionInput } from './retention.ts';

/** Which public feeds the store publishes. */
export type StoreFeeds = {
  /** On unless turned off; for a wholesale store off unless turned on. */
  llms_enabled: boolean;
  /** Opt-in: products.json and products.xml. */
  products_enabled: boolean;
};

/** Which public feeds the store publishes. */
export type StoreFeedsInput = {
  /** On unless turned off; for a wholesale store off unless turned on. */
  llms_enabled?: boolean;
  /** Opt-in: products.json and products.xml. */
  products_enabled?: boolean;
};

/** A verifier of `x-idp-token`: the store's own, or an issuer whose keys are public. One of the two. */
export type IdentityProvider = {
  verifier_url?: string;
  issuer?: string;
  jwks_url?: string;
  audience?: string;
};

/** A verifier of `x-idp-token`: the store's own, or an issuer whose keys are public. One of the two. */
export type IdentityProviderInput = {
  verifier_url?: string;
  issuer?: string;
  jwks_url?: string;
  audience?: string;
};

/**
 * The protocols by which shopping assistants may reach the store. Each is on unless turned off; a store that sells
 * wholesale speaks none.
 */
export type StoreAgents = {
  mcp: boolean;
  acp: boolean;
  ucp: boolean;
};

/**
 * The protocols by which shopping assistants may reach the store. Each is on unless turned off; a store that sells
 * wholesale speaks none.
 */
export type StoreAgentsInput = {
  mcp?: boolean;
  acp?: boolean;
  ucp?: boolean;
};

/** The store's profile and settings. */
export type StoreProfile = {
  id: string;
  /** Names the store in feed addresses, beside its id. */
  code: string;
  name: string;
  description: string | null;
  logo_url: string | null;
  /** Free-form: colours, fonts, anything that the storefront reads. */
  branding: Record<string, unknown> | null;
  website_url: string | null;
  contact_email: string | null;
  contact_phone: string | null;
  /** ISO 4217, upper-case. */
  currency: string;
  currency_symbol: string;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** IANA name. */
  timezone: string;
  wholesale_enabled: boolean;
  return_window_days: number;
  /** For variants that set none of their own. */
  low_stock_threshold: number;
  /** Prices contain their tax. */
  tax_inclusive: boolean;
  feeds: StoreFeeds;
  cart_abandoned_after_minutes: number;
  intent_ttl_minutes: number;
  /** Origins that a mailed link may lead to beside `website_url`; each environment has its own. */
  allowed_redirect_origins: readonly string[];
  /** Shown to a secret key only; each environment's own. */
  idp?: IdentityProvider | null;
  /** Which reviews are approved as they are written: none, those of verified purchases, or all. Shown to a secret key only. */
  review_approval?: "manual" | "verified" | "all";
  /** The agent protocols that the store speaks. */
  agents: StoreAgents;
  /** Hosts at whose root agents find the store, beside its address here. */
  domains: readonly string[];
  /** Language of the texts that are no translation, as a BCP 47 tag. */
  language: string;
  /** Other languages that texts are translated into. */
  languages: readonly string[];
  /** Currencies in which the store shows its prices beside its own. */
  currencies: readonly StoreCurrency[];
  /** When what both environments share last changed. Shown to a secret key only. */
  updated_at?: string;
  /** Shown to a secret key only. */
  retention?: StoreRetention;
};

export type GetStoreRequest = {
  /** Comma-separated names of the store's fields to return. */
  fields?: string;
};

export type GetStoreResponse = {
  store: StoreProfile;
};

export type UpdateStoreRequest = {
  name?: string;
  description?: string | null;
  logo_url?: string | null;
  /** Replaced as a whole; at most 64 kB of JSON. */
  branding?: Record<string, unknown> | null;
  website_url?: string | null;
  contact_email?: string | null;
  contact_phone?: string | null;
  /** In any letter case. While products exist it may only change to a currency with as many decimals. */
  currency?: string;
  /** In any letter case. */
  country?: string | null;
  timezone?: string;
  wholesale_enabled?: boolean;
  return_window_days?: number;
  low_stock_threshold?: number;
  tax_inclusive?: boolean;
  /** Sets the named feeds, the rest stays. */
  feeds?: StoreFeedsInput;
  cart_abandoned_after_minutes?: number;
  intent_ttl_minutes?: number;
  /** Origins such as `https://shop.example`, without a path. */
  allowed_redirect_origins?: readonly string[];
  idp?: IdentityProviderInput | null;
  /** `manual` at first. */
  review_approval?: "manual" | "verified" | "all";
  /** Sets the named protocols, the rest stays. */
  agents?: StoreAgentsInput;
  /** Host names such as `shop.example`, without a port. One that another store has: 409. */
  domains?: readonly string[];
  /** BCP 47 tag in any letter case, such as `pt-BR`; `en` at first. A change relabels the texts and translates none of them. */
  language?: string;
  /** Replaced as a whole, without `language`. Translations into a removed language are stored but no longer read. */
  languages?: readonly string[];
  /** Replaced as a whole. The store's own currency does not belong to them. */
  currencies?: readonly StoreCurrencyInput[];
  /** The `updated_at` that the change is based on. If it has changed since then, the answer is 409 `conflict`. */
  version?: string;
  /** Sets the named kinds, the rest stays; null sets the default. */
  retention?: StoreRetentionInput;
};

export type UpdateStoreResponse = {
  store: StoreProfile;
};

/** Texts of a policy in another language. A field without a translation is read in the store's `language`. */
export type PolicyTranslation = {
  title?: string | null;
  body?: string | null;
};

/** Texts of a policy in another language. A field without a translation is read in the store's `language`. */
export type PolicyTranslationInput = {
  title?: string | null;
  body?: string | null;
};

/** A policy document of the store. */
export type Policy = {
  type: "terms" | "privacy" | "returns" | "shipping" | "refund";
  title: string;
  body: string;
  /** Counts from 1 for each type; null on a draft. */
  version: number | null;
  status: "published" | "draft";
  published_at: string | null;
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, PolicyTranslation>;
};

export type ListPoliciesRequest = {
  /** Comma-separated names of a policy's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListPoliciesResponse = {
  policies: readonly Policy[];
};

export type GetPolicyRequest = {
  type: "terms" | "privacy" | "returns" | "shipping" | "refund";
  /** Which published version; the newest where left out. */
  version?: number;
  /** The draft instead; with a secret key only, not together with `version`. */
  draft?: boolean;
  /** Comma-separated names of the policy's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type GetPolicyResponse = {
  policy: Policy;
};

export type PutPolicyRequest = {
  type: "terms" | "privacy" | "returns" | "shipping" | "refund";
  title: string;
  body: string;
  /** True publishes it as a new version; otherwise it is saved as the draft. */
  publish?: boolean;
  /** Translations that replace the former ones, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, PolicyTranslationInput | null> | null;
};

export type PutPolicyResponse = {
  policy: Policy;
};

/** A capability and whether the store has it. */
export type Feature = {
  feature: string;
  status: "available" | "awaiting_data" | "not_in_plan";
  /** Null until it first changes. */
  previous_status: "available" | "awaiting_data" | "not_in_plan" | null;
};

export type ListFeaturesRequest = {
  /** Comma-separated names of a feature's fields to return. */
  fields?: string;
};

export type ListFeaturesResponse = {
  features: readonly Feature[];
};

export type GetUsageRequest = {
  /** Comma-separated names of the usage's fields to return. */
  fields?: string;
};

export type Usage = {
  plan: "starter" | "growth" | "premium" | "enterprise";
  trial: boolean;
  month: string;
  /** Null where nothing is metered. */
  quota: number | null;
  used: number;
  /** Null where nothing is metered. */
  remaining: number | null;
};

export type GetUsageResponse = {
  usage: Usage;
};

/**
 * Profile, settings and usage of the merchant's own store.
 * @internal
 */
export interface StoreRpcs {
  GetStore: { request: GetStoreRequest; response: GetStoreResponse };
  UpdateStore: { request: UpdateStoreRequest; response: UpdateStoreResponse };
  ListPolicies: { request: ListPoliciesRequest; response: ListPoliciesResponse };
  GetPolicy: { request: GetPolicyRequest; response: GetPolicyResponse };
  PutPolicy: { request: PutPolicyRequest; response: PutPolicyResponse };
  ListFeatures: { request: ListFeaturesRequest; response: ListFeaturesResponse };
  GetUsage: { request: GetUsageRequest; response: GetUsageResponse };
}
