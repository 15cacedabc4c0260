// A tenant's revision of promotions and tax rates in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Raises it; a tenant's writes are put one after the other by its row. */
export const raiseRevision = async (sql: Sql, { store, environment }: Tenant): Promise<void> => {
  await sql`
    insert into pricing.revision as r (store, environment, revision) values (${store}, ${environment}, 1)
    on conflict (store, environment) do update set revision = r.revision + 1`;
};

/** 0 for a tenant that never wrote. */
export const currentRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    select revision from pricing.revision where store = ${store} and environment = ${environment}`;
  return row?.revision ?? 0;
};

/** Those of many tenants that ever wrote. */
export const currentRevisions = async (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => {
  const rows = await sql<(Tenant & { revision: number })[]>`
    select r.store, r.environment, r.revision
    from unnest(${tenants.map((tenant) => tenant.store)}::uuid[], ${tenants.map((tenant) => tenant.environment)}::text[])
      as asked (store, environment)
    join pricing.revision r on r.store = asked.store and r.environment = asked.environment`;
  return rows.map(({ revision, ...tenant }) => ({ tenant, revision }));
};
