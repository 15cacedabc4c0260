// Generated from stoa/v1/link.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';

export const Caller: TSchema = Type.Object({
  store: Type.String(),
  sandbox: Type.Boolean(),
  key_type: Type.String(),
  key_id: Type.String(),
  customer: Type.String(),
  customer_session: Type.String(),
  staff_session: Type.String(),
  actor_name: Type.String(),
});

export const Retry: TSchema = Type.Object({
  key: Type.String(),
  scope: Type.String(),
  fingerprint: Type.String(),
  replay_only: Type.Boolean(),
});

export const Ask: TSchema = Type.Object({
  rpc: Type.String(),
  caller: Caller,
  timeout_ms: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  request_id: Type.String(),
  trace: Type.String(),
  input: Type.Uint8Array(),
  raw_body: Type.Uint8Array(),
  content_type: Type.String(),
  retry: Retry,
  revision_min: Type.Integer({ minimum: 0, maximum: 9007199254740991 }),
  session: Type.String(),
  client_address: Type.String(),
});

export const Refused: TSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  param: Type.String(),
  details: Type.String(),
  hint: Type.String(),
  retry_after_s: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  causes: Type.String(),
});

export const Fragment: TSchema = Type.Object({
  slot: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  text: Type.Uint8Array(),
});

export const List: TSchema = Type.Object({
  head: Type.Uint8Array(),
  fragments: Type.Array(Fragment),
  slots: Type.Array(Type.Integer({ minimum: 0, maximum: 4294967295 })),
  tail: Type.Uint8Array(),
  dropped: Type.Array(Type.Integer({ minimum: 0, maximum: 4294967295 })),
  endings: Type.Array(Type.Uint8Array()),
});

export const Dependency: TSchema = Type.Object({
  store: Type.String(),
  sandbox: Type.Boolean(),
  kind: Type.String(),
  revision: Type.Integer({ minimum: 0, maximum: 9007199254740991 }),
  ids: Type.Array(Type.String()),
});

export const Answer: TSchema = Type.Object({
  body: Type.Uint8Array(),
  replayed: Type.Boolean(),
  refused: Refused,
  list: List,
  away: Type.Boolean(),
  depends_on: Type.Array(Dependency),
  fresh_ms: Type.Integer({ minimum: 0, maximum: 4294967295 }),
});

export const Hello: TSchema = Type.Object({
  services: Type.Array(Type.String()),
  draining: Type.Boolean(),
});

export const Changed: TSchema = Type.Object({
  store: Type.String(),
  sandbox: Type.Boolean(),
  revision: Type.Integer({ minimum: 0, maximum: 9007199254740991 }),
  all: Type.Boolean(),
  ids: Type.Array(Type.String()),
  kind: Type.String(),
});

export const Frame: TSchema = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  ask: Type.Optional(Ask),
  answer: Type.Optional(Answer),
  cancel: Type.Optional(Type.Boolean()),
  hello: Type.Optional(Hello),
  changed: Type.Optional(Changed),
});

export const Batch: TSchema = Type.Object({
  frames: Type.Array(Frame),
});
