// Generated from stoa/v1/audit_log.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const ListAuditLogRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
  actor: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  resource: Type.Optional(Text({ minLength: 1, maxLength: 300 })),
  from: Type.Optional(Text({ format: "date-time" })),
  to: Type.Optional(Text({ format: "date-time" })),
});

export const AuditActor: TSchema = Type.Object({
  kind: Type.Union([Type.Literal("key"), Type.Literal("staff"), Type.Literal("app"), Type.Literal("operator_key"), Type.Literal("command_line"), Type.Literal("program")]),
  id: Type.Union([Type.String(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
});

export const AuditedResource: TSchema = Type.Object({
  type: Type.String(),
  id: Type.Union([Type.String(), Type.Null()]),
});

export const AuditRecord: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  created_at: Text({ format: "date-time" }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  actor: AuditActor,
  operation: Type.String(),
  endpoint: Type.Union([Type.String(), Type.Null()]),
  resource: AuditedResource,
  before: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  after: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  shortened: Type.Boolean(),
  address: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.Union([Type.String(), Type.Null()]),
});

export const ListAuditLogResponse: TSchema = Type.Object({
  audit_log: Type.Array(AuditRecord),
  pagination: Pagination,
});
