// A sandbox that begins anew keeps out background work: consumers of events, schedules, actors' snapshots.
// Those who are in end first; those who come find it shut; and what was told in an earlier life is not done in a later one.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Postgres } from './database.ts';
import type { Sql } from './sql.ts';

/** First half of a lock name of two integers; the second says whose sandbox. */
const LOCK_SPACE = 1_937_010_531;
/** Longer than a reset may last: then its process is gone. */
const SHUT_S = 90;
const LOOK_MS = 5;
/** An edge waits for ten seconds: a call has time left for its work. */
const PATIENCE_MS = 4_000;

/** A transaction came to sandboxes that are being reset. Nothing of it was done; it may be run again once they are open. */
export class SandboxShut extends Unavailable {
  readonly stores: readonly string[];

  constructor(stores: readonly string[]) {
    super('The sandbox is being reset.');
    this.name = 'SandboxShut';
    this.stores = stores;
  }
}

/** What is known of a sandbox that was ever reset. */
export interface Life {
  /** It is being reset now. */
  readonly shut: boolean;
  /** An event of a smaller sequence was told before its last reset. */
  readonly since: number;
}

const BORN: Life = { shut: false, since: 0 };

const sandboxesOf = (tenants: readonly Tenant[]): string[] => [
  ...new Set(tenants.flatMap(({ store, environment }) => (environment === 'sandbox' ? [store] : []))),
];

/**
 * To be asked within a transaction, before it looks at what it acts upon: as long as the transaction lasts, none of these
 * sandboxes is cleared. Production costs nothing.
 */
export const enterSandboxes = async (sql: Sql, tenants: readonly Tenant[]): Promise<(tenant: Tenant) => Life> => {
  const stores = sandboxesOf(tenants);
  if (stores.length === 0) return () => BORN;
  // Two statements: the second sees what was committed before the first had the locks.
  const [, rows] = await Promise.all([
    sql`
      select pg_advisory_xact_lock_shared(${LOCK_SPACE}, key)
      from (select distinct hashtext(store) as key from unnest(${stores}::text[]) as store order by 1) as keys`,
    sql<{ store: string; shut: boolean; since: number }[]>`
      select store, coalesce(shut_until > now(), false) as shut, since from runtime.renewal
      where store = any(${stores}::uuid[]) and environment = 'sandbox'`,
  ]);
  const lives = new Map(rows.map(({ store, ...life }) => [tenantKey({ store, environment: 'sandbox' }), life]));
  return (tenant) => lives.get(tenantKey(tenant)) ?? BORN;
};

/**
 * In which of its lives a tenant is: another number once it has begun anew. To be asked before what is remembered is read:
 * what was read in one life is not written in the next. Production has one life.
 */
export const lifeOf = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  if (environment !== 'sandbox') return BORN.since;
  const [row] = await sql<{ since: number }[]>`
    select since from runtime.renewal where store = ${store} and environment = 'sandbox'`;
  return row?.since ?? BORN.since;
};

/** The same for each row of a table, by its alias, as of the very moment at which a statement reads the row. */
export const lifeOfRow = (sql: Sql, alias: string) => sql`
  coalesce((
    select life.since from runtime.renewal as life
    where life.store = ${sql(`${alias}.store`)} and life.environment = ${sql(`${alias}.environment`)}
  ), ${BORN.since})`;

/**
 * For statements that look for work among all tenants: none of the rows of a table, by its alias, is of a sandbox that is being
 * reset. What they changed would keep the reset from clearing it.
 */
export const ofOpenSandbox = (sql: Sql, alias: string) => sql`
  not exists (
    select from runtime.renewal as life
    where life.store = ${sql(`${alias}.store`)} and life.environment = ${sql(`${alias}.environment`)}
      and life.shut_until > now()
  )`;

/**
 * Shuts a sandbox: resolves once all who were in have ended and all that they told is in the log; throws, with the sandbox
 * open again, where that takes too long.
 */
export const shutSandbox = async (
  { sql }: Pick<Postgres, 'sql'>,
  { store }: Tenant,
  withinMs: number,
): Promise<void> => {
  const until = performance.now() + withinMs;
  const eventually = async (look: () => Promise<boolean>, why: string): Promise<void> => {
    while (!(await look())) {
      if (performance.now() > until) throw new Unavailable(why);
      await sleep(LOOK_MS);
    }
  };
  await sql`
    insert into runtime.renewal (store, environment, shut_until)
    values (${store}, 'sandbox', now() + make_interval(secs => ${SHUT_S}))
    on conflict (store, environment) do update set shut_until = excluded.shut_until`;
  try {
    // Never in line for it: work that is in may ask for work that comes in later.
    await eventually(async () => {
      const [lock] = await sql<{ free: boolean }[]>`
        select pg_try_advisory_xact_lock(${LOCK_SPACE}, hashtext(${store})) as free`;
      return lock!.free;
    }, 'Work for this sandbox is still running.');
    await eventually(async () => {
      const [waiting] = await sql<{ any: boolean }[]>`
        select exists (
          select from runtime.outbox where store = ${store} and environment = 'sandbox' and drafts is not null
        ) as any`;
      return !waiting!.any;
    }, 'Events of this sandbox are still on their way to the log.');
  } catch (problem) {
    await openSandbox({ sql }, { store, environment: 'sandbox' });
    throw problem;
  }
};

/** By store, the one look at a shut sandbox that all who wait for it share: each of them asking would take the pool from the reset. */
const openings = new WeakMap<Sql, Map<string, Promise<void>>>();

/** Until it is open. */
const look = async (sql: Sql, store: string): Promise<void> => {
  for (;;) {
    const [closed] = await sql`
      select from runtime.renewal where store = ${store} and environment = 'sandbox' and shut_until > now()`;
    if (!closed) return;
    await sleep(LOOK_MS);
  }
};

const opening = (sql: Sql, store: string): Promise<void> => {
  const byStore = openings.get(sql) ?? new Map<string, Promise<void>>();
  openings.set(sql, byStore);
  const known = byStore.get(store);
  if (known) return known;
  const opened = look(sql, store).finally(() => byStore.delete(store));
  byStore.set(store, opened);
  return opened;
};

/** Waits until all of these are open; false where that takes too long. */
const isOpened = (sql: Sql, stores: readonly string[]): Promise<boolean> =>
  Promise.race([
    Promise.all(stores.map((store) => opening(sql, store))).then(() => true),
    sleep(PATIENCE_MS, false, { ref: false }),
  ]);

/** Once more where it came to a sandbox that was just being reset, and has waited outside. */
export const outsideReset = async <T>(sql: Sql, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (problem) {
    if (problem instanceof SandboxShut && (await isOpened(sql, problem.stores))) return run();
    throw problem;
  }
};

/** Opens it as it is. */
export const openSandbox = async ({ sql }: Pick<Postgres, 'sql'>, { store }: Tenant): Promise<void> => {
  await sql`update runtime.renewal set shut_until = null where store = ${store} and environment = 'sandbox'`;
};

/**
 * Within the reset's transaction: once it is committed another life begins, and the sandbox is open. Throws where it was
 * opened before, as that of a process which was thought to be gone.
 */
export const renewSandbox = async (sql: Sql, { store }: Tenant): Promise<void> => {
  const { count } = await sql`
    update runtime.renewal set shut_until = null, since = nextval('runtime.outbox_position_seq')
    where store = ${store} and environment = 'sandbox' and shut_until > now()`;
  if (count === 0) throw new Unavailable('The sandbox was opened before it was cleared.');
};
