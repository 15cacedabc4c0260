// A tenant's catalogue revision: the lock that puts its writes one after the other, and the number that they stamp.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';

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
