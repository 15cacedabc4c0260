// Updates a promotion's status to a time, derives the events of the changes, and publishes those that are due. Prices do
// not depend on this, because pricing derives the status from the clock.
import type { StorePromotion } from '#proto/gen/promotion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { FireResult, ListedDue } from '#runtime/domain/due.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { dueAt, type PromotionRecord, type PromotionStatus, promotionDocument, statusAt } from './promotion.ts';
import type { AnnouncePrices } from './rule_cache.ts';
import { duePromotions, lockPromotion, raiseRevision, savePromotion } from './table/promotion.ts';

export const statusEvents = (before: PromotionStatus, after: PromotionStatus, object: StorePromotion): Event[] => {
  if (before === after) return [];
  if (after === 'active') return [{ type: 'promotion.activated', object }];
  if (before === 'active') return [{ type: 'promotion.deactivated', object, previousAttributes: { status: before } }];
  return [];
};

export interface PromotionTransition {
  readonly event: Event;
  readonly createdAt: Date;
}

/**
 * Applies every scheduled change up to `nowMs`, each as an event dated at the scheduled time. Returns the same record
 * if no change is due.
 */
export const advanceStatus = (
  record: PromotionRecord,
  timesUsed: number,
  nowMs: number,
): { readonly record: PromotionRecord; readonly transitions: readonly PromotionTransition[] } => {
  const transitions: PromotionTransition[] = [];
  let advanced = record;
  for (let at = dueAt(advanced); at !== null && at.getTime() <= nowMs; at = dueAt(advanced)) {
    const next: PromotionRecord = { ...advanced, status: statusAt(advanced, at.getTime()), updated_at: at };
    const object = promotionDocument(next, timesUsed, at.getTime());
    for (const event of statusEvents(advanced.status, next.status, object)) transitions.push({ event, createdAt: at });
    advanced = next;
  }
  return { record: advanced, transitions };
};

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
