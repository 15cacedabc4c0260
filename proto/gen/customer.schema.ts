// Generated from stoa/v1/customer.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address, AddressInput, Pagination } from './shared.schema.ts';

export const Customer: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  external_id: Type.Union([Type.String(), Type.Null()]),
  email: Type.String(),
  first_name: Type.Union([Type.String(), Type.Null()]),
  last_name: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
  group: Type.Union([Type.String(), Type.Null()]),
  addresses: Type.Array(Address),
  metadata: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.String(), { additionalProperties: false }),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const CustomerSession: TSchema = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  expires_at: Text({ format: "date-time" }),
});

export const SignedIn: TSchema = Type.Object({
  customer: Customer,
  session: CustomerSession,
});

export const RegisterRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  password: Text({ minLength: 8, maxLength: 200 }),
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40 }), Type.Null()])),
});

export const LoginRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  password: Text({ minLength: 1, maxLength: 200 }),
});

export const RefreshRequest: TSchema = Type.Object({
  refresh_token: Text({ minLength: 1, maxLength: 200 }),
});

export const SendMagicLinkRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  redirect_to: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
});

export const MailAccepted: TSchema = Type.Object({
  message: Type.String(),
  email: Type.String(),
});

export const VerifyMagicLinkRequest: TSchema = Type.Object({
  token: Text({ minLength: 1, maxLength: 200 }),
});

export const SendOtpRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
});

export const VerifyOtpRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  code: Text({ minLength: 1, maxLength: 20 }),
});

export const ResetPasswordRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  redirect_to: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
});

export const ConfirmResetRequest: TSchema = Type.Object({
  token: Text({ minLength: 1, maxLength: 200 }),
  password: Text({ minLength: 8, maxLength: 200 }),
});

export const PasswordChanged: TSchema = Type.Object({
  message: Type.String(),
});

export const UpdatePasswordRequest: TSchema = Type.Object({
  current_password: Text({ minLength: 1, maxLength: 200 }),
  new_password: Text({ minLength: 8, maxLength: 200 }),
});

export const LogoutRequest: TSchema = Type.Object({});

export const LogoutResponse: TSchema = Type.Object({
  logged_out: Type.Boolean(),
});

export const GetMeRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const GetMeResponse: TSchema = Type.Object({
  customer: Customer,
});

export const ListCustomersRequest: TSchema = Type.Object({
  email: Type.Optional(Text({ maxLength: 254 })),
  group: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListCustomersResponse: TSchema = Type.Object({
  customers: Type.Array(Customer),
  pagination: Pagination,
});

export const CreateCustomerRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40 }), Type.Null()])),
  addresses: Type.Optional(Type.Array(AddressInput, { maxItems: 50 })),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
  external_id: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 200 }), Type.Null()])),
  group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
});

export const CustomerResponse: TSchema = Type.Object({
  customer: Customer,
});

export const GetCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const UpdateCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Type.Optional(Text({ format: "email" })),
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40 }), Type.Null()])),
  addresses: Type.Optional(Type.Array(AddressInput, { maxItems: 50 })),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
});

export const DeleteCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const SetCustomerGroupRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  group: Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()]),
});

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
