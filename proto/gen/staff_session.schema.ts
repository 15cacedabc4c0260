// Generated from stoa/v1/staff_session.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { StaffMember } from './staff.schema.ts';

export const AcceptInvitationRequest: TSchema = Type.Object({
  token: Text({ minLength: 1, maxLength: 200 }),
  password: Text({ minLength: 10, maxLength: 200 }),
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "line" }), Type.Null()])),
  session_hash: Type.Optional(Type.String()),
  network: Type.Optional(Type.String()),
  agent_header: Type.Optional(Type.String()),
});

export const BeginStaffSessionRequest: TSchema = Type.Object({
  email: Type.Optional(Text({ format: "email" })),
  password: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  store: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  token: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  totp: Type.Optional(Text({ pattern: "^[0-9]{6}$" })),
  recovery_code: Type.Optional(Text({ minLength: 1, maxLength: 40 })),
  session_hash: Type.Optional(Type.String()),
  network: Type.Optional(Type.String()),
  agent_header: Type.Optional(Type.String()),
});

export const StaffStore: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  code: Type.String(),
  logo_url: Type.Union([Type.String(), Type.Null()]),
  website_url: Type.Union([Type.String(), Type.Null()]),
  currency: Type.String(),
  currency_symbol: Type.String(),
  country: Type.Union([Type.String(), Type.Null()]),
  timezone: Type.String(),
  wholesale_enabled: Type.Boolean(),
});

export const StaffOperator: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
});

export const StaffSignedIn: TSchema = Type.Object({
  staff: StaffMember,
  store: Type.Union([StaffStore, Type.Null()]),
  operator: Type.Union([StaffOperator, Type.Null()]),
});

export const SendStaffLinkRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
});

export const StaffLinkAccepted: TSchema = Type.Object({
  message: Type.String(),
  email: Type.String(),
});

export const GetStaffSessionRequest: TSchema = Type.Object({});

export const EndStaffSessionRequest: TSchema = Type.Object({});

export const ListStaffSessionsRequest: TSchema = Type.Object({
  staff_id: Type.Optional(Text({ format: "uuid" })),
  fields: Type.Optional(Type.String()),
});

export const SignedInDevice: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  is_current: Type.Boolean(),
  network: Type.String(),
  user_agent: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  last_used_at: Text({ format: "date-time" }),
});

export const ListStaffSessionsResponse: TSchema = Type.Object({
  sessions: Type.Array(SignedInDevice),
});

export const DeleteStaffSessionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const ChangeStaffPasswordRequest: TSchema = Type.Object({
  current_password: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  new_password: Text({ minLength: 10, maxLength: 200 }),
});

export const BeginTotpRequest: TSchema = Type.Object({});

export const BeginTotpResponse: TSchema = Type.Object({
  secret: Type.String(),
  otpauth_uri: Type.String(),
});

export const ConfirmTotpRequest: TSchema = Type.Object({
  code: Text({ pattern: "^[0-9]{6}$" }),
});

export const ConfirmTotpResponse: TSchema = Type.Object({
  recovery_codes: Type.Array(Type.String()),
});

export const DeleteTotpRequest: TSchema = Type.Object({
  code: Text({ minLength: 1, maxLength: 40 }),
});
