// Updates a promotion's status to a time, and derives the events of the changes.
import type { StorePromotion } from '#proto/gen/promotion.ts';
import type { Event } from '#runtime/event/event.ts';
import { dueAt, type PromotionRecord, type PromotionStatus, promotionDocument, statusAt } from './promotion.ts';

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
