// Generated from stoa/v1/ingestion.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

export type PushRequest = {
  /** `upsert` where left out. A member of the JSON body; with `application/x-ndjson` a parameter of the query. */
  mode?: "upsert" | "replace";
  /** One object for each product. An invalid object fails its own row only. */
  products?: readonly unknown[];
  /** Whether to check and count only. A member of the JSON body; with `application/x-ndjson` a parameter of the query. */
  dry_run?: boolean;
  /**
   * A CSV file in place of `products`: one product a line, below a line of names. Columns are named like fields, or as
   * feeds of shopping channels name them; `attributes.colour` sets one attribute.
   */
  csv?: string;
};

export type IngestionError = {
  /** Counts from 0; null where the whole job failed. */
  row: number | null;
  external_id: string | null;
  code: string;
  /** Path of the bad field within the row. */
  param: string | null;
  message: string;
};

export type IngestionJob = {
  id: string;
  status: "queued" | "running" | "completed" | "failed";
  mode: "upsert" | "replace";
  /** The inbound feed that it pulls; null for a push. */
  feed_id: string | null;
  /** 0 until the rows were counted. */
  rows_total: number;
  rows_created: number;
  rows_updated: number;
  /** The product was already as the row says. */
  rows_unchanged: number;
  rows_failed: number;
  /** Products that a `replace` left out. */
  rows_deactivated: number;
  errors: readonly IngestionError[];
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /**
   * Whether it only checked and counted. Rows of separate batches do not know of each other then: a product that two of them
   * name counts as created twice.
   */
  dry_run: boolean;
};

export type JobResponse = {
  job: IngestionJob;
};

export type ListJobsRequest = {
  status?: "queued" | "running" | "completed" | "failed";
  feed_id?: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a job's fields to return. */
  fields?: string;
};

export type ListJobsResponse = {
  jobs: readonly IngestionJob[];
  pagination: Pagination;
};

export type GetJobRequest = {
  id: string;
  /** Comma-separated names of the job's fields to return. */
  fields?: string;
};

/** A file of the merchant's that is fetched. */
export type InboundFeed = {
  id: string;
  name: string;
  url: string;
  format: "csv" | "json" | "ndjson" | "google_xml";
  mode: "upsert" | "replace";
  /** Our field to the name it has in the file: `{ "external_id": "Artikel" }`. */
  mapping: Record<string, string>;
  /** Interval of scheduled pulls; null when it is pulled on request only. */
  interval_minutes: number | null;
  next_sync_at: string | null;
  /** When the last pull ended, and how. */
  last_sync_at: string | null;
  last_status: "completed" | "failed" | null;
  last_job_id: string | null;
  created_at: string;
  updated_at: string;
};

export type FeedResponse = {
  feed: InboundFeed;
};

export type ListFeedsRequest = {
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a feed's fields to return. */
  fields?: string;
};

export type ListFeedsResponse = {
  feeds: readonly InboundFeed[];
  pagination: Pagination;
};

export type CreateFeedRequest = {
  /** The host of the address where left out. */
  name?: string;
  url: string;
  format: "csv" | "json" | "ndjson" | "google_xml";
  /** `upsert` where left out. */
  mode?: "upsert" | "replace";
  mapping?: Record<string, string> | null;
  interval_minutes?: number | null;
};

export type UpdateFeedRequest = {
  id: string;
  name?: string;
  url?: string;
  format?: "csv" | "json" | "ndjson" | "google_xml";
  mode?: "upsert" | "replace";
  mapping?: Record<string, string> | null;
  interval_minutes?: number | null;
};

export type DeleteFeedRequest = {
  id: string;
};

export type SyncFeedRequest = {
  id: string;
};

/**
 * Pushed catalogues, pulled feeds and their jobs.
 * @internal
 */
export interface IngestionRpcs {
  Push: { request: PushRequest; response: JobResponse };
  ListJobs: { request: ListJobsRequest; response: ListJobsResponse };
  GetJob: { request: GetJobRequest; response: JobResponse };
  ListFeeds: { request: ListFeedsRequest; response: ListFeedsResponse };
  CreateFeed: { request: CreateFeedRequest; response: FeedResponse };
  UpdateFeed: { request: UpdateFeedRequest; response: FeedResponse };
  DeleteFeed: { request: DeleteFeedRequest; response: Deleted };
  SyncFeed: { request: SyncFeedRequest; response: JobResponse };
}
