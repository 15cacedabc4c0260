// Generated from stoa/v1/store_admin.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { ApiKey } from './key.schema.ts';
import { PlanLimits } from './store_directory.schema.ts';

export const CreateStoreRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
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
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  stores: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }),
});

export const CreateOperatorResponse: TSchema = Type.Object({
  operator_id: Text({ format: "uuid" }),
  operator_key: Type.String(),
  operator_test_key: Type.String(),
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

export const RotateHmacSecretRequest: TSchema = Type.Object({
  store: Type.String(),
  environment: Type.Optional(Type.Union([Type.Literal("production"), Type.Literal("sandbox")])),
  step: Type.Optional(Type.Union([Type.Literal("start"), Type.Literal("undo"), Type.Literal("finish")])),
});

export const RotateHmacSecretResponse: TSchema = Type.Object({
  environment: Type.String(),
  hmac_secret: Type.Union([Type.String(), Type.Null()]),
  both_until: Type.Union([Type.String(), Type.Null()]),
});

export const GetHmacRotationRequest: TSchema = Type.Object({
  store: Type.String(),
  environment: Type.Optional(Type.Union([Type.Literal("production"), Type.Literal("sandbox")])),
});

export const GetHmacRotationResponse: TSchema = Type.Object({
  environment: Type.String(),
  both_until: Type.Union([Type.String(), Type.Null()]),
});

export const GetSealingRequest: TSchema = Type.Object({});

export const SealedCount: TSchema = Type.Object({
  name: Type.String(),
  secrets: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  waiting: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const GetSealingResponse: TSchema = Type.Object({
  key_id: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  columns: Type.Array(SealedCount),
});

export const ListStoreKeysRequest: TSchema = Type.Object({
  store: Type.String(),
});

export const ListStoreKeysResponse: TSchema = Type.Object({
  keys: Type.Array(ApiKey),
});

export const CreateStoreKeyRequest: TSchema = Type.Object({
  store: Type.String(),
  name: Text({ minLength: 1, maxLength: 100, format: "words" }),
  type: Type.Union([Type.Literal("secret"), Type.Literal("publishable")]),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  scopes: Type.Optional(Type.Union([Type.Array(Type.String(), { minItems: 1, maxItems: 30 }), Type.Null()])),
});

export const RollStoreKeyRequest: TSchema = Type.Object({
  store: Type.String(),
  key_id: Text({ format: "uuid" }),
  overlap_hours: Type.Integer({ minimum: 0, maximum: 168 }),
});

export const RevokeKeyRequest: TSchema = Type.Object({
  key: Type.Optional(Text({ maxLength: 200 })),
  key_id: Type.Optional(Text({ format: "uuid" })),
  store: Type.Optional(Type.String()),
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

export const SetLapsedRequest: TSchema = Type.Object({
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
