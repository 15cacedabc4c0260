// Generated from stoa/v1/shipping_provider.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const ConnectedProvider: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  kind: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  name: Type.String(),
  base_url: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  signing_secret: Type.Optional(Type.String()),
  created_at: Text({ format: "date-time" }),
});

export const ListProvidersRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListProvidersResponse: TSchema = Type.Object({
  providers: Type.Array(ConnectedProvider),
  pagination: Pagination,
});

export const CreateProviderRequest: TSchema = Type.Object({
  kind: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  api_key: Type.Optional(Text({ minLength: 1, maxLength: 500 })),
  base_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
});

export const ProviderResponse: TSchema = Type.Object({
  provider: ConnectedProvider,
});

export const DeleteProviderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
