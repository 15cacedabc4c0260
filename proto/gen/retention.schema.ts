// Generated from stoa/v1/retention.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';

export const StoreRetention: TSchema = Type.Object({
  events_days: Type.Union([Type.Integer({ minimum: 1, maximum: 30 }), Type.Null()]),
  mails_days: Type.Union([Type.Integer({ minimum: 1, maximum: 7 }), Type.Null()]),
  checkouts_days: Type.Union([Type.Integer({ minimum: 1, maximum: 90 }), Type.Null()]),
  audit_days: Type.Union([Type.Integer({ minimum: 30, maximum: 400 }), Type.Null()]),
  messages_days: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()]),
});

export const StoreRetentionInput: TSchema = Type.Object({
  events_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 30 }), Type.Null()])),
  mails_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 7 }), Type.Null()])),
  checkouts_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 90 }), Type.Null()])),
  audit_days: Type.Optional(Type.Union([Type.Integer({ minimum: 30, maximum: 400 }), Type.Null()])),
  messages_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()])),
});
