// Locks a sandbox by its row in runtime.sandbox. Every writing transaction shares the row until it ends; a reset locks
// the row exclusively. During a reset, transactions find the sandbox shut. Production has no such row and needs no
// statement.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Sql } from './sql.ts';

const LOOK_MS = 5;
/** Longest wait for a reset in ms; an edge waits 10 s, so the call has time left for its work. */
const WAIT_MS_MAX = 4_000;

/**
 * Thrown where a transaction was rolled back because these sandboxes are being reset; it may be repeated afterwards.
 */
export class SandboxShut extends Unavailable {
  readonly stores: readonly string[];

  constructor(stores: readonly string[]) {
    super('The sandbox is being reset.');
    this.name = 'SandboxShut';
    this.stores = stores;
  }
}

export interface SandboxState {
  readonly shut: boolean;
  /** Outbox position at the last reset. Events with a smaller sequence precede that reset. */
  readonly generation: number;
}

const NEVER_RESET: SandboxState = { shut: false, generation: 0 };

const sandboxesOf = (tenants: readonly Tenant[]): string[] => [
  ...new Set(tenants.flatMap(({ store, environment }) => (environment === 'sandbox' ? [store] : []))),
];

/** Shares the sandboxes' rows until the transaction ends. Must run before the transaction reads. */
export const enterSandboxes = async (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<(tenant: Tenant) => SandboxState> => {
  const stores = sandboxesOf(tenants);
  if (stores.length === 0) return () => NEVER_RESET;
  // Two statements, because the second one sees commits from before the locks. Skipped rows are locked by a reset.
  const [shared, rows] = await Promise.all([
    sql<{ store: string }[]>`
      select store from runtime.sandbox where store = any(${stores}::uuid[]) and environment = 'sandbox'
      order by store for key share skip locked`,
    sql<{ store: string; shut: boolean; generation: number }[]>`
      select store, coalesce(s.shut and s.leased_until > now(), false) as shut, generation from runtime.sandbox as s
      where store = any(${stores}::uuid[]) and environment = 'sandbox'`,
  ]);
  const entered = new Set(shared.map(({ store }) => store));
  const states = new Map(
    rows.map(({ store, shut, generation }) => [
      tenantKey({ store, environment: 'sandbox' }),
      { shut: shut || !entered.has(store), generation },
    ]),
  );
  return (tenant) => states.get(tenantKey(tenant)) ?? NEVER_RESET;
};

/**
 * Returns the sandbox's generation, to be remembered with data that is read now, so that the data is not written after
 * a reset.
 */
export const generationOf = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  if (environment !== 'sandbox') return NEVER_RESET.generation;
  const [row] = await sql<{ generation: number }[]>`
    select generation from runtime.sandbox where store = ${store} and environment = 'sandbox'`;
  return row?.generation ?? NEVER_RESET.generation;
};

export const generationOfRow = (sql: Sql, alias: string) => sql`
  coalesce((
    select s.generation from runtime.sandbox as s
    where s.store = ${sql(`${alias}.store`)} and s.environment = ${sql(`${alias}.environment`)}
  ), ${NEVER_RESET.generation})`;

/** Returns SQL that excludes rows of shut sandboxes, for queries over all tenants. */
export const isSandboxOpen = (sql: Sql, alias: string) => sql`
  not exists (
    select from runtime.sandbox as s
    where s.store = ${sql(`${alias}.store`)} and s.environment = ${sql(`${alias}.environment`)} and s.shut and s.leased_until > now()
  )`;

/**
 * One poll for each shut sandbox, shared by all that wait for it, since each poll takes up a connection that the reset
 * could use.
 */
const openings = new WeakMap<Sql, Map<string, Promise<void>>>();

const untilOpen = async (sql: Sql, store: string): Promise<void> => {
  for (;;) {
    const [open] = await sql`
      select from runtime.sandbox as s where store = ${store} and environment = 'sandbox' and (not s.shut or s.leased_until <= now())
      for key share skip locked`;
    if (open) return;
    await sleep(LOOK_MS);
  }
};

const opening = (sql: Sql, store: string): Promise<void> => {
  const byStore = openings.get(sql) ?? new Map<string, Promise<void>>();
  openings.set(sql, byStore);
  const known = byStore.get(store);
  if (known) return known;
  const opened = untilOpen(sql, store).finally(() => byStore.delete(store));
  byStore.set(store, opened);
  return opened;
};

export const retryAfterReset = async <T>(sql: Sql, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (problem) {
    if (!(problem instanceof SandboxShut)) throw problem;
    const opened = Promise.all(problem.stores.map((store) => opening(sql, store))).then(() => true);
    if (await Promise.race([opened, sleep(WAIT_MS_MAX, false, { ref: false })])) return run();
    throw problem;
  }
};
