// SQL of ingestion jobs as the API shows them.
import type { IngestionError, IngestionJob } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { DocumentFormat } from './source_row.ts';

export type IngestionMode = 'upsert' | 'replace';

export interface NewJob {
  readonly id: string;
  readonly feedId: string | null;
  readonly mode: IngestionMode;
  readonly dryRun: boolean;
  readonly format: DocumentFormat;
  readonly url: string | null;
  readonly mapping: Readonly<Record<string, string>>;
  readonly payload: Uint8Array | null;
  readonly rowsTotal: number;
  readonly createdAt: Date;
}

export interface RowCounts {
  readonly rows_created: number;
  readonly rows_updated: number;
  readonly rows_unchanged: number;
  readonly rows_failed: number;
  readonly rows_deactivated: number;
}

interface JobRow extends RowCounts {
  readonly id: string;
  readonly sequence: number;
  readonly status: IngestionJob['status'];
  readonly mode: IngestionMode;
  readonly dry_run: boolean;
  readonly feed_id: string | null;
  readonly rows_total: number;
  readonly errors: readonly IngestionError[];
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export const ERRORS_STORED_MAX = 1_000;
const ERRORS_LISTED_MAX = 10;

const jobOf = ({ sequence: _sequence, created_at, started_at, finished_at, ...row }: JobRow): IngestionJob => ({
  ...row,
  created_at: created_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  finished_at: finished_at?.toISOString() ?? null,
});

const columns = (sql: Sql, errorsMax: number) => sql`
  j.id, j.sequence, j.status, j.mode, j.feed_id, j.rows_total, j.rows_created, j.rows_updated, j.rows_unchanged,
  j.rows_failed, j.rows_deactivated, j.dry_run, j.created_at, j.started_at, j.finished_at,
  coalesce((
    select json_agg(json_build_object('row', e.row, 'external_id', e.external_id, 'code', e.code, 'param', e.param,
      'message', e.message) order by e.number)
    from catalog.ingestion_error e
    where e.store = j.store and e.environment = j.environment and e.job_id = j.id and e.number < ${errorsMax}
  ), '[]') as errors`;

/** Inserts a job that may be claimed at once. */
export const insertJob = async ({ sql, clock }: Transaction, tenant: Tenant, job: NewJob): Promise<IngestionJob> => {
  await sql`
    insert into catalog.ingestion_job
      (store, environment, id, feed_id, mode, dry_run, format, url, mapping, status, payload, rows_total, created_at,
       due_at)
    values (${tenant.store}, ${tenant.environment}, ${job.id}, ${job.feedId}, ${job.mode}, ${job.dryRun}, ${job.format}, ${job.url},
      ${sql.json(job.mapping)}, 'queued', ${job.payload}, ${job.rowsTotal}, ${job.createdAt},
      ${new Date(clock.real())})`;
  return (await findJob(sql, tenant, job.id))!;
};

export const hasUnfinishedJobs = async (sql: Sql, tenant: Tenant): Promise<boolean> => {
  const rows = await sql`
    select 1 from catalog.ingestion_job
    where store = ${tenant.store} and environment = ${tenant.environment} and status in ('queued', 'running') limit 1`;
  return rows.length > 0;
};

export const findJob = async (sql: Sql, tenant: Tenant, id: string): Promise<IngestionJob | null> => {
  const [row] = await sql<JobRow[]>`
    select ${columns(sql, ERRORS_STORED_MAX)} from catalog.ingestion_job j
    where j.store = ${tenant.store} and j.environment = ${tenant.environment} and j.id = ${id}`;
  return row ? jobOf(row) : null;
};

export interface JobFilter {
  readonly status: string | null;
  readonly feedId: string | null;
  readonly before: number | null;
  readonly limit: number;
}

export interface JobPage<T> {
  readonly items: readonly T[];
  readonly next: number | null;
}

export const listJobs = async (sql: Sql, tenant: Tenant, filter: JobFilter): Promise<JobPage<IngestionJob>> => {
  const rows = await sql<JobRow[]>`
    select ${columns(sql, ERRORS_LISTED_MAX)} from catalog.ingestion_job j
    where j.store = ${tenant.store} and j.environment = ${tenant.environment}
      ${filter.status === null ? sql`` : sql`and j.status = ${filter.status}`}
      ${filter.feedId === null ? sql`` : sql`and j.feed_id = ${filter.feedId}`}
      ${filter.before === null ? sql`` : sql`and j.sequence < ${filter.before}`}
    order by j.sequence desc limit ${filter.limit + 1}`;
  const shown = rows.slice(0, filter.limit);
  return { items: shown.map(jobOf), next: rows.length > filter.limit ? shown.at(-1)!.sequence : null };
};

export const hasQueuedJob = async (sql: Sql, tenant: Tenant, feedId: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from catalog.ingestion_job
    where store = ${tenant.store} and environment = ${tenant.environment} and feed_id = ${feedId}
      and status = 'queued' limit 1`;
  return rows.length > 0;
};

/** Finished jobs to retain per tenant: the newest 1,000, and all that ended in the last 30 days. */
export const RETENTION = { newest: 1_000, days: 30 } as const;
const SWEPT_MAX = 500;
const DAY_MS = 86_400_000;

export const sweepJobs = async (sql: Sql, { store, environment }: Tenant, now: Date): Promise<number> => {
  const [newest] = await sql<{ sequence: number }[]>`
    select sequence from catalog.ingestion_job where store = ${store} and environment = ${environment}
    order by sequence desc offset ${RETENTION.newest - 1} limit 1`;
  if (!newest) return 0;
  const before = new Date(now.getTime() - RETENTION.days * DAY_MS);
  const old = await sql<{ id: string }[]>`
    select id from (
      select * from catalog.ingestion_job j
      where j.store = ${store} and j.environment = ${environment} and j.sequence < ${newest.sequence}
        and not exists (
          select 1 from catalog.ingestion_feed f
          where f.store = j.store and f.environment = j.environment and f.last_job_id = j.id
        )
      order by j.sequence limit ${SWEPT_MAX}
    ) as oldest
    where status in ('completed', 'failed') and finished_at < ${before}`;
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await sql`
    delete from catalog.ingestion_error
    where store = ${store} and environment = ${environment} and job_id = any(${ids}::uuid[])`;
  await sql`
    delete from catalog.ingestion_job
    where store = ${store} and environment = ${environment} and id = any(${ids}::uuid[])`;
  return ids.length;
};
