// Generated from stoa/v1/console.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const GetActivityRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});

export const GetRequestRequest: TSchema = Type.Object({
  request_id: Text({ maxLength: 200 }),
});

export const RequestNote: TSchema = Type.Object({
  request_id: Type.String(),
  at: Text({ format: "date-time" }),
  method: Type.String(),
  path: Type.String(),
  query: Type.String(),
  status: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  took_ms: Type.Number(),
  key_type: Type.Union([Type.Literal("publishable"), Type.Literal("secret"), Type.Literal("operator")]),
});

export const GetRequestResponse: TSchema = Type.Object({
  request: RequestNote,
  request_body: Type.Union([Type.String(), Type.Null()]),
  response_body: Type.Union([Type.String(), Type.Null()]),
});

export const RequestSecond: TSchema = Type.Object({
  at: Text({ format: "date-time" }),
  requests: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  refused: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  failed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  p50_ms: Type.Number(),
  p95_ms: Type.Number(),
});

export const GetActivityResponse: TSchema = Type.Object({
  requests: Type.Array(RequestNote),
  seconds: Type.Array(RequestSecond),
});
