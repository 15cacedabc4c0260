// Generated from stoa/v1/ingestion.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const PushRequest: TSchema = Type.Object({
  mode: Type.Optional(Type.Union([Type.Literal("upsert"), Type.Literal("replace")])),
  products: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 1000000 })),
  dry_run: Type.Optional(Type.Boolean()),
  csv: Type.Optional(Text({ maxLength: 16777216 })),
});

export const IngestionError: TSchema = Type.Object({
  row: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  external_id: Type.Union([Type.String(), Type.Null()]),
  code: Type.String(),
  param: Type.Union([Type.String(), Type.Null()]),
  message: Type.String(),
});

export const IngestionJob: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("queued"), Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")]),
  mode: Type.Union([Type.Literal("upsert"), Type.Literal("replace")]),
  feed_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  rows_total: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_created: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_updated: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_unchanged: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_failed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  rows_deactivated: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  errors: Type.Array(IngestionError),
  created_at: Text({ format: "date-time" }),
  started_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  finished_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  dry_run: Type.Boolean(),
});

export const JobResponse: TSchema = Type.Object({
  job: IngestionJob,
});

export const ListJobsRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("queued"), Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")])),
  feed_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListJobsResponse: TSchema = Type.Object({
  jobs: Type.Array(IngestionJob),
  pagination: Pagination,
});

export const GetJobRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const InboundFeed: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  url: Text({ format: "uri" }),
  format: Type.Union([Type.Literal("csv"), Type.Literal("json"), Type.Literal("ndjson"), Type.Literal("google_xml")]),
  mode: Type.Union([Type.Literal("upsert"), Type.Literal("replace")]),
  mapping: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.String(), { additionalProperties: false }),
  interval_minutes: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  next_sync_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  last_sync_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  last_status: Type.Union([Type.Union([Type.Literal("completed"), Type.Literal("failed")]), Type.Null()]),
  last_job_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const FeedResponse: TSchema = Type.Object({
  feed: InboundFeed,
});

export const ListFeedsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListFeedsResponse: TSchema = Type.Object({
  feeds: Type.Array(InboundFeed),
  pagination: Pagination,
});

export const CreateFeedRequest: TSchema = Type.Object({
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  url: Text({ maxLength: 2048, format: "http-url" }),
  format: Type.Union([Type.Literal("csv"), Type.Literal("json"), Type.Literal("ndjson"), Type.Literal("google_xml")]),
  mode: Type.Optional(Type.Union([Type.Literal("upsert"), Type.Literal("replace")])),
  mapping: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,100}$" }), Text({ minLength: 1, maxLength: 200 }), { additionalProperties: false, maxProperties: 100 }), Type.Null()])),
  interval_minutes: Type.Optional(Type.Union([Type.Integer({ minimum: 5, maximum: 43200 }), Type.Null()])),
});

export const UpdateFeedRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  format: Type.Optional(Type.Union([Type.Literal("csv"), Type.Literal("json"), Type.Literal("ndjson"), Type.Literal("google_xml")])),
  mode: Type.Optional(Type.Union([Type.Literal("upsert"), Type.Literal("replace")])),
  mapping: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,100}$" }), Text({ minLength: 1, maxLength: 200 }), { additionalProperties: false, maxProperties: 100 }), Type.Null()])),
  interval_minutes: Type.Optional(Type.Union([Type.Integer({ minimum: 5, maximum: 43200 }), Type.Null()])),
});

export const DeleteFeedRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const SyncFeedRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
