// Generated from stoa/v1/connect.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';
import { Principal } from './store_directory.schema.ts';

export const ConnectSession: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  client_id: Type.String(),
  client_name: Type.String(),
  redirect_uri: Type.String(),
  connect_url: Type.Union([Type.String(), Type.Null()]),
  status: Type.Union([Type.Literal("pending"), Type.Literal("authorized"), Type.Literal("denied"), Type.Literal("expired")]),
  scopes: Type.Array(Type.String()),
  created_at: Text({ format: "date-time" }),
  expires_at: Text({ format: "date-time" }),
});

export const ConnectSessionResponse: TSchema = Type.Object({
  session: ConnectSession,
});

export const CreateConnectSessionRequest: TSchema = Type.Object({
  client_name: Text({ minLength: 1, maxLength: 100 }),
  redirect_uri: Text({ minLength: 1, maxLength: 2048 }),
  scopes: Type.Array(Type.String(), { minItems: 1, maxItems: 30 }),
  client_id: Type.Optional(Text({ maxLength: 100 })),
});

export const ListConnectSessionsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListConnectSessionsResponse: TSchema = Type.Object({
  sessions: Type.Array(ConnectSession),
  pagination: Pagination,
});

export const ConnectGrant: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  client_id: Type.String(),
  client_name: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Text({ format: "date-time" }),
  last_used_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const ListGrantsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListGrantsResponse: TSchema = Type.Object({
  grants: Type.Array(ConnectGrant),
  pagination: Pagination,
});

export const DeleteGrantRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const ValidateAuthorizationRequest: TSchema = Type.Object({
  response_type: Type.Optional(Text({ maxLength: 100 })),
  client_id: Type.Optional(Text({ maxLength: 100 })),
  redirect_uri: Type.Optional(Text({ maxLength: 2048 })),
  scope: Type.Optional(Text({ maxLength: 2048 })),
  state: Type.Optional(Text({ maxLength: 2048 })),
  code_challenge: Type.Optional(Text({ maxLength: 200 })),
  code_challenge_method: Type.Optional(Text({ maxLength: 100 })),
});

export const ValidateAuthorizationResponse: TSchema = Type.Object({
  valid: Type.Boolean(),
  client_name: Type.String(),
  store_name: Type.String(),
  scopes: Type.Array(Type.String()),
});

export const IssueTokenRequest: TSchema = Type.Object({
  grant_type: Type.Optional(Text({ maxLength: 100 })),
  code: Type.Optional(Text({ maxLength: 200 })),
  redirect_uri: Type.Optional(Text({ maxLength: 2048 })),
  code_verifier: Type.Optional(Text({ maxLength: 200 })),
  refresh_token: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  scope: Type.Optional(Type.Union([Text({ maxLength: 2048 }), Type.Null()])),
  client_id: Type.Optional(Text({ maxLength: 100 })),
  client_secret: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  authorization: Type.Optional(Text({ maxLength: 1000 })),
});

export const IssueTokenResponse: TSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.String(),
  expires_in: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  refresh_token: Type.String(),
  scope: Type.String(),
  store_id: Text({ format: "uuid" }),
});

export const RevokeTokenRequest: TSchema = Type.Object({
  token: Type.Optional(Type.String()),
  token_type_hint: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  client_secret: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  authorization: Type.Optional(Text({ maxLength: 1000 })),
});

export const RevokeTokenResponse: TSchema = Type.Object({});

export const ResolveAccessTokenRequest: TSchema = Type.Object({
  token_hash: Text({ pattern: "^[0-9a-f]{64}$" }),
});

export const ResolveAccessTokenResponse: TSchema = Type.Object({
  principal: Principal,
  scopes: Type.Array(Type.String()),
  expires_in_ms: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  name: Type.String(),
});

export const ConsentRequest: TSchema = Type.Object({
  ticket: Type.String(),
  query: Type.Optional(Type.String()),
});

export const ConsentResponse: TSchema = Type.Object({
  store_name: Type.String(),
  client_name: Type.String(),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  scopes: Type.Array(Type.String()),
  redirect_uri: Type.String(),
  location: Type.Union([Type.String(), Type.Null()]),
});

export const DecideConsentRequest: TSchema = Type.Object({
  ticket: Type.String(),
  query: Type.Optional(Type.String()),
  allow: Type.Optional(Type.Boolean()),
});

export const DecideConsentResponse: TSchema = Type.Object({
  location: Type.String(),
});

export const CreateClientRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 100 }),
  redirect_uris: Type.Array(Type.String(), { minItems: 1, maxItems: 20 }),
});

export const CreateClientResponse: TSchema = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String(),
});
