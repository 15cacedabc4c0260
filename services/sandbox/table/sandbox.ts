// SQL of the lease on a sandbox, a row of runtime.sandbox.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const leaseEnd = (sql: Sql, leaseMs: number) => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

const isHolder = (sql: Sql, { store }: Tenant, token: string) => sql`
  store = ${store} and environment = 'sandbox' and holder = ${token}`;

/**
 * Claims the lease for `token`. Returns the clock's offset in ms; null while another call holds the lease, or is still
 * clearing the sandbox after its lease has expired.
 */
export const claim = async (sql: Sql, { store }: Tenant, token: string, leaseMs: number): Promise<number | null> => {
  await sql`
    insert into runtime.sandbox (store)
    select ${store}::uuid where not exists (select from runtime.sandbox where store = ${store})
    on conflict do nothing`;
  const [claimed] = await sql<{ offset_ms: number }[]>`
    update runtime.sandbox set holder = ${token}, leased_until = ${leaseEnd(sql, leaseMs)}, shut = false
    where (store, environment) = (
      select store, environment from runtime.sandbox
      where store = ${store} and environment = 'sandbox' and (holder is null or leased_until <= now())
      for no key update skip locked
    )
    returning offset_ms`;
  return claimed?.offset_ms ?? null;
};

/** Renews a lease that has not expired; after its expiry other calls may have entered the sandbox. */
export const renew = async (sql: Sql, tenant: Tenant, token: string, leaseMs: number): Promise<void> => {
  await sql`
    update runtime.sandbox set leased_until = ${leaseEnd(sql, leaseMs)}
    where (store, environment) = (
      select store, environment from runtime.sandbox where ${isHolder(sql, tenant, token)} and leased_until > now()
      for no key update skip locked
    )`;
};

export const release = async (sql: Sql, tenant: Tenant, token: string): Promise<void> => {
  await sql`
    update runtime.sandbox set holder = null, leased_until = null, shut = false where ${isHolder(sql, tenant, token)}`;
};

/** Blocks new transactions of other calls and renews the lease. Returns false if another call has taken the lease. */
export const shut = async (sql: Sql, tenant: Tenant, token: string, leaseMs: number): Promise<boolean> => {
  const { count } = await sql`
    update runtime.sandbox set shut = true, leased_until = ${leaseEnd(sql, leaseMs)}
    where ${isHolder(sql, tenant, token)}`;
  return count === 1;
};

/**
 * Returns whether every transaction that locked the row in share mode has ended. Does not wait for them: they may
 * themselves wait for later work in the sandbox.
 */
export const isEmpty = async (sql: Sql, tenant: Tenant, token: string): Promise<boolean> => {
  const { count } = await sql`
    select from runtime.sandbox where ${isHolder(sql, tenant, token)} for update skip locked`;
  return count === 1;
};

export const hasWaitingEvents = async (sql: Sql, { store }: Tenant): Promise<boolean> => {
  const rows = await sql`
    select from runtime.outbox where store = ${store} and environment = 'sandbox' and drafts is not null limit 1`;
  return rows.length > 0;
};

/**
 * Locks the sandbox until the transaction ends. With the commit a new generation of its data starts, at the real time.
 * Returns false if another call has taken the lease or the lease has expired.
 */
export const beginGeneration = async (sql: Sql, tenant: Tenant, token: string, commandId: string): Promise<boolean> => {
  await sql`select from runtime.sandbox where ${isHolder(sql, tenant, token)} for update`;
  // The lease may expire while the first statement waits for the lock, so a second one checks it.
  const { count } = await sql`
    update runtime.sandbox set shut = false, generation = nextval('runtime.outbox_position_seq'),
      offset_ms = 0, reset_by = ${commandId}
    where ${isHolder(sql, tenant, token)} and shut and leased_until > clock_timestamp()`;
  return count === 1;
};

export const extendLease = async (sql: Sql, tenant: Tenant, token: string, leaseMs: number): Promise<void> => {
  await sql`
    update runtime.sandbox set leased_until = ${leaseEnd(sql, leaseMs)} where ${isHolder(sql, tenant, token)}`;
};

export const saveOffset = async (sql: Sql, tenant: Tenant, token: string, offsetMs: number): Promise<boolean> => {
  const { count } = await sql`
    update runtime.sandbox set offset_ms = ${offsetMs}, holder = null, leased_until = null, shut = false
    where ${isHolder(sql, tenant, token)}`;
  return count === 1;
};

export const isReset = async (sql: Sql, { store }: Tenant, commandId: string): Promise<boolean> => {
  const rows = await sql`
    select from runtime.sandbox where store = ${store} and environment = 'sandbox' and reset_by = ${commandId}`;
  return rows.length > 0;
};

export const findOffset = async (sql: Sql, { store }: Tenant): Promise<number> => {
  const [saved] = await sql<{ offset_ms: number }[]>`
    select offset_ms from runtime.sandbox where store = ${store} and environment = 'sandbox'`;
  return saved?.offset_ms ?? 0;
};

export interface SavedClock {
  readonly store: string;
  readonly offset_ms: number;
}

export const findOffsets = (sql: Sql, stores: readonly string[] | null) => sql<SavedClock[]>`
  select store, offset_ms from runtime.sandbox
  where ${stores === null ? sql`offset_ms > 0` : sql`store = any(${[...stores]}::uuid[])`}`;
