// Generated from stoa/v1/store.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const StoreFeeds: TSchema = Type.Object({
  llms_enabled: Type.Boolean(),
  products_enabled: Type.Boolean(),
});

export const StoreFeedsInput: TSchema = Type.Object({
  llms_enabled: Type.Optional(Type.Boolean()),
  products_enabled: Type.Optional(Type.Boolean()),
});

export const IdentityProvider: TSchema = Type.Object({
  verifier_url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  issuer: Type.Optional(Text({ minLength: 1, maxLength: 2048 })),
  jwks_url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  audience: Type.Optional(Text({ minLength: 1, maxLength: 2048 })),
});

export const IdentityProviderInput: TSchema = Type.Object({
  verifier_url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  issuer: Type.Optional(Text({ minLength: 1, maxLength: 2048 })),
  jwks_url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  audience: Type.Optional(Text({ minLength: 1, maxLength: 2048 })),
});

export const StoreAgents: TSchema = Type.Object({
  mcp: Type.Boolean(),
  acp: Type.Boolean(),
  ucp: Type.Boolean(),
});

export const StoreAgentsInput: TSchema = Type.Object({
  mcp: Type.Optional(Type.Boolean()),
  acp: Type.Optional(Type.Boolean()),
  ucp: Type.Optional(Type.Boolean()),
});

export const StoreProfile: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  code: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  logo_url: Type.Union([Type.String(), Type.Null()]),
  branding: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  website_url: Type.Union([Type.String(), Type.Null()]),
  contact_email: Type.Union([Type.String(), Type.Null()]),
  contact_phone: Type.Union([Type.String(), Type.Null()]),
  currency: Type.String(),
  currency_symbol: Type.String(),
  country: Type.Union([Type.String(), Type.Null()]),
  timezone: Type.String(),
  wholesale_enabled: Type.Boolean(),
  return_window_days: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  tax_inclusive: Type.Boolean(),
  feeds: StoreFeeds,
  cart_abandoned_after_minutes: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  intent_ttl_minutes: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  allowed_redirect_origins: Type.Array(Type.String()),
  idp: Type.Optional(Type.Union([IdentityProvider, Type.Null()])),
  review_approval: Type.Optional(Type.Union([Type.Literal("manual"), Type.Literal("verified"), Type.Literal("all")])),
  agents: StoreAgents,
  domains: Type.Array(Type.String()),
});

export const GetStoreRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const GetStoreResponse: TSchema = Type.Object({
  store: StoreProfile,
});

export const UpdateStoreRequest: TSchema = Type.Object({
  name: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  description: Type.Optional(Type.Union([Text({ maxLength: 5000 }), Type.Null()])),
  logo_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  branding: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
  website_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  contact_email: Type.Optional(Type.Union([Text({ maxLength: 254, format: "email" }), Type.Null()])),
  contact_phone: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 40 }), Type.Null()])),
  currency: Type.Optional(Text({ format: "currency" })),
  country: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2}$" }), Type.Null()])),
  timezone: Type.Optional(Text({ minLength: 1, maxLength: 64 })),
  wholesale_enabled: Type.Optional(Type.Boolean()),
  return_window_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  low_stock_threshold: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000000 })),
  tax_inclusive: Type.Optional(Type.Boolean()),
  feeds: Type.Optional(StoreFeedsInput),
  cart_abandoned_after_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 43200 })),
  intent_ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
  allowed_redirect_origins: Type.Optional(Type.Array(Text({ maxLength: 2048 }), { maxItems: 50 })),
  idp: Type.Optional(Type.Union([IdentityProviderInput, Type.Null()])),
  review_approval: Type.Optional(Type.Union([Type.Literal("manual"), Type.Literal("verified"), Type.Literal("all")])),
  agents: Type.Optional(StoreAgentsInput),
  domains: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 253 }), { maxItems: 20 })),
});

export const UpdateStoreResponse: TSchema = Type.Object({
  store: StoreProfile,
});

export const Policy: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  title: Type.String(),
  body: Type.String(),
  version: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  status: Type.Union([Type.Literal("published"), Type.Literal("draft")]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const ListPoliciesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListPoliciesResponse: TSchema = Type.Object({
  policies: Type.Array(Policy),
});

export const GetPolicyRequest: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  version: Type.Optional(Type.Integer({ maximum: 2147483647, minimum: 1 })),
  draft: Type.Optional(Type.Boolean()),
  fields: Type.Optional(Type.String()),
});

export const GetPolicyResponse: TSchema = Type.Object({
  policy: Policy,
});

export const PutPolicyRequest: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  title: Text({ minLength: 1, maxLength: 200 }),
  body: Text({ minLength: 1, maxLength: 500000 }),
  publish: Type.Optional(Type.Boolean()),
});

export const PutPolicyResponse: TSchema = Type.Object({
  policy: Policy,
});

export const Feature: TSchema = Type.Object({
  feature: Type.String(),
  status: Type.Union([Type.Literal("available"), Type.Literal("awaiting_data"), Type.Literal("not_in_plan")]),
  previous_status: Type.Union([Type.Union([Type.Literal("available"), Type.Literal("awaiting_data"), Type.Literal("not_in_plan")]), Type.Null()]),
});

export const ListFeaturesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListFeaturesResponse: TSchema = Type.Object({
  features: Type.Array(Feature),
});

export const GetUsageRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const Usage: TSchema = Type.Object({
  plan: Type.Union([Type.Literal("starter"), Type.Literal("growth"), Type.Literal("premium"), Type.Literal("enterprise")]),
  trial: Type.Boolean(),
  month: Type.String(),
  quota: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  used: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  remaining: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
});

export const GetUsageResponse: TSchema = Type.Object({
  usage: Usage,
});

export const JudgeSignatureRequest: TSchema = Type.Object({
  signature: Type.String(),
  operation: Type.String(),
  key: Type.String(),
});

export const JudgeSignatureResponse: TSchema = Type.Object({
  reused: Type.Boolean(),
});

export const ActForStoreRequest: TSchema = Type.Object({
  key_id: Type.String(),
});

export const ResolveKeyRequest: TSchema = Type.Object({
  key_hash: Text({ pattern: "^[0-9a-f]{64}$" }),
});

export const PlanLimits: TSchema = Type.Object({
  key_hour: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  key_day: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  network_hour: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  month: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const Principal: TSchema = Type.Object({
  key_id: Text({ format: "uuid" }),
  key_type: Type.Union([Type.Literal("publishable"), Type.Literal("secret"), Type.Literal("operator")]),
  store_id: Text({ format: "uuid" }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  plan: Type.String(),
  trial: Type.Boolean(),
  limits: PlanLimits,
  hmac_secret: Type.Union([Type.String(), Type.Null()]),
  currency: Type.Union([Type.String(), Type.Null()]),
  operator_stores: Type.Array(Type.String()),
  wholesale: Type.Boolean(),
});

export const ResolveKeyResponse: TSchema = Type.Object({
  principal: Principal,
});

export const NoteFeatureRequest: TSchema = Type.Object({
  feature: Type.String(),
  has_data: Type.Boolean(),
});

export const NoteFeatureResponse: TSchema = Type.Object({});

export const GetProfileRequest: TSchema = Type.Object({
  store: Type.String(),
});

export const GetProfileResponse: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  code: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  logo_url: Type.Union([Type.String(), Type.Null()]),
  website_url: Type.Union([Type.String(), Type.Null()]),
  currency: Type.String(),
  currency_symbol: Type.String(),
  country: Type.Union([Type.String(), Type.Null()]),
  timezone: Type.String(),
  plan: Type.String(),
  trial: Type.Boolean(),
  lapsed: Type.Boolean(),
  wholesale_enabled: Type.Boolean(),
  feeds: StoreFeeds,
  tax_inclusive: Type.Boolean(),
  low_stock_threshold: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  return_window_days: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  cart_abandoned_after_minutes: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  intent_ttl_minutes: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  review_approval: Type.Union([Type.Literal("manual"), Type.Literal("verified"), Type.Literal("all")]),
  contact_email: Type.Union([Type.String(), Type.Null()]),
  contact_phone: Type.Union([Type.String(), Type.Null()]),
  agents: StoreAgents,
  domains: Type.Array(Type.String()),
});

export const GetIdentityRequest: TSchema = Type.Object({});

export const GetIdentityResponse: TSchema = Type.Object({
  name: Type.String(),
  contact_email: Type.Union([Type.String(), Type.Null()]),
  website_url: Type.Union([Type.String(), Type.Null()]),
  allowed_redirect_origins: Type.Array(Type.String()),
  idp: Type.Union([IdentityProvider, Type.Null()]),
  external_auth_secret: Type.Union([Type.String(), Type.Null()]),
  hmac_secret: Type.String(),
});

export const CreateStoreRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 200 }),
  currency: Text({ format: "currency" }),
  country: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  plan: Type.Optional(Type.Union([Type.Literal("trial"), Type.Literal("starter"), Type.Literal("growth"), Type.Literal("premium"), Type.Literal("enterprise")])),
  wholesale: Type.Optional(Type.Boolean()),
});

export const CreateStoreResponse: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  code: Type.String(),
  secret_key: Type.String(),
  publishable_key: Type.String(),
  secret_test_key: Type.String(),
  publishable_test_key: Type.String(),
  hmac_secret: Type.String(),
  hmac_test_secret: Type.String(),
});

export const CreateOperatorRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 200 }),
  stores: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }),
});

export const CreateOperatorResponse: TSchema = Type.Object({
  operator_id: Text({ format: "uuid" }),
  operator_key: Type.String(),
  operator_test_key: Type.String(),
});

export const ListMerchantsRequest: TSchema = Type.Object({
  operator_id: Type.String(),
});

export const ListMerchantsResponse: TSchema = Type.Object({
  stores: Type.Array(Type.String()),
});

export const SetMerchantRequest: TSchema = Type.Object({
  operator: Text({ format: "uuid" }),
  store: Type.String(),
  member: Type.Boolean(),
});

export const SetMerchantResponse: TSchema = Type.Object({
  operator_id: Text({ format: "uuid" }),
  stores: Type.Array(Type.String()),
});

export const RotateKeysRequest: TSchema = Type.Object({
  store: Type.String(),
  environment: Type.Optional(Type.Union([Type.Literal("production"), Type.Literal("sandbox")])),
  kind: Type.Optional(Type.Union([Type.Literal("secret"), Type.Literal("publishable"), Type.Literal("hmac")])),
});

export const RotateKeysResponse: TSchema = Type.Object({
  environment: Type.String(),
  kind: Type.String(),
  value: Type.String(),
});

export const RevokeKeyRequest: TSchema = Type.Object({
  key: Type.Optional(Text({ maxLength: 200 })),
  key_id: Type.Optional(Text({ format: "uuid" })),
});

export const RevokeKeyResponse: TSchema = Type.Object({
  key_id: Text({ format: "uuid" }),
  revoked: Type.Boolean(),
});

export const SetPlanRequest: TSchema = Type.Object({
  store: Type.String(),
  plan: Type.Union([Type.Literal("trial"), Type.Literal("starter"), Type.Literal("growth"), Type.Literal("premium"), Type.Literal("enterprise")]),
  trial: Type.Optional(Type.Boolean()),
});

export const LapseStoreRequest: TSchema = Type.Object({
  store: Type.String(),
  lapsed: Type.Optional(Type.Boolean()),
});

export const SetLimitsRequest: TSchema = Type.Object({
  store: Type.String(),
  key_hour: Type.Optional(Type.Union([Type.Integer({ maximum: 9007199254740991, minimum: 0 }), Type.Null()])),
  key_day: Type.Optional(Type.Union([Type.Integer({ maximum: 9007199254740991, minimum: 0 }), Type.Null()])),
  network_hour: Type.Optional(Type.Union([Type.Integer({ maximum: 9007199254740991, minimum: 0 }), Type.Null()])),
  month: Type.Optional(Type.Union([Type.Integer({ maximum: 9007199254740991, minimum: 0 }), Type.Null()])),
});

export const PlanResponse: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  plan: Type.String(),
  trial: Type.Boolean(),
  lapsed: Type.Boolean(),
  limits: PlanLimits,
});

export const CreateExternalAuthSecretRequest: TSchema = Type.Object({
  store: Type.String(),
  environment: Type.Optional(Type.Union([Type.Literal("production"), Type.Literal("sandbox")])),
});

export const CreateExternalAuthSecretResponse: TSchema = Type.Object({
  external_auth_secret: Type.String(),
});
