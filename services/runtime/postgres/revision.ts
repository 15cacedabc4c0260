// Revisions of tenants, as a domain keeps them: a row a tenant in a table of its own, raised by each change.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from './sql.ts';

/** 0 for a tenant that never wrote. What is read after it is at least as new. */
export const revisionOf = async (sql: Sql, table: string, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    select revision from ${sql(table)} where store = ${store} and environment = ${environment}`;
  return row?.revision ?? 0;
};

/** Those of many tenants; one that never wrote is left out. */
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
