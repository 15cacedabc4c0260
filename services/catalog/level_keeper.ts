// Applies stock changes made outside the catalogue's writes: units held by stock actors, and `on_hand` moved by orders.
// All pending changes of a tenant share one revision, so that a flash sale costs a few revisions a second.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Due } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { AnnounceProducts } from './announced_revision.ts';
import { crossings } from './product_event.ts';
import type { CrossedStock, ProductStore } from './product_store.ts';
import type { Profiles } from './profile.ts';
import { findMoves, type HeldFigure, lockLevels, type MovedLevel, movedTenants, saveLevels } from './table/level.ts';
import { nextRevision } from './table/revision.ts';

export interface LevelKeeper {
  /** Applies everything pending and these holds; returns the revision that shows them. */
  settle(tenant: Tenant, figures: readonly HeldFigure[]): Promise<number>;
  forget(tenant: Tenant): void;
  settleSoon(tenant: Tenant): void;
  /** Nothing here depends on time, but changes during a clock advance must be visible after it. */
  readonly due: Due;
  start(): void;
  stop(): void;
}

/** Levels per transaction. */
const LEVELS_MAX = 1_000;
/** Gathers snapshots of several partitions. */
const GATHER_MS = 50;
const LOOK_MS = 1_000;
const TENANTS_MAX = 100;

interface Round {
  readonly figures: Map<string, HeldFigure>;
  readonly done: Promise<number>;
}

const available = (onHand: number, held: number): number => Math.max(0, onHand - held);

/** `held` may still include units that orders allocated since its snapshot; they are no longer on hand. */
const heldOf = ({ held, committed }: HeldFigure, { allocated }: MovedLevel): number =>
  Math.max(0, held - Math.max(0, allocated - committed));

const stockBefore = ({ before, on_hand, held }: MovedLevel): number => before ?? available(on_hand, held);

const crosses = (level: MovedLevel, held: number, storeThreshold: number): boolean =>
  crossings(stockBefore(level), available(level.on_hand, held), level.low_stock_threshold ?? storeThreshold).length > 0;

/** Grouped by product, so that each product is read once. */
const crossedOf = (levels: readonly MovedLevel[]): ReadonlyMap<string, CrossedStock[]> => {
  const crossed = levels.map((level) => ({ ...level, before: stockBefore(level) }));
  return Map.groupBy(crossed, ({ product_id }) => product_id);
};

const put = (figures: Map<string, HeldFigure>, figure: HeldFigure): void => {
  if ((figures.get(figure.variant_id)?.seq ?? -1) < figure.seq) figures.set(figure.variant_id, figure);
};

const settleAll = async (settle: LevelKeeper['settle'], tenant: Tenant): Promise<void> => {
  for (let seen = -1, revision = await settle(tenant, []); revision !== seen; ) {
    seen = revision;
    revision = await settle(tenant, []);
  }
};

export const openLevelKeeper = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  profiles: Profiles,
  products: ProductStore,
  announce: AnnounceProducts,
): LevelKeeper => {
  const running = new Map<TenantKey, Promise<unknown>>();
  const waiting = new Map<TenantKey, Round>();
  const taken = new Map<TenantKey, Round['figures']>();
  const gathering = new Map<TenantKey, ReturnType<typeof setTimeout>>();
  let stopLooking = (): void => {};

  const takeIn = async (
    tx: Transaction,
    tenant: Tenant,
    figures: ReadonlyMap<string, HeldFigure>,
    moved: readonly string[],
  ): Promise<number> => {
    const { lowStockThreshold } = await profiles.get(tenant);
    const stateOf = await enterSandboxes(tx.sql, [tenant]);
    if (stateOf(tenant).shut) throw new Unavailable('The sandbox is being reset.');
    const revision = await nextRevision(tx.sql, tenant);
    const levels = await lockLevels(tx.sql, tenant, [...new Set([...figures.keys(), ...moved])]);
    const settled = levels.map((level) => {
      const figure = figures.get(level.variant_id);
      const newer = figure !== undefined && figure.seq > level.held_seq ? figure : null;
      const held = newer ? heldOf(newer, level) : level.held;
      const changed = held !== level.held || level.before !== null;
      const told = changed && crosses(level, held, lowStockThreshold);
      return { variant_id: level.variant_id, held, held_seq: newer?.seq ?? level.held_seq, changed, told };
    });
    // Deletes only what was read under the lock; later moves stay pending.
    const seen = levels.filter(({ before }) => before !== null).map(({ variant_id }) => variant_id);
    const gone = moved.filter((id) => !levels.some(({ variant_id }) => variant_id === id));
    await saveLevels(tx.sql, tenant, revision, settled, { held: [...figures.values()], moved: [...seen, ...gone] });
    const told = levels.filter((_, at) => settled[at]!.told);
    for (const [product, own] of crossedOf(told)) await products.tellStock(tx, tenant, product, own);
    const changed = levels.flatMap((level, at) => (settled[at]!.changed ? { ...level, held: settled[at]!.held } : []));
    if (changed.length === 0) return revision - 1;
    const subjects = new Set(changed.map(({ product_id }) => product_id));
    announce(tx, tenant, revision, [...subjects], { products: [], categories: [], levels: changed });
    return revision;
  };

  const round = async (tenant: Tenant, figures: Map<string, HeldFigure>): Promise<number> => {
    const { revision, held, moved } = await findMoves(postgres.sql, tenant, LEVELS_MAX);
    for (const figure of held) put(figures, figure);
    if (figures.size === 0 && moved.length === 0) return revision;
    return postgres.transaction((tx) => takeIn(tx, tenant, figures, moved));
  };

  /** Runs one round per tenant at a time; callers meanwhile share the next one. */
  const settle = (tenant: Tenant, figures: readonly HeldFigure[]): Promise<number> => {
    const key = tenantKey(tenant);
    let next = waiting.get(key);
    if (!next) {
      const own = new Map<string, HeldFigure>();
      const before = running.get(key) ?? Promise.resolve();
      const done = before
        .catch(() => {})
        .then(() => {
          waiting.delete(key);
          running.set(key, done);
          taken.set(key, own);
          return round(tenant, own);
        })
        .finally(() => {
          if (running.get(key) !== done) return;
          running.delete(key);
          taken.delete(key);
        });
      next = { figures: own, done };
      waiting.set(key, next);
    }
    for (const figure of figures) put(next.figures, figure);
    return next.done;
  };

  const settleSoon = (tenant: Tenant): void => {
    const key = tenantKey(tenant);
    if (gathering.has(key)) return;
    const timer = setTimeout(() => {
      gathering.delete(key);
      settle(tenant, []).catch((problem) => log.debug({ err: problem, tenant: key }, 'stock levels wait'));
    }, GATHER_MS);
    gathering.set(key, timer);
  };

  const look = async (): Promise<void> => {
    for (const tenant of await movedTenants(postgres.sql, TENANTS_MAX)) settleSoon(tenant);
  };

  return {
    settle,
    settleSoon,
    forget(tenant) {
      const key = tenantKey(tenant);
      waiting.get(key)?.figures.clear();
      taken.get(key)?.clear();
    },
    due: { next: async () => null, run: async () => [], settle: (tenant) => settleAll(settle, tenant) },
    start() {
      stopLooking = repeatedly({
        everyMs: LOOK_MS,
        able: () => postgres.available,
        resting: { postgres, clock, nextDue: async () => dueAtOnce((await movedTenants(postgres.sql, 1)).length > 0) },
        work: look,
        failed: (problem) => log.debug({ err: problem }, 'failed to look for moved stock levels'),
      });
    },
    stop() {
      stopLooking();
      for (const timer of gathering.values()) clearTimeout(timer);
      gathering.clear();
    },
  };
};
