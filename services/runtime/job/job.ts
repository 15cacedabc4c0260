// Declares jobs: rows of a domain's table that some process runs later, once. The domain writes a job in the transaction
// that causes it, and ends it in another one; only claims and repetitions are written here.
import type { Tenant } from '#runtime/call/call.ts';
import { isSandboxOpen } from '#runtime/postgres/sandbox_lock.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';

export interface JobTable {
  readonly table: string;
  /** Column with the time from which the job is due; null: never. An index starts with it. */
  readonly due: string;
  /** Column with the real time at which a claim ends; may be the column `due`, which a claim then moves. */
  readonly lease: string;
  /** Selects the rows of the table, named `job`, that are jobs. */
  readonly only?: (sql: Sql) => SqlFragment;
  /** Assignments that a claim makes besides the lease's, such as the number of attempts. */
  readonly claimed?: (sql: Sql) => SqlFragment;
  readonly columns: (sql: Sql) => SqlFragment;
}

export interface JobRow extends Tenant {
  /** Absent where a tenant has one row. */
  readonly id?: string;
  /** This attempt's number, from 1. */
  readonly attempts: number;
}

/** `again`: the row is due again after the next pause of `retryMs`. `ended`: the domain has written what became of it. */
export type JobEnd = 'ended' | 'again';

export interface JobKind<Row extends JobRow> {
  /** Names the kind in logs and metrics, for example `mail`. */
  readonly name: string;
  readonly rows: JobTable;
  /** Whether a job is due by real time, or also by a sandbox's own where that is ahead. */
  readonly clock: 'real' | 'tenant';
  /** How long a claim lasts after its process has died; a longer job renews it. */
  readonly leaseMs: number;
  /** Jobs that run at once in a process, all tenants' and one tenant's. */
  readonly atOnce: number;
  readonly perTenant: number;
  /** Pauses after the first attempt, the second and so on; the last one repeats. A sandbox has the same. */
  readonly retryMs: readonly number[];
  readonly run: (row: Row, claim: Claim) => Promise<JobEnd>;
}

export interface Claim {
  /** Whether the process is about to end. A long job then stops at its next step and returns `again`. */
  readonly stopping: () => boolean;
  /** Runs `wait`, in which the job waits for another server's answer and occupies no place. */
  readonly whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
}

export interface TenantTime {
  readonly tenant: Tenant;
  readonly now: Date;
}

export interface ClaimQuery {
  readonly real: Date;
  readonly until: Date;
  readonly limit: number;
  /** The tenants whose jobs are claimed, by their own clocks; null: any tenant's, by the real clock. */
  readonly of: readonly TenantTime[] | null;
  readonly busy?: readonly Tenant[];
}

const isJob = (sql: Sql, { only }: JobTable): SqlFragment => (only ? sql`and ${only(sql)}` : sql``);

const isAmong = (sql: Sql, tenants: readonly Tenant[]): SqlFragment => sql`
  (job.store, job.environment) in (select * from unnest(
    ${tenants.map(({ store }) => store)}::uuid[], ${tenants.map(({ environment }) => environment)}::text[]))`;

const isDue = (sql: Sql, due: SqlFragment, { real, of }: ClaimQuery): SqlFragment =>
  of === null
    ? sql`${due} <= ${real}`
    : sql`${due} <= (
        select now from unnest(
          ${of.map(({ tenant }) => tenant.store)}::uuid[], ${of.map(({ tenant }) => tenant.environment)}::text[],
          ${of.map(({ now }) => now.toISOString())}::timestamptz[]
        ) as clock (store, environment, now)
        where clock.store = job.store and clock.environment = job.environment)
      and ${isAmong(
        sql,
        of.map(({ tenant }) => tenant),
      )}`;

/** Number of jobs at each end of those due that are looked at for a tenant that is not busy. */
const LOOKED_AT_MAX = 500;

/**
 * Claims jobs that are due and that no process has claimed, the most overdue first. While tenants are busy it looks at both
 * ends of those due, since all of a large backlog may be theirs: new jobs of other tenants are at its end.
 */
export const claimRows = <Row extends JobRow>(sql: Sql, rows: JobTable, query: ClaimQuery): Promise<Row[]> => {
  const [table, due, lease] = [sql(rows.table), sql`${sql(`job.${rows.due}`)}`, sql(`job.${rows.lease}`)];
  const { real, until, limit, busy = [] } = query;
  const isFree = sql`${isDue(sql, due, query)} and (${lease} is null or ${lease} <= ${real}) ${isJob(sql, rows)}`;
  const end = (order: SqlFragment) => sql`
    array(select ctid from ${table} as job where ${isFree} order by ${due} ${order} limit ${LOOKED_AT_MAX})`;
  const ofOthers = sql`ctid = any(${end(sql`asc`)} || ${end(sql`desc`)}) and not ${isAmong(sql, busy)} and`;
  return sql<Row[]>`
    update ${table} as job set ${sql(rows.lease)} = ${until} ${rows.claimed ? sql`, ${rows.claimed(sql)}` : sql``}
    where ctid = any(array(
      select ctid from ${table} as job
      where ${busy.length > 0 ? ofOthers : sql``} ${isFree} and ${isSandboxOpen(sql, 'job')}
      order by ${due} limit ${limit} for no key update skip locked))
    returning job.store, job.environment, ${rows.columns(sql)}`;
};

/** Returns SQL of the real time at which the first job can be claimed, at most `until`; null: none can. */
export const firstDue = (sql: Sql, rows: JobTable, until: Date, max: number): SqlFragment => {
  const [due, lease] = [sql(`job.${rows.due}`), sql(`job.${rows.lease}`)];
  // Looks past the jobs that are being run, which are at most `max`. A due time of `-infinity` is no date in JavaScript.
  return sql`
    select min(at) as at from (
      select greatest(${due}, ${lease}, 'epoch'::timestamptz) as at from ${sql(rows.table)} as job
      where ${due} <= ${until} ${isJob(sql, rows)} order by ${due} limit ${max}) as first`;
};

/** Changes a job's row while the claim lasts. Returns false if another process has claimed it, or it has ended. */
export const updateClaimed = async (
  sql: Sql,
  { table, lease }: JobTable,
  { store, environment, id }: JobRow,
  until: Date,
  change: Readonly<Record<string, Date | null>>,
): Promise<boolean> => {
  const { count } = await sql`
    update ${sql(table)} set ${sql(change)}
    where store = ${store} and environment = ${environment} and ${sql(lease)} = ${until}
      ${id === undefined ? sql`` : sql`and id = ${id}`}`;
  return count > 0;
};
