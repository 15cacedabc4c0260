// Generated from stoa/v1/key.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const ApiKey: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  type: Type.Union([Type.Literal("secret"), Type.Literal("publishable")]),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  prefix: Type.String(),
  last_four: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  last_used_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  last_used_address: Type.Union([Type.String(), Type.Null()]),
  expires_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  revoked: Type.Boolean(),
  secret: Type.Optional(Type.String()),
  hmac_secret: Type.Optional(Type.String()),
});

export const KeyResponse: TSchema = Type.Object({
  key: ApiKey,
});

export const ListKeysRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  environment: Type.Optional(Type.Union([Type.Literal("production"), Type.Literal("sandbox")])),
  fields: Type.Optional(Type.String()),
});

export const ListKeysResponse: TSchema = Type.Object({
  keys: Type.Array(ApiKey),
  pagination: Pagination,
});

export const CreateKeyRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 100, format: "words" }),
  type: Type.Union([Type.Literal("secret"), Type.Literal("publishable")]),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  scopes: Type.Optional(Type.Union([Type.Array(Type.String(), { minItems: 1, maxItems: 30 }), Type.Null()])),
});

export const UpdateKeyRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 100, format: "words" })),
  scopes: Type.Optional(Type.Union([Type.Array(Type.String(), { minItems: 1, maxItems: 30 }), Type.Null()])),
});

export const RollKeyRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  overlap_hours: Type.Integer({ minimum: 0, maximum: 168 }),
});

export const DeleteKeyRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
