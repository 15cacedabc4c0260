// A tenant's revision of content in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Something as it was read, with the revision as of which it was. */
export type FoundContent<T> = T & { readonly revision: number };

/** Raises it; a tenant's writes are put one after the other by its row. The one that now stands. */
export const raiseRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into content.revision as r (store, environment, revision) values (${store}, ${environment}, 1)
    on conflict (store, environment) do update set revision = r.revision + 1
    returning revision`;
  return row!.revision;
};

/** 0 for a tenant that never wrote. What is read after it is at least as new. */
export const currentRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    select revision from content.revision where store = ${store} and environment = ${environment}`;
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
    join content.revision r on r.store = asked.store and r.environment = asked.environment`;
  return rows.map(({ revision, ...tenant }) => ({ tenant, revision }));
};
