// Generated from stoa/v1/store.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { StoreCurrency, StoreCurrencyInput } from './exchange_rate.schema.ts';
import { StoreRetention, StoreRetentionInput } from './retention.schema.ts';

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
  language: Type.String(),
  languages: Type.Array(Type.String()),
  currencies: Type.Array(StoreCurrency),
  updated_at: Type.Optional(Text({ format: "date-time" })),
  retention: Type.Optional(StoreRetention),
});

export const GetStoreRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const GetStoreResponse: TSchema = Type.Object({
  store: StoreProfile,
});

export const UpdateStoreRequest: TSchema = Type.Object({
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  logo_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
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
  language: Type.Optional(Text({ minLength: 1, maxLength: 35 })),
  languages: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 35 }), { maxItems: 49 })),
  currencies: Type.Optional(Type.Array(StoreCurrencyInput, { maxItems: 30 })),
  version: Type.Optional(Text({ format: "date-time" })),
  retention: Type.Optional(StoreRetentionInput),
});

export const UpdateStoreResponse: TSchema = Type.Object({
  store: StoreProfile,
});

export const PolicyTranslation: TSchema = Type.Object({
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 200, format: "words" }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500000, format: "words" }), Type.Null()])),
});

export const PolicyTranslationInput: TSchema = Type.Object({
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 200, format: "words" }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500000, format: "words" }), Type.Null()])),
});

export const Policy: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  title: Type.String(),
  body: Type.String(),
  version: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  status: Type.Union([Type.Literal("published"), Type.Literal("draft")]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), PolicyTranslation, { additionalProperties: false })),
});

export const ListPoliciesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListPoliciesResponse: TSchema = Type.Object({
  policies: Type.Array(Policy),
});

export const GetPolicyRequest: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  version: Type.Optional(Type.Integer({ maximum: 2147483647, minimum: 1 })),
  draft: Type.Optional(Type.Boolean()),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const GetPolicyResponse: TSchema = Type.Object({
  policy: Policy,
});

export const PutPolicyRequest: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  title: Text({ minLength: 1, maxLength: 200, format: "words" }),
  body: Text({ minLength: 1, maxLength: 500000, format: "words" }),
  publish: Type.Optional(Type.Boolean()),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([PolicyTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
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
