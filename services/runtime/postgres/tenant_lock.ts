// Serializes writes of a tenant that count rows before they add one.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from './sql.ts';

/** Holds the lock until the transaction ends. Later reads in it are up to date. */
export const lockTenant = async (sql: Sql, { store, environment }: Tenant, what: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turn ${store} ${environment} ${what}`}, 0))`;
};
