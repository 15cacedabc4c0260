// SQL of a tenant's content revision.
import type { Tenant } from '#runtime/call/call.ts';
import { revisionOf, revisionsOf } from '#runtime/postgres/revision.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const TABLE = 'content.revision';

export type FoundContent<T> = T & { readonly revision: number };

/** Raises the revision. The lock on the row makes the tenant's writes run one after another until commit. */
export const raiseRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into content.revision as r (store, environment, revision) values (${store}, ${environment}, 1)
    on conflict (store, environment) do update set revision = r.revision + 1
    returning revision`;
  return row!.revision;
};

export const currentRevision = (sql: Sql, tenant: Tenant): Promise<number> => revisionOf(sql, TABLE, tenant);

export const currentRevisions = (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => revisionsOf(sql, TABLE, tenants);
