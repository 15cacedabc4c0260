// Generated from stoa/v1/webhook_platform.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const FollowCheckoutRequest: TSchema = Type.Object({
  checkout_intent_id: Text({ format: "uuid" }),
  url: Text({ minLength: 1, maxLength: 2048 }),
  found_at: Text({ minLength: 1, maxLength: 2048 }),
  platform: Text({ minLength: 1, maxLength: 200 }),
});

export const FollowCheckoutResponse: TSchema = Type.Object({
  followed: Type.Boolean(),
});

export const NotePlatformRequest: TSchema = Type.Object({
  checkout_intent_id: Text({ format: "uuid" }),
  profile: Text({ minLength: 1, maxLength: 2048 }),
});

export const NotePlatformResponse: TSchema = Type.Object({});

export const FindPlatformRequest: TSchema = Type.Object({
  checkout_intent_id: Text({ format: "uuid" }),
  profile: Text({ minLength: 1, maxLength: 2048 }),
});

export const FindPlatformResponse: TSchema = Type.Object({
  found: Type.Boolean(),
});

export const ListSigningKeysRequest: TSchema = Type.Object({});

export const StoreSigningKey: TSchema = Type.Object({
  kid: Type.String(),
  x: Type.String(),
  y: Type.String(),
});

export const ListSigningKeysResponse: TSchema = Type.Object({
  keys: Type.Array(StoreSigningKey),
});

export const SignAnswerRequest: TSchema = Type.Object({
  status: Type.Integer({ minimum: 200, maximum: 599 }),
  content_digest: Text({ minLength: 1, maxLength: 200 }),
  content_type: Text({ minLength: 1, maxLength: 200 }),
});

export const SignAnswerResponse: TSchema = Type.Object({
  signature_input: Type.String(),
  signature: Type.String(),
});
