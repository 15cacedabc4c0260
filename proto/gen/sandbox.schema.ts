// Generated from stoa/v1/sandbox.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const ResetSandboxRequest: TSchema = Type.Object({
  copy_catalogue: Type.Optional(Type.Boolean()),
});

export const ResetSandboxResponse: TSchema = Type.Object({
  reset: Type.Boolean(),
  now: Text({ format: "date-time" }),
});

export const TravelTimeRequest: TSchema = Type.Object({
  advance_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 315576000 })),
  to: Type.Optional(Text({ format: "date-time" })),
});

export const Fired: TSchema = Type.Object({
  type: Type.String(),
  count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const TravelTimeResponse: TSchema = Type.Object({
  now: Text({ format: "date-time" }),
  fired: Type.Array(Fired),
});

export const GetClockRequest: TSchema = Type.Object({});

export const GetClockResponse: TSchema = Type.Object({
  offset_seconds: Type.Number(),
});
