// Generated from stoa/v1/staff.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const StaffMember: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  role: Type.Union([Type.Literal("owner"), Type.Literal("manager"), Type.Literal("catalogue"), Type.Literal("orders"), Type.Literal("support"), Type.Literal("analyst")]),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  has_totp: Type.Boolean(),
  created_at: Text({ format: "date-time" }),
  last_signed_in_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const StaffResponse: TSchema = Type.Object({
  staff: StaffMember,
});

export const ListStaffRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListStaffResponse: TSchema = Type.Object({
  staff: Type.Array(StaffMember),
});

export const UpdateStaffRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  role: Type.Optional(Type.Union([Type.Literal("owner"), Type.Literal("manager"), Type.Literal("catalogue"), Type.Literal("orders"), Type.Literal("support"), Type.Literal("analyst")])),
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "line" }), Type.Null()])),
});

export const DeleteStaffRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const StaffInvitation: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  role: Type.Union([Type.Literal("owner"), Type.Literal("manager"), Type.Literal("catalogue"), Type.Literal("orders"), Type.Literal("support"), Type.Literal("analyst")]),
  created_at: Text({ format: "date-time" }),
  expires_at: Text({ format: "date-time" }),
});

export const CreateInvitationRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "line" }), Type.Null()])),
  role: Type.Union([Type.Literal("owner"), Type.Literal("manager"), Type.Literal("catalogue"), Type.Literal("orders"), Type.Literal("support"), Type.Literal("analyst")]),
});

export const CreateInvitationResponse: TSchema = Type.Object({
  invitation: StaffInvitation,
  link: Type.String(),
});

export const ListInvitationsRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListInvitationsResponse: TSchema = Type.Object({
  invitations: Type.Array(StaffInvitation),
});

export const DeleteInvitationRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
