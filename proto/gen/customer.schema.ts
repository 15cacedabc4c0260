// Generated from stoa/v1/customer.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address } from './shared.schema.ts';

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
  language: Type.Union([Type.String(), Type.Null()]),
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
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
  device: Type.Optional(Type.String()),
});

export const LoginRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  password: Text({ minLength: 1, maxLength: 200 }),
  device: Type.Optional(Type.String()),
});

export const RefreshRequest: TSchema = Type.Object({
  refresh_token: Text({ minLength: 1, maxLength: 200 }),
  device: Type.Optional(Type.String()),
});

export const SendMagicLinkRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  redirect_to: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const MailAccepted: TSchema = Type.Object({
  message: Type.String(),
  email: Type.String(),
});

export const VerifyMagicLinkRequest: TSchema = Type.Object({
  token: Text({ minLength: 1, maxLength: 200 }),
  session_token: Type.Optional(Text({ maxLength: 200 })),
  device: Type.Optional(Type.String()),
});

export const SendOtpRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const VerifyOtpRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  code: Text({ minLength: 1, maxLength: 20 }),
  session_token: Type.Optional(Text({ maxLength: 200 })),
  device: Type.Optional(Type.String()),
});

export const ResetPasswordRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  redirect_to: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
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
