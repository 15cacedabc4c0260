// Errands: jobs of a table of the test's own, in this process or in one that is killed at a failpoint.
import type { Tenant } from '#runtime/call/call.ts';
import type { Claim, JobKind, JobRow } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface Errand extends JobRow {
  readonly id: string;
}

export const createErrands = async (sql: Sql): Promise<void> => {
  await sql`
    create table errand (
      store uuid, environment text, id text, due_at timestamptz, leased_until timestamptz, attempts integer not null default 0,
      primary key (store, environment, id))`;
  await sql`create index on errand (due_at)`;
  await sql`create table walk (store uuid, id text, attempt integer)`;
};

export const addErrand = (sql: Sql, { store, environment }: Tenant, id: string, at: number) => sql`
  insert into errand (store, environment, id, due_at) values (${store}, ${environment}, ${id}, ${new Date(at)})`;

/** Writes down the walk and ends the errand in one transaction. */
export const walk = async (postgres: Postgres, { store, environment, id, attempts }: Errand): Promise<'ended'> => {
  await postgres.transaction(async ({ sql }) => {
    await sql`insert into walk values (${store}, ${id}, ${attempts})`;
    await sql`
      update errand set due_at = null, leased_until = null
      where store = ${store} and environment = ${environment} and id = ${id}`;
  });
  return 'ended';
};

export const errands = (
  run: (row: Errand, claim: Claim) => ReturnType<JobKind<Errand>['run']>,
  options: Partial<JobKind<Errand>> = {},
): DeclaredJob =>
  job<Errand>({
    name: 'errand',
    rows: {
      table: 'errand',
      due: 'due_at',
      lease: 'leased_until',
      claimed: (sql) => sql`attempts = job.attempts + 1`,
      columns: (sql) => sql`id, attempts`,
    },
    clock: 'real',
    leaseMs: 60_000,
    atOnce: 8,
    perTenant: 8,
    retryMs: [5_000, 60_000],
    run,
    ...options,
  });
