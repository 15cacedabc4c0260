// Starts and ends promotions at their scheduled times, by the tenant's clock, and publishes the events. Prices do not
// depend on this job, because pricing derives the status from the clock.
import type { Tenant } from '#runtime/call/call.ts';
import type { FireResult, ListedDue } from '#runtime/domain/due.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { dueAt } from './promotion.ts';
import { advanceStatus } from './promotion_event.ts';
import type { AnnouncePrices } from './rule_cache.ts';
import { duePromotions, lockPromotion, raiseRevision, savePromotion } from './table/promotion.ts';

const advancePromotion = async (tx: Transaction, tenant: Tenant, id: string): Promise<FireResult> => {
  const found = await lockPromotion(tx.sql, tenant, id);
  if (!found) return { types: [] };
  const { times_used, ...stored } = found;
  const { record, transitions } = advanceStatus(stored, times_used, tx.clock.now(tenant).getTime());
  if (record === stored) return { types: [] };
  await raiseRevision(tx.sql, tenant);
  await savePromotion(tx.sql, tenant, record);
  await tx.emitAll(transitions.map((each) => ({ tenant, ...each })));
  return { types: transitions.map(({ event }) => event.type), again: dueAt(record)?.getTime() ?? null };
};

export const promotionsDue = (announce: AnnouncePrices): ListedDue => ({
  name: 'scheduled promotions',
  list: duePromotions,
  fire: (tx, { tenant, id }) => advancePromotion(tx, tenant, id),
  announce,
});
