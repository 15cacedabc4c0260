// One after the other: writes of a tenant that count rows before they add one.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from './sql.ts';

/** Keeps others that want the same turn of the tenant out until the transaction ends. What is read after it is up to date. */
export const lockTenant = async (sql: Sql, { store, environment }: Tenant, what: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turn ${store} ${environment} ${what}`}, 0))`;
};
