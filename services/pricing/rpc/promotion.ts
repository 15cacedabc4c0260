// Handles the rpcs of promotions.
import { randomUUIDv7 } from 'bun';
import type {
  PromotionRpcs,
  PromotionTranslation,
  StorePromotion,
  UpdatePromotionRequest,
} from '#proto/gen/promotion.ts';
import {
  type Call,
  foreignCursor,
  invalid,
  notFound,
  Refusal,
  refuse,
  type Tenant,
  tenantKey,
} from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { impossibleTransition } from '#services/commerce/shared_refusal.ts';
import { languageOf, mergeTranslations } from '#services/commerce/translation.ts';
import type { PricingStores } from '#services/pricing/basket_pricer.ts';
import {
  canTransition,
  initialStatus,
  type PromotionInput,
  type PromotionRecord,
  parsePromotion,
  promotionDocument,
} from '#services/pricing/promotion.ts';
import { advanceStatus, statusEvents } from '#services/pricing/promotion_event.ts';
import type { ReferenceCheck } from '#services/pricing/reference_check.ts';
import type { AnnouncePrices } from '#services/pricing/rule_cache.ts';
import {
  deletePromotion,
  findPromotion,
  isCodeTaken,
  listPromotions,
  lockPromotion,
  type PromotionFilter,
  raiseRevision,
  savePromotion,
} from '#services/pricing/table/promotion.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { EVERY_LANGUAGE } from '#values/translation.ts';

const LIMIT_DEFAULT = 20;

const seesAllPromotions = ({ keyType }: Call): boolean => keyType === 'secret' || keyType === 'internal';

const mergeChange = (before: StorePromotion, change: Omit<UpdatePromotionRequest, 'id'>, now: Date): PromotionInput => {
  const input = { ...before, ...change };
  // Null clears an optional field; a field that the promotion's type requires keeps its value.
  if (input.type === 'percentage' || input.type === 'fixed_amount') input.value ??= before.value;
  if (input.type === 'buy_x_get_y') {
    input.buy ??= before.buy;
    input.get ??= before.get;
  }
  const early = input.status === 'active' && before.status !== 'active' && change.starts_at === undefined;
  // Starts a scheduled promotion now if the merchant activates it early.
  return early && input.starts_at && Date.parse(input.starts_at) > now.getTime()
    ? { ...input, starts_at: now.toISOString() }
    : input;
};

const pageAfter = (tenant: Tenant, filter: PromotionFilter, cursor: string | undefined) => {
  const scope = JSON.stringify(['promotions', tenantKey(tenant), ...Object.values(filter)]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
  return { scope, after };
};

const translationsAfter = (
  before: PromotionRecord['translations'],
  { translations }: Pick<UpdatePromotionRequest, 'translations'>,
  languages: readonly string[],
) => mergeTranslations<PromotionTranslation>(before, translations, languages);

export const promotionHandlers = (
  clock: Clock,
  stores: PricingStores,
  references: ReferenceCheck,
  announce: AnnouncePrices,
): Handlers<PromotionRpcs> => {
  const save = async (
    tx: Transaction,
    call: Call,
    record: PromotionRecord,
    timesUsed: number,
    events: (object: StorePromotion) => readonly Event[],
    before: PromotionRecord | null,
  ): Promise<Refusal | { promotion: StorePromotion }> => {
    const { tenant } = call;
    const missing = await references.findMissingTarget(call, targetsOf(record), before && targetsOf(before));
    if (missing) return missing;
    // Locks the revision's row first, so that of two concurrent requests for one code the second sees the first.
    await raiseRevision(tx.sql, tenant);
    const over = record.status === 'ended' || record.status === 'expired';
    if (record.code !== null && !over && (await isCodeTaken(tx.sql, tenant, record.code, record.id))) {
      return refuse(
        'conflict',
        `Promotion code ${record.code} belongs to another promotion that has not ended. Choose another code.`,
        { param: 'code' },
      );
    }
    await savePromotion(tx.sql, tenant, record);
    const now = clock.now(tenant).getTime();
    await tx.emit(tenant, events(promotionDocument(record, timesUsed, now)));
    announce(tx, tenant);
    return { promotion: promotionDocument(record, timesUsed, now, EVERY_LANGUAGE) };
  };

  return {
    ListPromotions: query(async (sql, call, { limit = LIMIT_DEFAULT, cursor, search, status, ...view }) => {
      const { tenant } = call;
      const now = clock.now(tenant);
      const filter = { visible: !seesAllPromotions(call), search: search?.trim() || null, status: status ?? null };
      const { scope, after } = pageAfter(tenant, filter, cursor);
      if (cursor !== undefined && after === null) return foreignCursor(cursor);
      const page = await listPromotions(sql, tenant, filter, now, after, limit + 1);
      const rows = page.slice(0, limit);
      const last = page.length > limit ? rows[limit - 1]! : null;
      const language = languageOf(call, view);
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        promotions: rows.map((row) => promotionDocument(row, row.times_used, now.getTime(), language)),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetPromotion: query(async (sql, call, { id, ...view }) => {
      const found = await findPromotion(sql, call.tenant, id);
      if (!found) return notFound('promotion');
      const now = clock.now(call.tenant).getTime();
      const promotion = promotionDocument(found, found.times_used, now, languageOf(call, view));
      const visible = promotion.public && promotion.status === 'active';
      return visible || seesAllPromotions(call) ? { promotion } : notFound('promotion');
    }),

    CreatePromotion: transaction(async (tx, call, input) => {
      const now = clock.now(call.tenant);
      const { currency, languages } = await stores.get(call.tenant);
      if (input.status === 'expired')
        return invalid('status', '`status` cannot be set to expired: a promotion expires at `ends_at`.');
      const promotionInput = { ...input, status: input.status ?? initialStatus(input.starts_at, now.getTime()) };
      const translations = translationsAfter(null, input, languages);
      if (translations instanceof Refusal) return translations;
      const metadata = { id: randomUUIDv7(), translations, created_at: now, updated_at: now };
      const record = parsePromotion(promotionInput, metadata, currency.code, now.getTime());
      if (record instanceof Refusal) return record;
      const eventsFor = (object: StorePromotion): Event[] => [
        { type: 'promotion.created', object },
        ...(object.status === 'active' ? [{ type: 'promotion.activated', object } as const] : []),
      ];
      return save(tx, call, record, 0, eventsFor, null);
    }),

    UpdatePromotion: transaction(async (tx, call, { id, version, ...change }) => {
      const { tenant } = call;
      const { languages } = await stores.get(tenant);
      const found = await lockPromotion(tx.sql, tenant, id);
      if (!found) return notFound('promotion');
      const outdated = refuseOutdated('promotion', found, version);
      if (outdated) return outdated;
      const now = clock.now(tenant);
      const { times_used, ...stored } = found;
      const { record: settled, transitions } = advanceStatus(stored, times_used, now.getTime());
      const before = promotionDocument(settled, times_used, now.getTime());
      const status = change.status ?? before.status;
      if (!canTransition(before.status, status)) {
        return impossibleTransition('A promotion', before.status, status, 'status');
      }
      const translations = translationsAfter(settled.translations, change, languages);
      if (translations instanceof Refusal) return translations;
      const { id: own, created_at } = settled;
      const metadata = { id: own, translations, created_at, updated_at: changeTime(found, now) };
      const record = parsePromotion(mergeChange(before, change, now), metadata, settled.currency, now.getTime());
      if (record instanceof Refusal) return record;
      await tx.emitAll(transitions.map((each) => ({ tenant, ...each })));
      const eventsFor = (object: StorePromotion): Event[] => statusEvents(before.status, object.status, object);
      return save(tx, call, record, times_used, eventsFor, settled);
    }),

    DeletePromotion: transaction(async (tx, { tenant }, { id }) => {
      const found = await lockPromotion(tx.sql, tenant, id);
      if (!found) return notFound('promotion');
      const now = clock.now(tenant);
      const { times_used, ...stored } = found;
      const { record, transitions } = advanceStatus(stored, times_used, now.getTime());
      await raiseRevision(tx.sql, tenant);
      await deletePromotion(tx.sql, tenant, record.id, now);
      const ended = promotionDocument({ ...record, status: 'ended', updated_at: now }, times_used, now.getTime());
      await tx.emitAll(transitions.map((each) => ({ tenant, ...each })));
      await tx.emit(tenant, statusEvents(record.status, 'ended', ended));
      announce(tx, tenant);
      return { deleted: true, id: record.id };
    }),
  };
};

const targetsOf = ({ product_ids, category_ids, collection_ids }: PromotionRecord) => ({
  product_ids,
  category_ids,
  collection_ids,
});
