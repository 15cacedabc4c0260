// SQL of sandboxes' clocks.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Its holder alone moves or resets the sandbox. False: another holds it. */
export const claim = async (sql: Sql, { store }: Tenant, token: string, leaseMs: number): Promise<boolean> => {
  const { count } = await sql`
    insert into sandbox.clock as mine (store, environment, offset_ms, busy, busy_until)
    values (${store}, 'sandbox', 0, ${token}, now() + make_interval(secs => ${leaseMs / 1000}))
    on conflict (store, environment) do update set busy = excluded.busy, busy_until = excluded.busy_until
      where mine.busy is null or mine.busy_until < now()`;
  return count === 1;
};

export const renew = async (sql: Sql, { store }: Tenant, token: string, leaseMs: number): Promise<void> => {
  await sql`
    update sandbox.clock set busy_until = now() + make_interval(secs => ${leaseMs / 1000})
    where store = ${store} and environment = 'sandbox' and busy = ${token}`;
};

export const release = async (sql: Sql, { store }: Tenant, token: string): Promise<void> => {
  await sql`
    update sandbox.clock set busy = null, busy_until = null
    where store = ${store} and environment = 'sandbox' and busy = ${token}`;
};

/** Sets it and lets it go. False: it was taken by another meanwhile. */
export const saveOffset = async (sql: Sql, { store }: Tenant, token: string, offsetMs: number): Promise<boolean> => {
  const { count } = await sql`
    update sandbox.clock set offset_ms = ${offsetMs}, busy = null, busy_until = null
    where store = ${store} and environment = 'sandbox' and busy = ${token}`;
  return count === 1;
};

export interface SavedClock {
  readonly store: string;
  readonly offset_ms: number;
}

/** Those that were ever moved, and are not being moved now; or one tenant's. */
export const findOffsets = (sql: Sql, tenant: Tenant | null) => sql<SavedClock[]>`
  select store, offset_ms from sandbox.clock
  where ${tenant === null ? sql`true` : sql`store = ${tenant.store}`} and (busy is null or busy_until < now())`;
