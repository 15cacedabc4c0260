// Generated from stoa/v1/store.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

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

/** Who verifies `x-idp-token`: a verifier of the store's, or an issuer whose keys are public. One of the two. */
export type IdentityProvider = {
  verifier_url?: string;
  issuer?: string;
  jwks_url?: string;
  audience?: string;
};

/** Who verifies `x-idp-token`: a verifier of the store's, or an issuer whose keys are public. One of the two. */
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
  /** Free-form: colours, fonts, whatever the storefront reads. */
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
  /** Where a mailed link may lead beside `website_url`; each environment's own. */
  allowed_redirect_origins: readonly string[];
  /** Shown to a secret key only; each environment's own. */
  idp?: IdentityProvider | null;
  /** Which reviews are approved as they are written: none, those of verified purchases, or all. Shown to a secret key only. */
  review_approval?: "manual" | "verified" | "all";
  /** The agent protocols that the store speaks. */
  agents: StoreAgents;
  /** Hosts at whose root agents find the store, beside its address here. */
  domains: readonly string[];
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
  /** What it names is set, the rest stays. */
  feeds?: StoreFeedsInput;
  cart_abandoned_after_minutes?: number;
  intent_ttl_minutes?: number;
  /** Origins such as `https://shop.example`, without a path. */
  allowed_redirect_origins?: readonly string[];
  idp?: IdentityProviderInput | null;
  /** `manual` at first. */
  review_approval?: "manual" | "verified" | "all";
  /** What it names is set, the rest stays. */
  agents?: StoreAgentsInput;
  /** Host names such as `shop.example`, without a port. One that another store has: 409. */
  domains?: readonly string[];
};

export type UpdateStoreResponse = {
  store: StoreProfile;
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
};

export type ListPoliciesRequest = {
  /** Comma-separated names of a policy's fields to return. */
  fields?: string;
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

export type JudgeSignatureRequest = {
  signature: string;
  /** The verb and the concrete path. */
  operation: string;
  /** The `Idempotency-Key` that it comes with. */
  key: string;
};

export type JudgeSignatureResponse = {
  reused: boolean;
};

export type ActForStoreRequest = {
  key_id: string;
};

export type ResolveKeyRequest = {
  /** SHA-256 of the key's whole text, in hex. */
  key_hash: string;
};

/** Requests admitted in each fixed window; 0 where it is not metered. */
export type PlanLimits = {
  key_hour: number;
  key_day: number;
  network_hour: number;
  month: number;
};

/** Who stands behind a key, with all that an edge needs to admit its calls. */
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
};

export type ResolveKeyResponse = {
  principal: Principal;
};

export type NoteFeatureRequest = {
  /** One whose data another domain knows of: `recommendations`, `reviews`. */
  feature: string;
  has_data: boolean;
};

export type NoteFeatureResponse = Record<never, never>;

export type GetProfileRequest = {
  /** The store's id or code, or a host among its `domains`. */
  store: string;
};

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
  /** What is on: of a wholesale store nothing is. */
  agents: StoreAgents;
  domains: readonly string[];
};

export type GetIdentityRequest = Record<never, never>;

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
};

export type CreateStoreRequest = {
  name: string;
  currency: string;
  country?: string | null;
  /** `starter` where left out; `trial` is a trial of starter. */
  plan?: "trial" | "starter" | "growth" | "premium" | "enterprise";
  wholesale?: boolean;
};

export type CreateStoreResponse = {
  store_id: string;
  code: string;
  secret_key: string;
  publishable_key: string;
  secret_test_key: string;
  publishable_test_key: string;
  hmac_secret: string;
  hmac_test_secret: string;
};

export type CreateOperatorRequest = {
  name: string;
  /** Ids or codes of its merchants. */
  stores: readonly string[];
};

export type CreateOperatorResponse = {
  operator_id: string;
  operator_key: string;
  operator_test_key: string;
};

export type ListMerchantsRequest = {
  operator_id: string;
};

export type ListMerchantsResponse = {
  stores: readonly string[];
};

export type SetMerchantRequest = {
  operator: string;
  /** The store's id or code. */
  store: string;
  /** Whether it is a merchant of the operator's from here on. */
  member: boolean;
};

export type SetMerchantResponse = {
  operator_id: string;
  /** All of its merchants. */
  stores: readonly string[];
};

export type RotateKeysRequest = {
  /** The store's id or code. */
  store: string;
  /** `production` where left out. */
  environment?: "production" | "sandbox";
  /** What to replace; `secret` where left out. */
  kind?: "secret" | "publishable" | "hmac";
};

export type RotateKeysResponse = {
  environment: string;
  kind: string;
  /** The new key or secret, shown this once. */
  value: string;
};

export type RevokeKeyRequest = {
  /** The key's whole text. */
  key?: string;
  key_id?: string;
};

export type RevokeKeyResponse = {
  key_id: string;
  revoked: boolean;
};

export type SetPlanRequest = {
  /** The store's id or code. */
  store: string;
  /** `trial` is a trial of starter. */
  plan: "trial" | "starter" | "growth" | "premium" | "enterprise";
  /** A trial of the plan. */
  trial?: boolean;
};

export type LapseStoreRequest = {
  /** The store's id or code. */
  store: string;
  /** True where left out. */
  lapsed?: boolean;
};

export type SetLimitsRequest = {
  /** The store's id or code. */
  store: string;
  /** Null takes the override away, 0 means not metered, what is left out stays. */
  key_hour?: number | null;
  key_day?: number | null;
  network_hour?: number | null;
  month?: number | null;
};

/** A store's plan as it now stands. */
export type PlanResponse = {
  store_id: string;
  plan: string;
  trial: boolean;
  lapsed: boolean;
  limits: PlanLimits;
};

export type CreateExternalAuthSecretRequest = {
  /** The store's id or code. */
  store: string;
  /** `production` where left out. */
  environment?: "production" | "sandbox";
};

export type CreateExternalAuthSecretResponse = {
  external_auth_secret: string;
};

/** What a merchant sees and sets of their store. */
export interface StoreRpcs {
  GetStore: { request: GetStoreRequest; response: GetStoreResponse };
  UpdateStore: { request: UpdateStoreRequest; response: UpdateStoreResponse };
  ListPolicies: { request: ListPoliciesRequest; response: ListPoliciesResponse };
  GetPolicy: { request: GetPolicyRequest; response: GetPolicyResponse };
  PutPolicy: { request: PutPolicyRequest; response: PutPolicyResponse };
  ListFeatures: { request: ListFeaturesRequest; response: ListFeaturesResponse };
  GetUsage: { request: GetUsageRequest; response: GetUsageResponse };
}

/** What other parts of the house ask of stores and keys. */
export interface StoreDirectoryRpcs {
  ResolveKey: { request: ResolveKeyRequest; response: ResolveKeyResponse };
  ActForStore: { request: ActForStoreRequest; response: ResolveKeyResponse };
  ActAsShopper: { request: ActForStoreRequest; response: ResolveKeyResponse };
  GetProfile: { request: GetProfileRequest; response: GetProfileResponse };
  GetIdentity: { request: GetIdentityRequest; response: GetIdentityResponse };
  ListMerchants: { request: ListMerchantsRequest; response: ListMerchantsResponse };
  JudgeSignature: { request: JudgeSignatureRequest; response: JudgeSignatureResponse };
  NoteFeature: { request: NoteFeatureRequest; response: NoteFeatureResponse };
}

/** What the command line does to stores, keys and plans. */
export interface StoreAdminRpcs {
  CreateStore: { request: CreateStoreRequest; response: CreateStoreResponse };
  CreateOperator: { request: CreateOperatorRequest; response: CreateOperatorResponse };
  SetMerchant: { request: SetMerchantRequest; response: SetMerchantResponse };
  RotateKeys: { request: RotateKeysRequest; response: RotateKeysResponse };
  RevokeKey: { request: RevokeKeyRequest; response: RevokeKeyResponse };
  SetPlan: { request: SetPlanRequest; response: PlanResponse };
  LapseStore: { request: LapseStoreRequest; response: PlanResponse };
  SetLimits: { request: SetLimitsRequest; response: PlanResponse };
  CreateExternalAuthSecret: { request: CreateExternalAuthSecretRequest; response: CreateExternalAuthSecretResponse };
}
