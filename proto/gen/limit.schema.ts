// Generated from stoa/v1/limit.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const TakeRequest: TSchema = Type.Object({
  scope: Type.Union([Type.Literal("key_hour"), Type.Literal("key_day"), Type.Literal("network_hour"), Type.Literal("month"), Type.Literal("payment_hour"), Type.Literal("review_hour"), Type.Literal("auth_minute"), Type.Literal("reset_address"), Type.Literal("reset_pair")]),
  subject: Type.Optional(Text({ maxLength: 200 })),
  edge: Type.String(),
  sequence: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  limit: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  need: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  want: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  start: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  spent: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  held: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  now: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  patient: Type.Optional(Type.Boolean()),
});

export const TakeResponse: TSchema = Type.Object({
  start: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  end: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  granted: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  left: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const GetMonthRequest: TSchema = Type.Object({});

export const GetMonthResponse: TSchema = Type.Object({
  start: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  end: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  spent: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const AdmitResetRequest: TSchema = Type.Object({
  email_hash: Text({ maxLength: 64 }),
});

export const AdmitResetResponse: TSchema = Type.Object({
  admitted: Type.Boolean(),
});
