// Starts and ends promotions at their scheduled times, by the tenant's clock, and publishes the events. Prices do not
// depend on this job, because pricing derives the status from the clock.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { advanceStatus } from './promotion_event.ts';
import type { AnnouncePrices } from './rule_cache.ts';
import {
  duePromotions,
  duePromotionsOfTenant,
  lockPromotion,
  raiseRevision,
  savePromotion,
} from './table/promotion.ts';

type ScheduleRuntime = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

const CHECK_INTERVAL_MS = 500;
const BATCH_MAX = 200;

const advancePromotion = async (
  tx: Transaction,
  tenant: Tenant,
  id: string,
): Promise<{ readonly types: readonly string[] } | null> => {
  const found = await lockPromotion(tx.sql, tenant, id);
  if (!found) return null;
  const { times_used, ...stored } = found;
  const { record, transitions } = advanceStatus(stored, times_used, tx.clock.now(tenant).getTime());
  if (record === stored) return null;
  await raiseRevision(tx.sql, tenant);
  await savePromotion(tx.sql, tenant, record);
  await tx.emitAll(transitions.map((each) => ({ tenant, ...each })));
  return { types: transitions.map(({ event }) => event.type) };
};

/**
 * Updates promotions while a sandbox's clock is advanced. Rules are reloaded once at the end, not after each change.
 */
export const promotionsDue: SharedDue = {
  list: async (sql, tenant, until, max) => {
    const due = await duePromotionsOfTenant(sql, tenant, new Date(until), max);
    return due.map(({ id, due_at }) => ({ id, at: due_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => (await advancePromotion(tx, tenant, id)) ?? { types: [] },
};

const advanceDue = async (runtime: ScheduleRuntime, announce: AnnouncePrices): Promise<number> => {
  const { postgres, clock, log } = runtime;
  const moved = clock.moved().map((tenant) => ({ tenant, now: clock.now(tenant) }));
  const due = await duePromotions(postgres.sql, new Date(clock.real()), moved, BATCH_MAX);
  let count = 0;
  for (const { tenant, id } of due) {
    try {
      const done = await postgres.transaction(async (tx) => {
        const it = await advancePromotion(tx, tenant, id);
        if (it) announce(tx, tenant);
        return it;
      });
      if (done) count++;
    } catch (error) {
      log.warn({ err: error, promotion: id }, 'failed to advance the status of a promotion');
    }
  }
  return count;
};

export const startSchedule = (runtime: ScheduleRuntime, announce: AnnouncePrices): (() => void) =>
  repeatedly({
    everyMs: CHECK_INTERVAL_MS,
    able: () => runtime.postgres.available,
    resting: {
      ...runtime,
      nextDue: async (until) => dueAtOnce((await duePromotions(runtime.postgres.sql, until, [], 1)).length > 0),
    },
    work: () => advanceDue(runtime, announce),
    failed: (error) => runtime.log.warn({ err: error }, 'failed to list due promotions'),
  });
