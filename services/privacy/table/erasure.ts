// SQL of erasures: a job for each person, with their addresses and ids until it is complete.
import type { Tenant } from '#runtime/call/call.ts';
import type { JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface ErasureRecord {
  readonly id: string;
  readonly reason: string;
  readonly requested_at: Date;
  readonly completed_at: Date | null;
}

const columns = (sql: Sql) => sql`id, reason, requested_at, completed_at`;

export interface StartedErasure {
  readonly id: string;
  readonly reason: string;
  readonly emails: readonly string[];
  readonly requestedAt: Date;
  readonly dueAt: Date;
}

/** Starts an erasure, or starts a complete one anew. A running one continues. */
export const startErasure = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, reason, emails, requestedAt, dueAt }: StartedErasure,
): Promise<ErasureRecord> => {
  const [row] = await sql<ErasureRecord[]>`
    insert into privacy.erasure as former (store, environment, id, reason, emails, due_at, requested_at)
    values (${store}, ${environment}, ${id}, ${reason}, ${emails as string[]}::text[], ${dueAt}, ${requestedAt})
    on conflict (store, environment, id) do update set reason = excluded.reason, attempts = 0, completed_at = null,
      emails = array(select distinct unnest(former.emails || excluded.emails)),
      due_at = least(former.due_at, excluded.due_at)
    returning ${columns(sql)}`;
  return row!;
};

export const findErasure = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<ErasureRecord | null> => {
  const [row] = await sql<ErasureRecord[]>`
    select ${columns(sql)} from privacy.erasure
    where store = ${store} and environment = ${environment} and id = ${id}`;
  return row ?? null;
};

export const ERASURE_JOBS: JobTable = {
  table: 'privacy.erasure',
  due: 'due_at',
  lease: 'due_at',
  claimed: (sql) => sql`attempts = job.attempts + 1`,
  columns: (sql) => sql`id, attempts`,
};

export interface KnownPerson {
  readonly emails: readonly string[];
  readonly ids: readonly string[];
}

/** Locks the erasure, so that an erasure that was claimed again does not run beside itself. */
export const lockPerson = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<KnownPerson | null> => {
  const [row] = await sql<KnownPerson[]>`
    select emails, ids from privacy.erasure
    where store = ${store} and environment = ${environment} and id = ${id} and completed_at is null for no key update`;
  return row ?? null;
};

export const addToPerson = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  { emails, ids }: KnownPerson,
): Promise<void> => {
  await sql`
    update privacy.erasure set emails = array(select distinct unnest(emails || ${emails as string[]}::text[])),
      ids = array(select distinct unnest(ids || ${ids as string[]}::text[]))
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

/** Deletes the person's addresses and ids. */
export const completeErasure = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  at: Date,
): Promise<void> => {
  await sql`
    update privacy.erasure set completed_at = ${at}, due_at = null, emails = '{}', ids = '{}'
    where store = ${store} and environment = ${environment} and id = ${id} and completed_at is null`;
};
