// Reads a tenant's revision from a domain's table, which has one row for each tenant.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from './sql.ts';

/** Returns the revision; 0 for a tenant without writes. Data that is read afterwards is at least as new. */
export const revisionOf = async (sql: Sql, table: string, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    select revision from ${sql(table)} where store = ${store} and environment = ${environment}`;
  return row?.revision ?? 0;
};

export const revisionsOf = async (
  sql: Sql,
  table: string,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => {
  const rows = await sql<(Tenant & { revision: number })[]>`
    select r.store, r.environment, r.revision
    from unnest(${tenants.map((tenant) => tenant.store)}::uuid[], ${tenants.map((tenant) => tenant.environment)}::text[])
      as asked (store, environment)
    join ${sql(table)} r on r.store = asked.store and r.environment = asked.environment`;
  return rows.map(({ revision, ...tenant }) => ({ tenant, revision }));
};
