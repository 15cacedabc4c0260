// Begins and ends promotions when their time has come, by their tenant's clock, and tells of it. What baskets cost does
// not wait for this: it looks at the clock itself.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { AnnouncePrices } from './announcement.ts';
import { dueAt } from './promotion.ts';
import { advance } from './promotion_event.ts';
import { duePromotions, duePromotionsOf, lockPromotion, savePromotion } from './table/promotion.ts';
import { raiseRevision } from './table/revision.ts';

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

const LOOK_MS = 500;
const AT_ONCE_MAX = 200;

/** What moved a promotion, and when it is due again. */
interface Moved {
  readonly types: readonly string[];
  readonly again: number | null;
}

/** Moves one through every moment that has passed, each told as of that moment; null: it did not move. */
const move = async (tx: Transaction, tenant: Tenant, id: string): Promise<Moved | null> => {
  const found = await lockPromotion(tx.sql, tenant, id);
  if (!found) return null;
  const { times_used, ...stored } = found;
  const { record, moves } = advance(stored, times_used, tx.clock.now(tenant).getTime());
  // Another host was faster.
  if (record === stored) return null;
  await raiseRevision(tx.sql, tenant);
  await savePromotion(tx.sql, tenant, record);
  await tx.emitAll(moves.map((each) => ({ tenant, ...each })));
  return { types: moves.map(({ event }) => event.type), again: dueAt(record)?.getTime() ?? null };
};

/**
 * The same for a sandbox that travels through time. Promotions are not read again for each of them: once the journey has
 * ended is soon enough.
 */
export const promotionsDue: SharedDue = {
  list: async (sql, tenant, until, max) => {
    const due = await duePromotionsOf(sql, tenant, new Date(until), max);
    return due.map(({ id, due_at }) => ({ id, at: due_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => (await move(tx, tenant, id)) ?? { types: [] },
};

/** Moves all that are due; how many. */
const moveDue = async (parts: Parts, announce: AnnouncePrices): Promise<number> => {
  const { postgres, clock, log } = parts;
  const moved = clock.moved().map((tenant) => ({ tenant, now: clock.now(tenant) }));
  const due = await duePromotions(postgres.sql, new Date(clock.real()), moved, AT_ONCE_MAX);
  let count = 0;
  for (const { tenant, id } of due) {
    try {
      const done = await postgres.transaction(async (tx) => {
        const it = await move(tx, tenant, id);
        if (it) announce(tx, tenant);
        return it;
      });
      if (done) count++;
    } catch (problem) {
      // The others need not wait for it.
      log.warn({ err: problem, promotion: id }, 'a promotion was not moved');
    }
  }
  return count;
};

/** Looks twice a second. Returns how to stop. */
export const startSchedule = (parts: Parts, announce: AnnouncePrices): (() => void) =>
  repeatedly({
    everyMs: LOOK_MS,
    able: () => parts.postgres.available,
    resting: { ...parts, isDue: async (until) => (await duePromotions(parts.postgres.sql, until, [], 1)).length > 0 },
    work: () => moveDue(parts, announce),
    failed: (problem) => parts.log.warn({ err: problem }, 'promotions could not be watched'),
  });
