// Closes, opens and resets a sandbox without a call. The store id is the holder of the lock.
import type { Tenant } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { shutSandbox as shut } from '#services/sandbox/shut.ts';
import { beginGeneration, claim, release } from '#services/sandbox/table/sandbox.ts';

type Database = Pick<Postgres, 'sql'>;

const LEASE_MS = 90_000;

/** Writes the row that a store has from its creation. */
export const addSandbox = async ({ sql }: Database, { store }: Tenant): Promise<void> => {
  await sql`insert into runtime.sandbox (store) values (${store}) on conflict do nothing`;
};

export const openSandbox = ({ sql }: Database, tenant: Tenant): Promise<void> => release(sql, tenant, tenant.store);

export const closeSandbox = async (database: Database, tenant: Tenant, withinMs: number): Promise<void> => {
  if ((await claim(database.sql, tenant, tenant.store, LEASE_MS)) === null) throw new Error('Another holds it.');
  try {
    await shut(database.sql, tenant, tenant.store, withinMs);
  } catch (problem) {
    await openSandbox(database, tenant);
    throw problem;
  }
};

export const startSandboxGeneration = async (sql: Sql, tenant: Tenant): Promise<void> => {
  if (!(await beginGeneration(sql, tenant, tenant.store, tenant.store))) throw new Error('It was opened before.');
};
