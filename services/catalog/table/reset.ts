// SQL of a catalogue that was copied into a sandbox which has neither shoppers nor orders.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';

/** Nobody holds anything of it yet, and nobody has reviewed it; every row is news. */
export const unsettle = async (sql: Sql, { store, environment }: Tenant, revision: number): Promise<void> => {
  await sql`
    update catalog.inventory set held = 0, held_seq = 0, revision = ${revision}
    where store = ${store} and environment = ${environment}`;
  await sql`
    update catalog.product set average_rating = null, review_count = 0, revision = ${revision}
    where store = ${store} and environment = ${environment}`;
  for (const table of ['catalog.category', 'catalog.collection', 'catalog.price_list'])
    await sql.unsafe(`update ${table} set revision = $3 where store = $1 and environment = $2`, [
      store,
      environment,
      revision,
    ]);
};
