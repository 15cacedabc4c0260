// SQL of a tenant's catalogue revision. The revision's lock serialises the tenant's writes; each changed row stores the
// revision's number.
import type { Tenant } from '#runtime/call/call.ts';
import { revisionOf, revisionsOf } from '#runtime/postgres/revision.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const TABLE = 'catalog.revision';

export const nextRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const lock = () => sql<{ revision: number }[]>`
    select revision from catalog.revision where store = ${store} and environment = ${environment} for update`;
  let [row] = await lock();
  if (!row) {
    await sql`
      insert into catalog.revision (store, environment, revision, changed_at)
      values (${store}, ${environment}, 0, now()) on conflict do nothing`;
    [row] = await lock();
  }
  return row!.revision + 1;
};

export const setRevision = async (sql: Sql, { store, environment }: Tenant, revision: number): Promise<void> => {
  await sql`
    update catalog.revision set revision = ${revision}, changed_at = now()
    where store = ${store} and environment = ${environment}`;
};

export const currentRevision = (sql: Sql, tenant: Tenant): Promise<number> => revisionOf(sql, TABLE, tenant);

export const currentRevisions = (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => revisionsOf(sql, TABLE, tenants);

/**
 * Sets the tenant's revision above that of both environments, because copied rows keep the revision of the environment
 * they come from.
 */
export const resetRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into catalog.revision as own (store, environment, revision, changed_at)
    select ${store}, ${environment}, coalesce(max(revision), 0) + 1, now() from catalog.revision where store = ${store}
    on conflict (store, environment) do update
      set revision = excluded.revision, changed_at = excluded.changed_at, repriced_at = null
    returning revision`;
  return row!.revision;
};

/** Creates the revision of a scheduled price change. Returns null if another host already has. */
export const takeRepriceRevision = async (
  sql: Sql,
  { store, environment }: Tenant,
  boundary: Date,
): Promise<number | null> => {
  const [row] = await sql<{ revision: number }[]>`
    update catalog.revision set revision = revision + 1, changed_at = now(), repriced_at = ${boundary}
    where store = ${store} and environment = ${environment} and (repriced_at is null or repriced_at < ${boundary})
    returning revision`;
  return row?.revision ?? null;
};

export const touchRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number | null> => {
  const [row] = await sql<{ revision: number }[]>`
    update catalog.revision set revision = revision + 1, changed_at = now()
    where store = ${store} and environment = ${environment} returning revision`;
  return row?.revision ?? null;
};
