// Generated from stoa/v1/customer_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Customer } from './customer.schema.ts';

export const ResolveSessionRequest: TSchema = Type.Object({
  token_hash: Text({ pattern: "^[0-9a-f]{64}$" }),
});

export const ResolveSessionResponse: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
  session_id: Text({ format: "uuid" }),
  expires_at: Text({ format: "date-time" }),
  remaining_ms: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const ResolveAssertionRequest: TSchema = Type.Object({
  kind: Type.Union([Type.Literal("external_auth"), Type.Literal("idp")]),
  token: Text({ maxLength: 8192 }),
});

export const ResolveAssertionResponse: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
  remaining_ms: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const FindCustomerRequest: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
});

export const FindCustomerResponse: TSchema = Type.Object({
  customer: Customer,
});

export const FindShopperRequest: TSchema = Type.Object({
  stores: Type.Array(Type.String()),
  token: Type.String(),
});

export const ShopperCustomer: TSchema = Type.Object({
  store_id: Type.String(),
  customer: Customer,
});

export const FindShopperResponse: TSchema = Type.Object({
  email: Type.String(),
  proved: Type.Boolean(),
  customers: Type.Array(ShopperCustomer),
});
