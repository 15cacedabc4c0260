// SQL of inbound feeds.
import type { InboundFeed } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf } from '#runtime/domain/due.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { findJob, type IngestionMode, type JobPage } from './job_table.ts';
import type { DocumentFormat } from './source_row.ts';

export interface FeedSettings {
  readonly name: string;
  readonly url: string;
  readonly format: DocumentFormat;
  readonly mode: IngestionMode;
  readonly mapping: Readonly<Record<string, string>>;
  readonly interval_minutes: number | null;
}

export interface FeedRecord extends FeedSettings {
  readonly id: string;
  readonly sequence: number;
  readonly next_sync_at: Date | null;
  readonly last_sync_at: Date | null;
  readonly last_status: 'completed' | 'failed' | null;
  readonly last_job_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const SAMPLE_MAX = 10;

export const feedOf = ({ sequence: _sequence, ...feed }: FeedRecord): InboundFeed => ({
  id: feed.id,
  name: feed.name,
  url: feed.url,
  format: feed.format,
  mode: feed.mode,
  mapping: { ...feed.mapping },
  interval_minutes: feed.interval_minutes,
  next_sync_at: feed.next_sync_at?.toISOString() ?? null,
  last_sync_at: feed.last_sync_at?.toISOString() ?? null,
  last_status: feed.last_status,
  last_job_id: feed.last_job_id,
  created_at: feed.created_at.toISOString(),
  updated_at: feed.updated_at.toISOString(),
});

const columns = (sql: Sql) => sql`
  id, sequence, name, url, format, mode, mapping, interval_minutes, next_sync_at, last_sync_at, last_status, last_job_id,
  created_at, updated_at`;

const live = (sql: Sql, { store, environment }: Tenant) =>
  sql`store = ${store} and environment = ${environment} and deleted_at is null`;

const nextAt = (settings: FeedSettings, from: Date): Date | null =>
  settings.interval_minutes === null ? null : new Date(from.getTime() + settings.interval_minutes * 60_000);

export const insertFeed = async (
  sql: Sql,
  tenant: Tenant,
  id: string,
  settings: FeedSettings,
  now: Date,
): Promise<FeedRecord> => {
  const [feed] = await sql<FeedRecord[]>`
    insert into catalog.ingestion_feed
      (store, environment, id, name, url, format, mode, mapping, interval_minutes, next_sync_at, created_at, updated_at)
    values (${tenant.store}, ${tenant.environment}, ${id}, ${settings.name}, ${settings.url}, ${settings.format},
      ${settings.mode}, ${sql.json(settings.mapping)}, ${settings.interval_minutes}, ${nextAt(settings, now)}, ${now},
      ${now})
    returning ${columns(sql)}`;
  return feed!;
};

export const findFeed = async (sql: Sql, tenant: Tenant, id: string): Promise<InboundFeed | null> => {
  const [feed] = await sql<FeedRecord[]>`
    select ${columns(sql)} from catalog.ingestion_feed where ${live(sql, tenant)} and id = ${id}`;
  return feed ? feedOf(feed) : null;
};

export const lockFeed = async (sql: Sql, tenant: Tenant, id: string): Promise<FeedRecord | null> => {
  const [feed] = await sql<FeedRecord[]>`
    select ${columns(sql)} from catalog.ingestion_feed where ${live(sql, tenant)} and id = ${id} for update`;
  return feed ?? null;
};

export const updateFeed = async (
  sql: Sql,
  tenant: Tenant,
  before: FeedRecord,
  settings: FeedSettings,
  now: Date,
): Promise<FeedRecord> => {
  const rescheduled = settings.interval_minutes !== before.interval_minutes;
  const [feed] = await sql<FeedRecord[]>`
    update catalog.ingestion_feed set name = ${settings.name}, url = ${settings.url}, format = ${settings.format},
      mode = ${settings.mode}, mapping = ${sql.json(settings.mapping)}, interval_minutes = ${settings.interval_minutes},
      next_sync_at = ${rescheduled ? nextAt(settings, now) : before.next_sync_at}, updated_at = ${now}
    where ${live(sql, tenant)} and id = ${before.id} returning ${columns(sql)}`;
  return feed!;
};

export const deleteFeed = async (sql: Sql, tenant: Tenant, id: string, now: Date): Promise<boolean> => {
  const { count } = await sql`
    update catalog.ingestion_feed set deleted_at = ${now}, updated_at = ${now} where ${live(sql, tenant)} and id = ${id}`;
  return count > 0;
};

export const countFeeds = async (sql: Sql, tenant: Tenant): Promise<number> => {
  const [row] = await sql<{ feeds: number }[]>`
    select count(*)::integer as feeds from catalog.ingestion_feed where ${live(sql, tenant)}`;
  return row!.feeds;
};

export const listFeeds = async (
  sql: Sql,
  tenant: Tenant,
  before: number | null,
  limit: number,
): Promise<JobPage<FeedRecord>> => {
  const rows = await sql<FeedRecord[]>`
    select ${columns(sql)} from catalog.ingestion_feed
    where ${live(sql, tenant)} ${before === null ? sql`` : sql`and sequence < ${before}`}
    order by sequence desc limit ${limit + 1}`;
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1)!.sequence : null };
};

export const dueFeeds = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select store, environment, id, next_sync_at as due_at from catalog.ingestion_feed
    where deleted_at is null and next_sync_at <= ${until}
      and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
    order by next_sync_at, id limit ${max}`;
  return rows.map(dueItemOf);
};

export const rescheduleFeed = async (sql: Sql, tenant: Tenant, feed: FeedRecord, now: Date): Promise<void> => {
  await sql`
    update catalog.ingestion_feed set next_sync_at = ${nextAt(feed, now)} where ${live(sql, tenant)} and id = ${feed.id}`;
};

export const finishSync = async (
  tx: Transaction,
  tenant: Tenant,
  feedId: string,
  jobId: string,
  status: 'completed' | 'failed',
  now: Date,
): Promise<void> => {
  await tx.sql`
    update catalog.ingestion_feed set last_sync_at = ${now}, last_status = ${status}, last_job_id = ${jobId}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${feedId}`;
  const job = (await findJob(tx.sql, tenant, jobId))!;
  await tx.emit(tenant, [
    {
      type: 'feed.sync.completed',
      object: {
        id: feedId,
        job_id: jobId,
        status,
        rows_total: job.rows_total,
        rows_created: job.rows_created,
        rows_updated: job.rows_updated,
        rows_unchanged: job.rows_unchanged,
        rows_failed: job.rows_failed,
        rows_deactivated: job.rows_deactivated,
        errors: job.errors.slice(0, SAMPLE_MAX),
      },
    },
  ]);
};
