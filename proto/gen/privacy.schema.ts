// Generated from stoa/v1/privacy.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const CustomerExport: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("running"), Type.Literal("complete")]),
  path: Type.String(),
  created_at: Text({ format: "date-time" }),
  expires_at: Text({ format: "date-time" }),
  archive: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

export const CustomerExportResponse: TSchema = Type.Object({
  export: CustomerExport,
});

export const ExportCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const GetCustomerExportRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  export_id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const CustomerErasure: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("running"), Type.Literal("complete")]),
  reason: Type.String(),
  requested_at: Text({ format: "date-time" }),
  completed_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const CustomerErasureResponse: TSchema = Type.Object({
  erasure: CustomerErasure,
});

export const EraseCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  reason: Text({ minLength: 1, maxLength: 500, format: "words" }),
});

export const GetCustomerErasureRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});
