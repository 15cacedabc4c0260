// SQL of leftovers: ids whose files no row names.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export const insertLeftover = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  since: Date,
): Promise<void> => {
  await sql`
    insert into media.leftover (store, environment, id, since) values (${store}, ${environment}, ${id}, ${since})`;
};

/** Returns false if a sweep has taken the id. */
export const deleteLeftover = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<boolean> => {
  const gone = await sql`
    delete from media.leftover where store = ${store} and environment = ${environment} and id = ${id}`;
  return gone.count > 0;
};

export interface Leftover {
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
}

export const oldLeftovers = async (sql: Sql, before: Date, limit: number): Promise<Leftover[]> => sql<Leftover[]>`
  select store, environment, id from media.leftover where since < ${before} order by since limit ${limit}`;
