// Watches for the moments at which price lists begin or end by their tenant's clock: a price that changes by time alone
// is a new revision too, so that no cache goes on showing the old one.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { type Due, sequentialDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Boundary, boundariesOf, firstBoundary, nearBoundaries, type TenantWindow } from './table/price_list.ts';
import { takeRepriceRevision } from './table/revision.ts';

const TICK_MS = 250;
/** Lists may have been written by a host that is gone since. */
const LOOK_MS = 60_000;
/** What is further off is found by a later look, so that lists that wait for long cost nothing meanwhile. */
const AHEAD_MS = 2 * LOOK_MS;

export interface PriceWatch {
  /** The tenant's lists were written. */
  look(tenant: Tenant): void;
  /** The same for a sandbox that travels through time. */
  readonly due: Due;
  start(): void;
  stop(): void;
}

/** `repriced` hears of every revision that was taken for a boundary, and resolves once it can be read. */
export const openPriceWatch = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  repriced: (tenant: Tenant, revision: number) => Promise<void>,
): PriceWatch => {
  const boundaries = new Map<TenantKey, { readonly tenant: Tenant; readonly times: number[] }>();
  let looked = Number.NEGATIVE_INFINITY;
  let busy = false;
  let timer: ReturnType<typeof setInterval> | null = null;

  /** How far the clocks that are not the real one were ahead when their tenants were looked at. */
  const offsets = new Map<TenantKey, number>();

  const note = (found: readonly Boundary[]): void => {
    for (const { tenant, at } of found) {
      const key = tenantKey(tenant);
      const known = boundaries.get(key) ?? { tenant, times: [] };
      if (!known.times.includes(at.getTime())) known.times.push(at.getTime());
      boundaries.set(key, known);
    }
    for (const { times } of boundaries.values()) times.sort((a, b) => a - b);
  };

  /** From a little before now: a boundary that passed while no process watched still counts. */
  const windowOf = (tenant: Tenant, backMs: number): TenantWindow => {
    const now = clock.now(tenant).getTime();
    return { tenant, since: new Date(now - backMs), until: new Date(now + AHEAD_MS) };
  };

  /** All that is near by the real clock, and what is near by those that are ahead. */
  const lookAtAll = async (backMs: number): Promise<void> => {
    const [real, moved] = [clock.real(), clock.moved()];
    note(await nearBoundaries(postgres.sql, new Date(real - backMs), new Date(real + AHEAD_MS)));
    note(await lookAt(moved, backMs));
  };

  const lookAt = (tenants: readonly Tenant[], backMs: number): Promise<Boundary[]> => {
    for (const tenant of tenants) offsets.set(tenantKey(tenant), clock.offset(tenant));
    return boundariesOf(
      postgres.sql,
      tenants.map((tenant) => windowOf(tenant, backMs)),
    );
  };

  const isElsewhere = (tenant: Tenant): boolean => offsets.get(tenantKey(tenant)) !== clock.offset(tenant);

  const cross = async ({ tenant, times }: { tenant: Tenant; times: number[] }): Promise<void> => {
    if (clock.isFrozen(tenant)) return;
    const now = clock.now(tenant).getTime();
    const passed = times.filter((at) => at <= now);
    if (passed.length === 0) return;
    const revision = await takeRepriceRevision(postgres.sql, tenant, new Date(passed[passed.length - 1]!));
    times.splice(0, passed.length);
    if (times.length === 0) boundaries.delete(tenantKey(tenant));
    if (revision !== null) void repriced(tenant, revision);
  };

  const tick = async (): Promise<void> => {
    if (busy || !postgres.available) return;
    busy = true;
    try {
      const real = clock.real();
      if (real - looked >= LOOK_MS) {
        // Without a gap behind the last look, however long the machine slept.
        await lookAtAll(Number.isFinite(looked) ? real - looked + LOOK_MS : LOOK_MS);
        looked = real;
      }
      note(await lookAt(clock.moved().filter(isElsewhere), LOOK_MS));
      for (const known of [...boundaries.values()]) await cross(known);
    } catch (problem) {
      log.warn({ err: problem }, 'price lists could not be watched');
    } finally {
      busy = false;
    }
  };

  const due = sequentialDue(clock, {
    first: async (tenant, { since: from, target }) => {
      const at = await firstBoundary(postgres.sql, tenant, new Date(from), new Date(target));
      return at && { id: 'prices', at: at.getTime() };
    },
    fire: async (tenant, { at }) => {
      const revision = await takeRepriceRevision(postgres.sql, tenant, new Date(at));
      // Whatever follows in the jump reads it.
      if (revision !== null) await repriced(tenant, revision);
      return ['price_list'];
    },
  });

  return {
    due,
    look(tenant) {
      lookAt([tenant], LOOK_MS).then(note, (problem) => log.warn({ err: problem }, 'price lists could not be watched'));
    },
    start() {
      timer = setInterval(() => void tick(), TICK_MS);
      timer.unref();
    },
    stop() {
      if (timer) clearInterval(timer);
    },
  };
};
