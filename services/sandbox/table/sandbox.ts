// SQL of the lease on a sandbox: the row in runtime.sandbox as its holder writes it.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const leaseEnd = (sql: Sql, leaseMs: number) => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

const heldBy = (sql: Sql, { store }: Tenant, token: string) => sql`
  store = ${store} and environment = 'sandbox' and holder = ${token}`;

/**
 * Makes the token the sandbox's holder. Returns the clock's offset in ms; null: another holds the sandbox, or clears it though
 * its lease has ended.
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

/** Never revives a lease that has ended: others have entered the sandbox since. */
export const renew = async (sql: Sql, tenant: Tenant, token: string, leaseMs: number): Promise<void> => {
  await sql`
    update runtime.sandbox set leased_until = ${leaseEnd(sql, leaseMs)}
    where (store, environment) = (
      select store, environment from runtime.sandbox where ${heldBy(sql, tenant, token)} and leased_until > now()
      for no key update skip locked
    )`;
};

/** Opens the sandbox, whose clock stays as it is written. */
export const release = async (sql: Sql, tenant: Tenant, token: string): Promise<void> => {
  await sql`
    update runtime.sandbox set holder = null, leased_until = null, shut = false where ${heldBy(sql, tenant, token)}`;
};

/** Sends away every transaction that comes from now on, and renews the lease. False: another took the sandbox. */
export const shut = async (sql: Sql, tenant: Tenant, token: string, leaseMs: number): Promise<boolean> => {
  const { count } = await sql`
    update runtime.sandbox set shut = true, leased_until = ${leaseEnd(sql, leaseMs)}
    where ${heldBy(sql, tenant, token)}`;
  return count === 1;
};

/** Whether every transaction that shared the row has ended. Never waits: work that is in may ask for work that comes later. */
export const isEmpty = async (sql: Sql, tenant: Tenant, token: string): Promise<boolean> => {
  const { count } = await sql`
    select from runtime.sandbox where ${heldBy(sql, tenant, token)} for update skip locked`;
  return count === 1;
};

export const hasWaitingEvents = async (sql: Sql, { store }: Tenant): Promise<boolean> => {
  const rows = await sql`
    select from runtime.outbox where store = ${store} and environment = 'sandbox' and drafts is not null limit 1`;
  return rows.length > 0;
};

/**
 * Keeps everybody out until the transaction ends, and has the sandbox begin its next generation, open and at the real time,
 * when it commits. False: another took the sandbox, or it has been open since the lease ended.
 */
export const beginGeneration = async (sql: Sql, tenant: Tenant, token: string, commandId: string): Promise<boolean> => {
  await sql`select from runtime.sandbox where ${heldBy(sql, tenant, token)} for update`;
  // A second statement: the lease may end while the first one waits.
  const { count } = await sql`
    update runtime.sandbox set shut = false, generation = nextval('runtime.outbox_position_seq'),
      offset_ms = 0, reset_by = ${commandId}
    where ${heldBy(sql, tenant, token)} and shut and leased_until > clock_timestamp()`;
  return count === 1;
};

/** Within the transaction that cleared the sandbox: its lease could not be renewed meanwhile. */
export const extend = async (sql: Sql, tenant: Tenant, token: string, leaseMs: number): Promise<void> => {
  await sql`
    update runtime.sandbox set leased_until = ${leaseEnd(sql, leaseMs)} where ${heldBy(sql, tenant, token)}`;
};

/** Sets the clock and releases the sandbox. False: another took it. */
export const saveOffset = async (sql: Sql, tenant: Tenant, token: string, offsetMs: number): Promise<boolean> => {
  const { count } = await sql`
    update runtime.sandbox set offset_ms = ${offsetMs}, holder = null, leased_until = null, shut = false
    where ${heldBy(sql, tenant, token)}`;
  return count === 1;
};

export const isReset = async (sql: Sql, { store }: Tenant, commandId: string): Promise<boolean> => {
  const rows = await sql`
    select from runtime.sandbox where store = ${store} and environment = 'sandbox' and reset_by = ${commandId}`;
  return rows.length > 0;
};

/** In ms; 0 where the clock was never moved. */
export const findOffset = async (sql: Sql, { store }: Tenant): Promise<number> => {
  const [saved] = await sql<{ offset_ms: number }[]>`
    select offset_ms from runtime.sandbox where store = ${store} and environment = 'sandbox'`;
  return saved?.offset_ms ?? 0;
};

export interface SavedClock {
  readonly store: string;
  readonly offset_ms: number;
}

/** Of these stores; null: of all stores whose clock is ahead. */
export const findOffsets = (sql: Sql, stores: readonly string[] | null) => sql<SavedClock[]>`
  select store, offset_ms from runtime.sandbox
  where ${stores === null ? sql`offset_ms > 0` : sql`store = any(${[...stores]}::uuid[])`}`;
