// Generated from stoa/v1/store_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { StoreCurrency } from './exchange_rate.schema.ts';
import { IdentityProvider, StoreAgents, StoreFeeds } from './store.schema.ts';

export const ListRetentionRequest: TSchema = Type.Object({});

export const RetentionOfStore: TSchema = Type.Object({
  store_id: Type.String(),
  days: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), { additionalProperties: false }),
});

export const ListRetentionResponse: TSchema = Type.Object({
  stores: Type.Array(RetentionOfStore),
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

export const PreviousHmacSecret: TSchema = Type.Object({
  secret: Type.String(),
  until_ms: Type.Number(),
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
  languages: Type.Array(Type.String()),
  previous_hmac_secret: Type.Union([PreviousHmacSecret, Type.Null()]),
});

export const ResolveKeyResponse: TSchema = Type.Object({
  principal: Principal,
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  expires_in_ms: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
});

export const ActForStoreResponse: TSchema = Type.Object({
  principal: Principal,
});

export const KeyUse: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  key_id: Text({ format: "uuid" }),
  used_at_ms: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  address: Type.Optional(Type.Union([Text({ maxLength: 64 }), Type.Null()])),
});

export const RecordKeyUsesRequest: TSchema = Type.Object({
  uses: Type.Array(KeyUse, { maxItems: 1000 }),
});

export const RecordKeyUsesResponse: TSchema = Type.Object({});

export const ReportFeatureRequest: TSchema = Type.Object({
  feature: Type.String(),
  has_data: Type.Boolean(),
});

export const ReportFeatureResponse: TSchema = Type.Object({});

export const GetProfileRequest: TSchema = Type.Object({
  store: Type.String(),
});

export const StoreColours: TSchema = Type.Object({
  primary_color: Type.Union([Type.String(), Type.Null()]),
  background_color: Type.Union([Type.String(), Type.Null()]),
  text_color: Type.Union([Type.String(), Type.Null()]),
});

export const StoredRate: TSchema = Type.Object({
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  currency: Type.String(),
  base_currency: Type.String(),
  rate: Type.Number(),
  round_to: Type.Union([Type.String(), Type.Null()]),
  max_age_hours: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  updated_at_ms: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
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
  colours: StoreColours,
  languages: Type.Array(Type.String()),
  currencies: Type.Array(StoreCurrency),
  exchange_rates: Type.Array(StoredRate),
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
  previous_hmac_secret: Type.Union([PreviousHmacSecret, Type.Null()]),
});

export const GetOperatorRequest: TSchema = Type.Object({
  operator_id: Text({ format: "uuid" }),
});

export const GetOperatorResponse: TSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
});

export const ListMerchantsRequest: TSchema = Type.Object({
  operator_id: Type.String(),
});

export const ListMerchantsResponse: TSchema = Type.Object({
  stores: Type.Array(Type.String()),
});

export const ListSellingMerchantsRequest: TSchema = Type.Object({
  operator_id: Type.String(),
});

export const SellingMerchant: TSchema = Type.Object({
  store_id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  language: Type.String(),
});

export const ListSellingMerchantsResponse: TSchema = Type.Object({
  merchants: Type.Array(SellingMerchant),
});

export const ListOperatorsRequest: TSchema = Type.Object({});

export const ListOperatorsResponse: TSchema = Type.Object({
  operators: Type.Array(Type.String()),
});
