// Begins and ends promotions when their time has come, by their tenant's clock, and tells of it. What baskets cost does
// not wait for this: it looks at the clock itself.
import type { Tenant } from '#runtime/call.ts';
import { type Due, oneByOne } from '#runtime/due.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Announce } from './announcement.ts';
import { advance } from './promotion_event.ts';
import { duePromotions, firstDuePromotion, lockPromotion, savePromotion } from './table/promotion.ts';
import { raiseRevision } from './table/revision.ts';

type Parts = Pick<Foundation, 'postgres' | 'clock' | 'log'>;

const LOOK_MS = 500;
const AT_ONCE_MAX = 200;

/** Moves one promotion through every moment that has passed, each told as of that moment: the types of what was told; null: it did not move. */
const move = ({ postgres, clock }: Parts, announce: Announce, tenant: Tenant, id: string): Promise<string[] | null> =>
  postgres.transaction(async (tx) => {
    const found = await lockPromotion(tx.sql, tenant, id);
    if (!found) return null;
    const { times_used, ...stored } = found;
    const { record, moves } = advance(stored, times_used, clock.now(tenant).getTime());
    // Another host was faster.
    if (record === stored) return null;
    await raiseRevision(tx.sql, tenant);
    await savePromotion(tx.sql, tenant, record);
    await tx.emitAll(moves.map((each) => ({ tenant, ...each })));
    // In a jump through time nobody reads them again for each of them: once it has ended is soon enough.
    if (!clock.stands(tenant)) announce(tx, tenant);
    return moves.map(({ event }) => event.type);
  });

/** The same for a sandbox that travels through time. */
export const promotionsDue = (parts: Parts, announce: Announce): Due =>
  oneByOne(parts.clock, {
    first: async (tenant, { target }) => {
      const due = await firstDuePromotion(parts.postgres.sql, tenant, new Date(target));
      return due && { id: due.id, at: due.due_at.getTime() };
    },
    fire: async (tenant, { id }) => (await move(parts, announce, tenant, id)) ?? [],
  });

/** Moves all that are due; how many. */
export const moveDue = async (parts: Parts, announce: Announce): Promise<number> => {
  const { postgres, clock, log } = parts;
  const moved = clock.moved().map((tenant) => ({ tenant, now: clock.now(tenant) }));
  const due = await duePromotions(postgres.sql, new Date(clock.real()), moved, AT_ONCE_MAX);
  let count = 0;
  for (const { tenant, id } of due) {
    try {
      if (await move(parts, announce, tenant, id)) count++;
    } catch (problem) {
      // The others need not wait for it.
      log.warn({ err: problem, promotion: id }, 'a promotion was not moved');
    }
  }
  return count;
};

/** Looks twice a second. Returns how to stop. */
export const startSchedule = (parts: Parts, announce: Announce): (() => void) => {
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking || !parts.postgres.available) return;
    looking = true;
    try {
      await moveDue(parts, announce);
    } catch (problem) {
      parts.log.warn({ err: problem }, 'promotions could not be watched');
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
};
