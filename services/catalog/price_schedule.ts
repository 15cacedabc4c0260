// Creates a revision when a price list starts or ends by its tenant's clock, so that no cache continues to show the old
// price.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { type Due, sequentialDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { type Boundary, boundariesOf, firstBoundary, nearBoundaries, type TenantWindow } from './table/price_list.ts';
import { takeRepriceRevision } from './table/revision.ts';

const TICK_MS = 500;
const RELOAD_MS = 60_000;
const AHEAD_MS = 2 * RELOAD_MS;

export interface PriceSchedule {
  reload(tenant: Tenant): void;
  readonly due: Due;
  start(): void;
  stop(): void;
}

/** Opens the schedule. `repriced` must resolve when the new revision can be read. */
export const openPriceSchedule = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  repriced: (tenant: Tenant, revision: number) => Promise<void>,
): PriceSchedule => {
  const boundaries = new Map<TenantKey, { readonly tenant: Tenant; readonly times: number[] }>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let stop = (): void => {};

  const offsets = new Map<TenantKey, number>();

  const add = (found: readonly Boundary[]): void => {
    for (const { tenant, at } of found) {
      const key = tenantKey(tenant);
      const known = boundaries.get(key) ?? { tenant, times: [] };
      if (!known.times.includes(at.getTime())) known.times.push(at.getTime());
      boundaries.set(key, known);
    }
    for (const { times } of boundaries.values()) times.sort((a, b) => a - b);
  };

  /**
   * Returns a window that includes the past `backMs`, in which a price list may have started or ended while no process
   * ran.
   */
  const windowOf = (tenant: Tenant, backMs: number): TenantWindow => {
    const now = clock.now(tenant).getTime();
    return { tenant, since: new Date(now - backMs), until: new Date(now + AHEAD_MS) };
  };

  const loadAll = async (backMs: number): Promise<void> => {
    const [real, moved] = [clock.real(), clock.moved()];
    add(await nearBoundaries(postgres.sql, new Date(real - backMs), new Date(real + AHEAD_MS)));
    add(await load(moved, backMs));
  };

  const load = (tenants: readonly Tenant[], backMs: number): Promise<Boundary[]> => {
    for (const tenant of tenants) offsets.set(tenantKey(tenant), clock.offset(tenant));
    return boundariesOf(
      postgres.sql,
      tenants.map((tenant) => windowOf(tenant, backMs)),
    );
  };

  const hasClockMoved = (tenant: Tenant): boolean => offsets.get(tenantKey(tenant)) !== clock.offset(tenant);

  const applyPassed = async ({ tenant, times }: { tenant: Tenant; times: number[] }): Promise<void> => {
    if (clock.isFrozen(tenant)) return;
    const now = clock.now(tenant).getTime();
    const passed = times.filter((at) => at <= now);
    if (passed.length === 0) return;
    const revision = await takeRepriceRevision(postgres.sql, tenant, new Date(passed[passed.length - 1]!));
    times.splice(0, passed.length);
    if (times.length === 0) boundaries.delete(tenantKey(tenant));
    if (revision !== null) void repriced(tenant, revision);
  };

  const work = async (): Promise<void> => {
    const real = clock.real();
    if (real - loadedAt >= RELOAD_MS) {
      // Covers the whole time since the last load, because the machine may have slept.
      await loadAll(Number.isFinite(loadedAt) ? real - loadedAt + RELOAD_MS : RELOAD_MS);
      loadedAt = real;
    }
    add(await load(clock.moved().filter(hasClockMoved), RELOAD_MS));
    for (const known of [...boundaries.values()]) await applyPassed(known);
  };

  const failed = (problem: unknown): void => log.warn({ err: problem }, 'failed to load scheduled prices');

  const due = sequentialDue(clock, {
    first: async (tenant, { since: from, target }) => {
      const at = await firstBoundary(postgres.sql, tenant, new Date(from), new Date(target));
      return at && { id: 'prices', at: at.getTime() };
    },
    fire: async (tenant, { at }) => {
      const revision = await takeRepriceRevision(postgres.sql, tenant, new Date(at));
      if (revision !== null) await repriced(tenant, revision);
      return ['price_list'];
    },
  });

  return {
    due,
    reload(tenant) {
      load([tenant], RELOAD_MS).then(add, failed);
    },
    start() {
      stop = repeatedly({ everyMs: TICK_MS, able: () => postgres.available, work, failed });
    },
    stop: () => stop(),
  };
};
