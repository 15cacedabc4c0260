// SQL of sandboxes' clocks.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** No call lasts longer: what a host of an older release goes by, which knows no lease. */
const CALL_S_MAX = 70;

/** None holds the clock of this alias, or its holder's lease is over. */
export const isFree = (sql: Sql, alias: string) => sql`
  (${sql(`${alias}.busy`)} is null or now() > coalesce(
    (
      select lease.until from sandbox.lease as lease
      where lease.store = ${sql(`${alias}.store`)} and lease.environment = ${sql(`${alias}.environment`)}
        and lease.token = ${sql(`${alias}.busy`)}
    ),
    ${sql(`${alias}.busy_until`)}
  ))`;

const heldBy = (sql: Sql, { store }: Tenant, token: string) => sql`
  store = ${store} and environment = 'sandbox' and busy = ${token}`;

/**
 * Its holder alone moves or resets the sandbox. How far its clock is ahead, by the very row that was claimed; null: another
 * holds it, or is about to.
 */
export const claim = async (sql: Sql, { store }: Tenant, token: string, leaseMs: number): Promise<number | null> => {
  await sql`
    insert into sandbox.clock (store, environment, offset_ms)
    select ${store}::uuid, 'sandbox', 0
    where not exists (select from sandbox.clock where store = ${store} and environment = 'sandbox')
    on conflict do nothing`;
  const [claimed] = await sql<{ offset_ms: number }[]>`
    with taken as (
      update sandbox.clock set busy = ${token}, busy_until = now() + make_interval(secs => ${CALL_S_MAX})
      where (store, environment) = (
        select store, environment from sandbox.clock as held
        where store = ${store} and environment = 'sandbox' and ${isFree(sql, 'held')}
        for update skip locked
      )
      returning store, environment, offset_ms
    ), leased as (
      insert into sandbox.lease (store, environment, token, until)
      select store, environment, ${token}, now() + make_interval(secs => ${leaseMs / 1000}) from taken
      on conflict (store, environment) do update set token = excluded.token, until = excluded.until
    )
    select offset_ms from taken`;
  return claimed?.offset_ms ?? null;
};

export const renew = async (sql: Sql, { store }: Tenant, token: string, leaseMs: number): Promise<void> => {
  await sql`
    update sandbox.lease set until = now() + make_interval(secs => ${leaseMs / 1000})
    where store = ${store} and environment = 'sandbox' and token = ${token}`;
};

export const release = async (sql: Sql, tenant: Tenant, token: string): Promise<void> => {
  await sql`update sandbox.clock set busy = null, busy_until = null where ${heldBy(sql, tenant, token)}`;
};

/** Keeps others out until the transaction is over. False: it was taken by another meanwhile. */
export const lock = async (sql: Sql, tenant: Tenant, token: string): Promise<boolean> => {
  const { count } = await sql`select from sandbox.clock where ${heldBy(sql, tenant, token)} for update`;
  return count === 1;
};

/** Sets it and lets it go. False: it was taken by another meanwhile. */
export const saveOffset = async (sql: Sql, tenant: Tenant, token: string, offsetMs: number): Promise<boolean> => {
  const { count } = await sql`
    update sandbox.clock set offset_ms = ${offsetMs}, busy = null, busy_until = null
    where ${heldBy(sql, tenant, token)}`;
  return count === 1;
};

/** Whether this very command has reset it before. */
export const isReset = async (sql: Sql, { store }: Tenant, commandId: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from sandbox.clock where store = ${store} and environment = 'sandbox' and reset_by = ${commandId}`;
  return rows.length > 0;
};

/** It begins anew with the real time. */
export const noteReset = async (sql: Sql, tenant: Tenant, token: string, commandId: string): Promise<void> => {
  await sql`update sandbox.clock set offset_ms = 0, reset_by = ${commandId} where ${heldBy(sql, tenant, token)}`;
};

/** How far it is ahead, held or not; 0 where it was never moved. */
export const findOffset = async (sql: Sql, { store }: Tenant): Promise<number> => {
  const [saved] = await sql<{ offset_ms: number }[]>`
    select offset_ms from sandbox.clock where store = ${store} and environment = 'sandbox'`;
  return saved?.offset_ms ?? 0;
};

export interface SavedClock {
  readonly store: string;
  readonly offset_ms: number;
}

/** Those that were ever moved, and are not being moved now; or one tenant's. */
export const findOffsets = (sql: Sql, tenant: Tenant | null) => sql<SavedClock[]>`
  select store, offset_ms from sandbox.clock as clock
  where ${tenant === null ? sql`true` : sql`store = ${tenant.store}`} and ${isFree(sql, 'clock')}`;
