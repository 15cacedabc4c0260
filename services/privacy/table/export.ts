// SQL of exports: one for each customer, which is a job until its archive is stored.
import type { Tenant } from '#runtime/call/call.ts';
import type { JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface ExportRecord {
  readonly id: string;
  readonly customer: string;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
}

const columns = (sql: Sql) => sql`id, customer, created_at, completed_at, expires_at`;

/** Starts an export in place of the customer's former one. Returns null if the former one is still running. */
export const startExport = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, customer, created_at, expires_at }: ExportRecord,
  dueAt: Date,
): Promise<ExportRecord | null> => {
  const [row] = await sql<ExportRecord[]>`
    insert into privacy.export as former (store, environment, id, customer, due_at, created_at, expires_at)
    values (${store}, ${environment}, ${id}, ${customer}, ${dueAt}, ${created_at}, ${expires_at})
    on conflict (store, environment, customer) do update
      set id = excluded.id, archive = null, due_at = excluded.due_at, attempts = 0, completed_at = null,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      where former.completed_at is not null
    returning ${columns(sql)}`;
  return row ?? null;
};

export const exportOf = async (
  sql: Sql,
  { store, environment }: Tenant,
  customer: string,
): Promise<ExportRecord | null> => {
  const [row] = await sql<ExportRecord[]>`
    select ${columns(sql)} from privacy.export
    where store = ${store} and environment = ${environment} and customer = ${customer}`;
  return row ?? null;
};

export const findExport = async (
  sql: Sql,
  { store, environment }: Tenant,
  customer: string,
  id: string,
): Promise<(ExportRecord & { readonly archive: Buffer | null }) | null> => {
  const [row] = await sql<(ExportRecord & { readonly archive: Buffer | null })[]>`
    select ${columns(sql)}, archive from privacy.export
    where store = ${store} and environment = ${environment} and customer = ${customer} and id = ${id}`;
  return row ?? null;
};

export const EXPORT_JOBS: JobTable = {
  table: 'privacy.export',
  due: 'due_at',
  lease: 'due_at',
  claimed: (sql) => sql`attempts = job.attempts + 1`,
  columns: (sql) => sql`id, customer, attempts`,
};

export const completeExport = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  archive: Uint8Array,
  at: Date,
): Promise<void> => {
  await sql`
    update privacy.export set archive = ${archive}, completed_at = ${at}, due_at = null
    where store = ${store} and environment = ${environment} and id = ${id} and completed_at is null`;
};

export const deleteExport = async (sql: Sql, { store, environment }: Tenant, customer: string): Promise<void> => {
  await sql`
    delete from privacy.export
    where store = ${store} and environment = ${environment} and customer = ${customer}`;
};

export const deleteOldExports = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from privacy.export where ctid = any(array(
      select ctid from privacy.export where expires_at < ${before} limit ${limit}))`;
  return gone.count;
};
