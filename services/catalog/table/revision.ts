// A tenant's catalogue revision: the lock that puts its writes one after the other, and the number that they stamp.
import type { Tenant } from '#runtime/call/call.ts';
import { revisionOf, revisionsOf } from '#runtime/postgres/revision.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const TABLE = 'catalog.revision';

/** Waits for its turn; the revision that this transaction's changes will bear. */
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

/** Makes it the tenant's revision; the transaction must hold its turn. */
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

/** A sandbox began anew: a revision beyond all that its rows bear, copied ones included. */
export const resetRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into catalog.revision as own (store, environment, revision, changed_at)
    select ${store}, ${environment}, coalesce(max(revision), 0) + 1, now() from catalog.revision where store = ${store}
    on conflict (store, environment) do update
      set revision = excluded.revision, changed_at = excluded.changed_at, repriced_at = null
    returning revision`;
  return row!.revision;
};

/** Takes a revision for prices that changed by time at `boundary`, unless another host did; null then. */
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

/** A revision for a change outside of the catalogue that shows in it; null for a tenant that never wrote. */
export const touchRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number | null> => {
  const [row] = await sql<{ revision: number }[]>`
    update catalog.revision set revision = revision + 1, changed_at = now()
    where store = ${store} and environment = ${environment} returning revision`;
  return row?.revision ?? null;
};
