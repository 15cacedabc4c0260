// Generated from stoa/v1/staff_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { StaffInvitation, StaffMember } from './staff.schema.ts';
import { Principal } from './store_directory.schema.ts';

export const ResolveStaffSessionRequest: TSchema = Type.Object({
  token_hash: Text({ pattern: "^[0-9a-f]{64}$" }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
});

export const ResolveStaffSessionResponse: TSchema = Type.Object({
  principal: Principal,
  session_id: Type.String(),
  role: Type.Union([Type.Literal("owner"), Type.Literal("manager"), Type.Literal("catalogue"), Type.Literal("orders"), Type.Literal("support"), Type.Literal("analyst")]),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  expires_in_ms: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  name: Type.String(),
});

export const InviteStaffRequest: TSchema = Type.Object({
  store: Type.String(),
  email: Text({ format: "email" }),
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "line" }), Type.Null()])),
  role: Type.Union([Type.Literal("owner"), Type.Literal("manager"), Type.Literal("catalogue"), Type.Literal("orders"), Type.Literal("support"), Type.Literal("analyst")]),
});

export const ReadStaffRequest: TSchema = Type.Object({
  store: Type.String(),
});

export const ReadStaffResponse: TSchema = Type.Object({
  staff: Type.Array(StaffMember),
  invitations: Type.Array(StaffInvitation),
});
