// SQL of claimed jobs: leases, progress and outcome. Every statement except the claim checks the lease, so a worker
// that lost the lease changes nothing.
import type { IngestionError } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { JobRow, JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { ERRORS_STORED_MAX, type IngestionMode, type RowCounts } from './job_table.ts';
import type { DocumentFormat } from './source_row.ts';

export interface JobLease {
  readonly tenant: Tenant;
  readonly job: string;
  readonly holder: string;
}

export interface ClaimedJob extends JobLease {
  readonly feedId: string | null;
  readonly mode: IngestionMode;
  readonly dryRun: boolean;
  readonly format: DocumentFormat;
  readonly url: string | null;
  readonly mapping: Readonly<Record<string, string>>;
  readonly surveyed: boolean;
  readonly rowsTotal: number;
  readonly rowsDone: number;
  readonly attempts: number;
}

export class LeaseLost extends Error {
  constructor() {
    super('Another worker holds this job.');
  }
}

export interface ClaimedRow extends JobRow {
  readonly id: string;
  readonly lease: string;
  readonly feed_id: string | null;
  readonly mode: IngestionMode;
  readonly dry_run: boolean;
  readonly format: DocumentFormat;
  readonly url: string | null;
  readonly mapping: Record<string, string>;
  readonly surveyed: boolean;
  readonly rows_total: number;
  readonly rows_done: number;
}

export const claimedJob = (row: ClaimedRow): ClaimedJob => ({
  tenant: { store: row.store, environment: row.environment },
  job: row.id,
  holder: row.lease,
  feedId: row.feed_id,
  mode: row.mode,
  dryRun: row.dry_run,
  format: row.format,
  url: row.url,
  mapping: row.mapping,
  surveyed: row.surveyed,
  rowsTotal: row.rows_total,
  rowsDone: row.rows_done,
  attempts: row.attempts,
});

/**
 * The unfinished jobs that are first in their tenant's queue. `fetched` selects those whose document is stored, or whose
 * document must still be fetched. The unique index of running jobs lets one of several concurrent claims for a tenant
 * succeed.
 */
export const firstJobs = (fetched: boolean): JobTable => ({
  table: 'catalog.ingestion_job',
  due: 'due_at',
  lease: 'leased_until',
  only: (sql) => sql`job.status in ('queued', 'running') and (job.payload is not null) = ${fetched} and not exists (
    select from catalog.ingestion_job other
    where other.store = job.store and other.environment = job.environment and other.id <> job.id
      and (other.status = 'running' or (other.status = 'queued' and job.status = 'queued' and other.sequence < job.sequence)))`,
  claimed: (sql) => sql`status = 'running', lease = gen_random_uuid(), attempts = job.attempts + 1`,
  columns: (sql) => sql`id, lease, feed_id, mode, dry_run, format, url, mapping, started_at is not null as surveyed,
    rows_total, rows_done, attempts`,
});

const underLease = (sql: Sql, { tenant, job, holder }: JobLease) =>
  sql`store = ${tenant.store} and environment = ${tenant.environment} and id = ${job} and lease = ${holder}`;

const requireLease = ({ count }: { readonly count: number }): void => {
  if (count === 0) throw new LeaseLost();
};

/** Releases the job without counting the attempt, so that another process can claim it at once. */
export const releaseLease = async (sql: Sql, lease: JobLease): Promise<void> => {
  await sql`
    update catalog.ingestion_job set leased_until = null, attempts = attempts - 1
    where ${underLease(sql, lease)} and status = 'running'`;
};

export const readPayload = async (sql: Sql, lease: JobLease): Promise<Uint8Array> => {
  const [row] = await sql<{ payload: Uint8Array | null }[]>`
    select payload from catalog.ingestion_job where ${underLease(sql, lease)}`;
  if (!row?.payload) throw new LeaseLost();
  return row.payload;
};

export const savePayload = async (sql: Sql, lease: JobLease, payload: Uint8Array): Promise<void> => {
  requireLease(await sql`update catalog.ingestion_job set payload = ${payload} where ${underLease(sql, lease)}`);
};

export const saveSurvey = async (sql: Sql, lease: JobLease, rowsTotal: number, startedAt: Date): Promise<void> => {
  requireLease(
    await sql`
      update catalog.ingestion_job set rows_total = ${rowsTotal}, started_at = ${startedAt}
      where ${underLease(sql, lease)}`,
  );
};

export const saveProgress = async (
  sql: Sql,
  lease: JobLease,
  rows: number,
  counts: RowCounts,
  errors: readonly IngestionError[],
): Promise<void> => {
  const [row] = await sql<{ rows_failed: number }[]>`
    update catalog.ingestion_job set rows_done = rows_done + ${rows}, attempts = 0,
      rows_created = rows_created + ${counts.rows_created}, rows_updated = rows_updated + ${counts.rows_updated},
      rows_unchanged = rows_unchanged + ${counts.rows_unchanged}, rows_failed = rows_failed + ${counts.rows_failed},
      rows_deactivated = rows_deactivated + ${counts.rows_deactivated}
    where ${underLease(sql, lease)} returning rows_failed`;
  if (!row) throw new LeaseLost();
  await insertErrors(sql, lease, row.rows_failed - counts.rows_failed, errors);
};

const insertErrors = async (
  sql: Sql,
  { tenant, job }: JobLease,
  before: number,
  errors: readonly IngestionError[],
): Promise<void> => {
  const stored = errors.slice(0, Math.max(0, ERRORS_STORED_MAX - before));
  if (stored.length === 0) return;
  await sql`
    insert into catalog.ingestion_error (store, environment, job_id, number, row, external_id, code, param, message)
    select ${tenant.store}::uuid, ${tenant.environment}, ${job}::uuid, ${before} + e.at - 1, e.row, e.external_id,
      e.code, e.param, e.message
    from rows from (
      json_to_recordset(${JSON.stringify(stored)}::text::json)
        as (row integer, external_id text, code text, param text, message text)
    ) with ordinality as e (row, external_id, code, param, message, at)`;
};

export const saveNamedIds = async (
  sql: Sql,
  { tenant, job }: JobLease,
  externalIds: readonly string[],
): Promise<void> => {
  await sql`
    insert into catalog.ingestion_seen (store, environment, job_id, external_id)
    select ${tenant.store}::uuid, ${tenant.environment}, ${job}::uuid, named
    from unnest(${externalIds as string[]}::text[]) as named
    on conflict do nothing`;
};

export const unnamedProducts = async (sql: Sql, { tenant, job }: JobLease, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select p.id from catalog.product p
    where p.store = ${tenant.store} and p.environment = ${tenant.environment} and p.deleted_at is null
      and p.is_active and p.external_id is not null
      and not exists (
        select 1 from catalog.ingestion_seen s
        where s.store = p.store and s.environment = p.environment and s.job_id = ${job} and s.external_id = p.external_id
      )
    limit ${limit}`;
  return rows.map(({ id }) => id);
};

export const finishJob = async (
  sql: Sql,
  lease: JobLease,
  status: 'completed' | 'failed',
  finishedAt: Date,
  problem: Pick<IngestionError, 'code' | 'message'> | null,
): Promise<void> => {
  const { tenant, job } = lease;
  const [row] = await sql<{ rows_failed: number }[]>`
    update catalog.ingestion_job set status = ${status}, finished_at = ${finishedAt},
      started_at = coalesce(started_at, ${finishedAt}), payload = null, lease = null, leased_until = null
    where ${underLease(sql, lease)} returning rows_failed`;
  if (!row) throw new LeaseLost();
  if (problem !== null)
    await sql`
      insert into catalog.ingestion_error (store, environment, job_id, number, code, message)
      values (${tenant.store}, ${tenant.environment}, ${job},
        ${Math.min(row.rows_failed, ERRORS_STORED_MAX - 1)}, ${problem.code}, ${problem.message})
      on conflict (store, environment, job_id, number)
        do update set row = null, external_id = null, code = excluded.code, param = null, message = excluded.message`;
  await sql`
    delete from catalog.ingestion_seen
    where store = ${tenant.store} and environment = ${tenant.environment} and job_id = ${job}`;
};
