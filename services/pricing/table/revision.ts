// A tenant's revision of promotions and tax rates in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import { revisionOf, revisionsOf } from '#runtime/postgres/revision.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const TABLE = 'pricing.revision';

/** Raises it; a tenant's writes are put one after the other by its row. */
export const raiseRevision = async (sql: Sql, { store, environment }: Tenant): Promise<void> => {
  await sql`
    insert into pricing.revision as r (store, environment, revision) values (${store}, ${environment}, 1)
    on conflict (store, environment) do update set revision = r.revision + 1`;
};

export const currentRevision = (sql: Sql, tenant: Tenant): Promise<number> => revisionOf(sql, TABLE, tenant);

export const currentRevisions = (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => revisionsOf(sql, TABLE, tenants);
