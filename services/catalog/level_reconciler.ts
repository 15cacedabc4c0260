// Applies stock changes that the catalogue did not make itself: units held by stock actors, and `on_hand` changed by
// orders. A tenant's pending changes share one revision, so that even a flash sale creates only a few revisions a
// second.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Due } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { crossings } from './product_event.ts';
import type { CrossedStock, ProductStore } from './product_store.ts';
import type { AnnounceProducts } from './product_write.ts';
import type { Profiles } from './profile.ts';
import { findMoves, type HeldLevel, lockLevels, type MovedLevel, movedTenants, saveLevels } from './table/level.ts';
import { nextRevision } from './table/revision.ts';

export interface LevelReconciler {
  /** Applies all pending changes and the given numbers of held units. Returns the first revision that includes them. */
  reconcile(tenant: Tenant, heldLevels: readonly HeldLevel[]): Promise<number>;
  discard(tenant: Tenant): void;
  reconcileSoon(tenant: Tenant): void;
  /** Applies pending changes during an advance of a sandbox's clock, so that they are visible after the advance. */
  readonly due: Due;
  start(): void;
  stop(): void;
}

const LEVELS_PER_TRANSACTION_MAX = 1_000;
/** Delay before reconciling, in which snapshots of several partitions arrive. */
const GATHER_MS = 50;
const POLL_MS = 1_000;
const TENANTS_MAX = 100;

interface Round {
  readonly heldLevels: Map<string, HeldLevel>;
  readonly done: Promise<number>;
}

const available = (onHand: number, held: number): number => Math.max(0, onHand - held);

/**
 * Returns `held` without the units that orders have allocated since the snapshot, because those are no longer on hand.
 */
const heldOf = ({ held, committed }: HeldLevel, { allocated }: MovedLevel): number =>
  Math.max(0, held - Math.max(0, allocated - committed));

const stockBefore = ({ before, on_hand, held }: MovedLevel): number => before ?? available(on_hand, held);

const crosses = (level: MovedLevel, held: number, storeThreshold: number): boolean =>
  crossings(stockBefore(level), available(level.on_hand, held), level.low_stock_threshold ?? storeThreshold).length > 0;

/** Groups the levels by product, so that each product is read once. */
const crossedOf = (levels: readonly MovedLevel[]): ReadonlyMap<string, CrossedStock[]> => {
  const crossed = levels.map((level) => ({ ...level, before: stockBefore(level) }));
  return Map.groupBy(crossed, ({ product_id }) => product_id);
};

const addNewest = (heldLevels: Map<string, HeldLevel>, heldLevel: HeldLevel): void => {
  if ((heldLevels.get(heldLevel.variant_id)?.seq ?? -1) < heldLevel.seq)
    heldLevels.set(heldLevel.variant_id, heldLevel);
};

const reconcileAll = async (reconcile: LevelReconciler['reconcile'], tenant: Tenant): Promise<void> => {
  for (let seen = -1, revision = await reconcile(tenant, []); revision !== seen; ) {
    seen = revision;
    revision = await reconcile(tenant, []);
  }
};

export const openLevelReconciler = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  profiles: Profiles,
  products: ProductStore,
  announce: AnnounceProducts,
): LevelReconciler => {
  const running = new Map<TenantKey, Promise<unknown>>();
  const waiting = new Map<TenantKey, Round>();
  const applying = new Map<TenantKey, Round['heldLevels']>();
  const scheduled = new Map<TenantKey, ReturnType<typeof setTimeout>>();
  let stopPolling = (): void => {};

  const applyMoves = async (
    tx: Transaction,
    tenant: Tenant,
    heldLevels: ReadonlyMap<string, HeldLevel>,
    moved: readonly string[],
  ): Promise<number> => {
    const { lowStockThreshold } = await profiles.get(tenant);
    const stateOf = await enterSandboxes(tx.sql, [tenant]);
    if (stateOf(tenant).shut) throw new Unavailable('The sandbox is being reset.');
    const revision = await nextRevision(tx.sql, tenant);
    const levels = await lockLevels(tx.sql, tenant, [...new Set([...heldLevels.keys(), ...moved])]);
    const reconciled = levels.map((level) => {
      const heldLevel = heldLevels.get(level.variant_id);
      const newer = heldLevel !== undefined && heldLevel.seq > level.held_seq ? heldLevel : null;
      const held = newer ? heldOf(newer, level) : level.held;
      const changed = held !== level.held || level.before !== null;
      const crossed = changed && crosses(level, held, lowStockThreshold);
      return { variant_id: level.variant_id, held, held_seq: newer?.seq ?? level.held_seq, changed, crossed };
    });
    // Deletes only changes that were read under the lock; later ones stay pending.
    const seen = levels.filter(({ before }) => before !== null).map(({ variant_id }) => variant_id);
    const gone = moved.filter((id) => !levels.some(({ variant_id }) => variant_id === id));
    await saveLevels(tx.sql, tenant, revision, reconciled, {
      held: [...heldLevels.values()],
      moved: [...seen, ...gone],
    });
    const crossed = levels.filter((_, at) => reconciled[at]!.crossed);
    for (const [product, own] of crossedOf(crossed)) await products.emitStockEvents(tx, tenant, product, own);
    const changed = levels.flatMap((level, at) =>
      reconciled[at]!.changed ? { ...level, held: reconciled[at]!.held } : [],
    );
    if (changed.length === 0) return revision - 1;
    const subjects = new Set(changed.map(({ product_id }) => product_id));
    announce(tx, tenant, revision, [...subjects], { products: [], categories: [], levels: changed });
    return revision;
  };

  const round = async (tenant: Tenant, heldLevels: Map<string, HeldLevel>): Promise<number> => {
    const { revision, held, moved } = await findMoves(postgres.sql, tenant, LEVELS_PER_TRANSACTION_MAX);
    for (const heldLevel of held) addNewest(heldLevels, heldLevel);
    if (heldLevels.size === 0 && moved.length === 0) return revision;
    return postgres.transaction((tx) => applyMoves(tx, tenant, heldLevels, moved));
  };

  /** Runs one reconciliation per tenant at a time; calls that arrive meanwhile share the next one. */
  const reconcile = (tenant: Tenant, heldLevels: readonly HeldLevel[]): Promise<number> => {
    const key = tenantKey(tenant);
    let next = waiting.get(key);
    if (!next) {
      const own = new Map<string, HeldLevel>();
      const before = running.get(key) ?? Promise.resolve();
      const done = before
        .catch(() => {})
        .then(() => {
          waiting.delete(key);
          running.set(key, done);
          applying.set(key, own);
          return round(tenant, own);
        })
        .finally(() => {
          if (running.get(key) !== done) return;
          running.delete(key);
          applying.delete(key);
        });
      next = { heldLevels: own, done };
      waiting.set(key, next);
    }
    for (const heldLevel of heldLevels) addNewest(next.heldLevels, heldLevel);
    return next.done;
  };

  const reconcileSoon = (tenant: Tenant): void => {
    const key = tenantKey(tenant);
    if (scheduled.has(key)) return;
    const timer = setTimeout(() => {
      scheduled.delete(key);
      reconcile(tenant, []).catch((problem) =>
        log.debug({ err: problem, tenant: key }, 'failed to reconcile stock levels, will retry'),
      );
    }, GATHER_MS);
    scheduled.set(key, timer);
  };

  const poll = async (): Promise<void> => {
    for (const tenant of await movedTenants(postgres.sql, TENANTS_MAX)) reconcileSoon(tenant);
  };

  return {
    reconcile,
    reconcileSoon,
    discard(tenant) {
      const key = tenantKey(tenant);
      waiting.get(key)?.heldLevels.clear();
      applying.get(key)?.clear();
    },
    due: { next: async () => null, run: async () => [], settle: (tenant) => reconcileAll(reconcile, tenant) },
    start() {
      stopPolling = repeatedly({
        everyMs: POLL_MS,
        able: () => postgres.available,
        resting: { postgres, clock, nextDue: async () => dueAtOnce((await movedTenants(postgres.sql, 1)).length > 0) },
        work: poll,
        failed: (problem) => log.debug({ err: problem }, 'failed to find moved stock levels'),
      });
    },
    stop() {
      stopPolling();
      for (const timer of scheduled.values()) clearTimeout(timer);
      scheduled.clear();
    },
  };
};
