// SQL of checkouts that began and wait to be counted.
import type { Tenant } from '#runtime/call/call.ts';
import { isSandboxOpen } from '#runtime/postgres/sandbox_lock.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export const insertStartedCheckout = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  startedAt: Date,
): Promise<void> => {
  await sql`
    insert into report.started_checkout (store, environment, id, started_at)
    values (${store}, ${environment}, ${id}, ${startedAt})`;
};

export const tenantsWithCheckouts = (sql: Sql, limit: number): Promise<readonly Tenant[]> => sql<Tenant[]>`
  select distinct c.store, c.environment from report.started_checkout as c where ${isSandboxOpen(sql, 'c')} limit ${limit}`;

export const takeStartedCheckouts = async (
  sql: Sql,
  { store, environment }: Tenant,
  limit: number,
): Promise<readonly Date[]> => {
  const rows = await sql<{ started_at: Date }[]>`
    delete from report.started_checkout where ctid = any(array(
      select ctid from report.started_checkout where store = ${store} and environment = ${environment}
      limit ${limit} for update skip locked))
    returning started_at`;
  return rows.map(({ started_at }) => started_at);
};
