// The door of promotions.
import { randomUUIDv7 } from 'bun';
import type { PromotionRpcs, StorePromotion, UpdatePromotionRequest } from '#proto/gen/promotion.ts';
import { type Call, notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { AnnouncePrices } from '#services/pricing/announcement.ts';
import type { Existence } from '#services/pricing/existence.ts';
import {
  firstStatus,
  mayMove,
  type PromotionRecord,
  type PromotionWish,
  readPromotion,
  shown,
} from '#services/pricing/promotion.ts';
import { advance, movedEvents } from '#services/pricing/promotion_event.ts';
import type { PricingStores } from '#services/pricing/shop.ts';
import {
  codeIsTaken,
  findPromotion,
  lockPromotion,
  pageOfPromotions,
  savePromotion,
} from '#services/pricing/table/promotion.ts';
import { raiseRevision } from '#services/pricing/table/revision.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;

const seesEverything = ({ keyType }: Call): boolean => keyType === 'secret' || keyType === 'internal';

/** What it is to become: as it is, with what the body names. */
const wishOf = (before: StorePromotion, change: Omit<UpdatePromotionRequest, 'id'>, now: Date): PromotionWish => {
  const wish = { ...before, ...change };
  // Null empties what the type can do without; of what it needs it says nothing.
  if (wish.type === 'percentage' || wish.type === 'fixed_amount') wish.value ??= before.value;
  if (wish.type === 'buy_x_get_y') {
    wish.buy ??= before.buy;
    wish.get ??= before.get;
  }
  const early = wish.status === 'active' && before.status !== 'active' && change.starts_at === undefined;
  // Who activates a promotion before its time begins it now.
  return early && wish.starts_at && Date.parse(wish.starts_at) > now.getTime()
    ? { ...wish, starts_at: now.toISOString() }
    : wish;
};

export const promotionHandlers = (
  clock: Clock,
  shops: PricingStores,
  exists: Existence,
  announce: AnnouncePrices,
): Handlers<PromotionRpcs> => {
  /** Writes it with its events, unless what it names is not there or its code is another's. */
  const keep = async (
    tx: Transaction,
    call: Call,
    record: PromotionRecord,
    timesUsed: number,
    events: (object: StorePromotion) => readonly Event[],
    before: PromotionRecord | null,
  ): Promise<Refusal | { promotion: StorePromotion }> => {
    const { tenant } = call;
    const missing = await exists.targets(call, targetsOf(record), before && targetsOf(before));
    if (missing) return missing;
    // From here on the tenant's changes come one after the other: two that want one code at once see each other.
    await raiseRevision(tx.sql, tenant);
    const over = record.status === 'ended' || record.status === 'expired';
    if (record.code !== null && !over && (await codeIsTaken(tx.sql, tenant, record.code, record.id))) {
      return refuse('conflict', 'Another promotion has this code.', { param: 'code' });
    }
    await savePromotion(tx.sql, tenant, record);
    const promotion = shown(record, timesUsed, clock.now(tenant).getTime());
    await tx.emit(tenant, events(promotion));
    announce(tx, tenant);
    return { promotion };
  };

  const pageAfter = (tenant: Tenant, visible: boolean, cursor: string | undefined) => {
    const scope = JSON.stringify(['promotions', tenantKey(tenant), visible]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
    return { scope, after };
  };

  return {
    ListPromotions: query(async (sql, call, { limit = LIMIT_DEFAULT, cursor }) => {
      const { tenant } = call;
      const now = clock.now(tenant);
      const everything = seesEverything(call);
      const { scope, after } = pageAfter(tenant, !everything, cursor);
      if (cursor !== undefined && after === null) {
        return refuse('invalid_request', 'The cursor is not one of this list.', { param: 'cursor' });
      }
      const page = await pageOfPromotions(sql, tenant, everything ? null : now, after, limit + 1);
      const rows = page.slice(0, limit);
      const last = page.length > limit ? rows[limit - 1]! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        promotions: rows.map((row) => shown(row, row.times_used, now.getTime())),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetPromotion: query(async (sql, call, { id }) => {
      const found = await findPromotion(sql, call.tenant, id);
      if (!found) return notFound('promotion');
      const promotion = shown(found, found.times_used, clock.now(call.tenant).getTime());
      const visible = promotion.public && promotion.status === 'active';
      return visible || seesEverything(call) ? { promotion } : notFound('promotion');
    }),

    CreatePromotion: transaction(async (tx, call, input) => {
      const now = clock.now(call.tenant);
      const { currency } = await shops.get(call.tenant);
      if (input.status === 'expired') {
        return refuse('invalid_request', 'A promotion expires by time alone.', { param: 'status' });
      }
      const wish = { ...input, status: input.status ?? firstStatus(input.starts_at, now.getTime()) };
      const frame = { id: randomUUIDv7(), created_at: now, updated_at: now };
      const record = readPromotion(wish, frame, currency.code, now.getTime());
      if (record instanceof Refusal) return record;
      const told = (object: StorePromotion): Event[] => [
        { type: 'promotion.created', object },
        ...(object.status === 'active' ? [{ type: 'promotion.activated', object } as const] : []),
      ];
      return keep(tx, call, record, 0, told, null);
    }),

    UpdatePromotion: transaction(async (tx, call, { id, ...change }) => {
      const { tenant } = call;
      const found = await lockPromotion(tx.sql, tenant, id);
      if (!found) return notFound('promotion');
      const now = clock.now(tenant);
      const { times_used, ...stored } = found;
      // What time alone has done is told first, if it was not read since.
      const { record: settled, moves } = advance(stored, times_used, now.getTime());
      const before = shown(settled, times_used, now.getTime());
      const status = change.status ?? before.status;
      if (!mayMove(before.status, status)) {
        return refuse('conflict', `A promotion that is ${before.status} cannot become ${status}.`, { param: 'status' });
      }
      const frame = { id: settled.id, created_at: settled.created_at, updated_at: now };
      const record = readPromotion(wishOf(before, change, now), frame, settled.currency, now.getTime());
      if (record instanceof Refusal) return record;
      await tx.emitAll(moves.map((each) => ({ tenant, ...each })));
      const told = (object: StorePromotion): Event[] => movedEvents(before.status, object.status, object);
      return keep(tx, call, record, times_used, told, settled);
    }),
  };
};

const targetsOf = ({ product_ids, category_ids, collection_ids }: PromotionRecord) => ({
  product_ids,
  category_ids,
  collection_ids,
});
