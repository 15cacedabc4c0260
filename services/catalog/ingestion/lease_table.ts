// SQL of claimed jobs: leases, progress and outcome. Every statement except the claim checks the lease, so a worker
// that lost the lease changes nothing.
import type { IngestionError } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
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
  readonly fetched: boolean;
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

interface ClaimedRow {
  readonly store: string;
  readonly environment: Tenant['environment'];
  readonly id: string;
  readonly feed_id: string | null;
  readonly mode: IngestionMode;
  readonly dry_run: boolean;
  readonly format: DocumentFormat;
  readonly url: string | null;
  readonly mapping: Record<string, string>;
  readonly fetched: boolean;
  readonly surveyed: boolean;
  readonly rows_total: number;
  readonly rows_done: number;
  readonly attempts: number;
}

/** Returns the ms until the next job can be claimed, by Postgres' clock; null if no job is unfinished. */
export const claimableInMs = async (sql: Sql): Promise<number | null> => {
  const [row] = await sql<{ ms: number | null }[]>`
    select min(greatest(0, coalesce(1000 * extract(epoch from leased_until - clock_timestamp()), 0)))::float8 as ms
    from catalog.ingestion_job where status in ('queued', 'running')`;
  return row!.ms;
};

/**
 * Claims the oldest job that is first in its tenant's queue. Skips tenants with a running job, but claims a running job
 * whose lease has expired. `fetched` selects jobs whose document is stored, or jobs whose document must still be
 * fetched. The unique index of running jobs lets one of several concurrent claims for a tenant succeed.
 */
export const claimJob = async (
  sql: Sql,
  holder: string,
  leaseMs: number,
  fetched: boolean,
): Promise<ClaimedJob | null> => {
  const [row] = await sql<ClaimedRow[]>`
    update catalog.ingestion_job set status = 'running', lease = ${holder}, attempts = attempts + 1,
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where (store, environment, id) = (
      select j.store, j.environment, j.id from catalog.ingestion_job j
      where j.status in ('queued', 'running')
        and (j.leased_until is null or j.leased_until < clock_timestamp()) and (j.payload is not null) = ${fetched}
        and not exists (
          select 1 from catalog.ingestion_job other
          where other.store = j.store and other.environment = j.environment and other.id <> j.id
            and (other.status = 'running' or (other.status = 'queued' and j.status = 'queued' and other.sequence < j.sequence))
        )
      order by j.sequence limit 1 for update skip locked
    )
    returning store, environment, id, feed_id, mode, dry_run, format, url, mapping, payload is not null as fetched,
      started_at is not null as surveyed, rows_total, rows_done, attempts`;
  if (!row) return null;
  return {
    tenant: { store: row.store, environment: row.environment },
    job: row.id,
    holder,
    feedId: row.feed_id,
    mode: row.mode,
    dryRun: row.dry_run,
    format: row.format,
    url: row.url,
    mapping: row.mapping,
    fetched: row.fetched,
    surveyed: row.surveyed,
    rowsTotal: row.rows_total,
    rowsDone: row.rows_done,
    attempts: row.attempts,
  };
};

const underLease = (sql: Sql, { tenant, job, holder }: JobLease) =>
  sql`store = ${tenant.store} and environment = ${tenant.environment} and id = ${job} and lease = ${holder}`;

const requireLease = ({ count }: { readonly count: number }): void => {
  if (count === 0) throw new LeaseLost();
};

export const renewLease = async (sql: Sql, lease: JobLease, leaseMs: number): Promise<void> => {
  requireLease(
    await sql`
      update catalog.ingestion_job set leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where ${underLease(sql, lease)}`,
  );
};

/** Releases the job, which can be claimed again at once. With `blameless`, the attempt is not counted. */
export const releaseLease = async (sql: Sql, lease: JobLease, blameless: boolean): Promise<void> => {
  await sql`
    update catalog.ingestion_job set leased_until = null, lease = null, attempts = attempts - ${blameless ? 1 : 0}
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
  leaseMs: number,
): Promise<void> => {
  const [row] = await sql<{ rows_failed: number }[]>`
    update catalog.ingestion_job set rows_done = rows_done + ${rows}, attempts = 0,
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
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
