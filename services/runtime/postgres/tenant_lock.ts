// Serializes a tenant's writes that count rows before adding one.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from './sql.ts';

/** Locks until the transaction ends. Reads after it see everything committed before the lock. */
export const lockTenant = async (sql: Sql, { store, environment }: Tenant, what: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turn ${store} ${environment} ${what}`}, 0))`;
};
