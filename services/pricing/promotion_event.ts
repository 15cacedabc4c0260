// What time does to a promotion, and what is told when its status moves (specification, "Event types").
import type { StorePromotion } from '#proto/gen/promotion.ts';
import type { Event } from '#runtime/event/event.ts';
import { dueAt, type PromotionRecord, type PromotionStatus, shown, statusAt } from './promotion.ts';

/** "status becomes active"; "a live promotion ends, pauses or expires; carries previous_attributes.status". */
export const movedEvents = (before: PromotionStatus, after: PromotionStatus, object: StorePromotion): Event[] => {
  if (before === after) return [];
  if (after === 'active') return [{ type: 'promotion.activated', object }];
  if (before === 'active') return [{ type: 'promotion.deactivated', object, previousAttributes: { status: before } }];
  return [];
};

export interface PromotionMove {
  readonly event: Event;
  /** The moment that it happened. */
  readonly createdAt: Date;
}

/** The promotion after every moment that has passed; each is told as of itself. The same record where none has. */
export const advance = (
  record: PromotionRecord,
  timesUsed: number,
  nowMs: number,
): { readonly record: PromotionRecord; readonly moves: readonly PromotionMove[] } => {
  const moves: PromotionMove[] = [];
  let advanced = record;
  for (let at = dueAt(advanced); at !== null && at.getTime() <= nowMs; at = dueAt(advanced)) {
    const next: PromotionRecord = { ...advanced, status: statusAt(advanced, at.getTime()), updated_at: at };
    const object = shown(next, timesUsed, at.getTime());
    for (const event of movedEvents(advanced.status, next.status, object)) moves.push({ event, createdAt: at });
    advanced = next;
  }
  return { record: advanced, moves };
};
