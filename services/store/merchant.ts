// Handlers of Merchant: a marketplace operator lists its merchants and suspends them. The tenant is the operator.
import type { MarketplaceMerchant, MerchantRpcs } from '#proto/gen/merchant.ts';
import { foreignCursor, notFound } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { StoreCaches } from './cache.ts';
import { findMerchant, type MerchantRecord, pageOfMerchants, suspendMerchant } from './table/operator.ts';

const LIMIT_DEFAULT = 20;

const NO_MERCHANT = notFound('merchant');

const merchantDocument = (merchant: MerchantRecord): MarketplaceMerchant => ({ ...merchant });

export const merchantHandlers = (
  { clock }: Pick<Runtime, 'clock'>,
  caches: Pick<StoreCaches, 'invalidateAfterCommit'>,
): Handlers<MerchantRpcs> => ({
  ListMarketplaceMerchants: query(async (sql, { tenant: { store: operator } }, { limit = LIMIT_DEFAULT, cursor }) => {
    const scope = JSON.stringify(['merchants', operator]);
    const position = cursor === undefined ? null : decodeCursor(scope, cursor, ['slug']);
    if (cursor !== undefined && position === null) return foreignCursor(cursor);
    const page = await pageOfMerchants(sql, operator, position && String(position[0]), limit + 1);
    const rows = page.slice(0, limit);
    const next = page.length > limit ? encodeCursor(scope, [rows.at(-1)!.code]) : null;
    return {
      merchants: rows.map(merchantDocument),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),

  GetMarketplaceMerchant: query(async (sql, { tenant: { store: operator } }, { store_id }) => {
    const found = await findMerchant(sql, operator, store_id);
    return found === null ? NO_MERCHANT : { merchant: merchantDocument(found) };
  }),

  UpdateMarketplaceMerchant: transaction(async (tx, { tenant: { store: operator } }, { store_id, suspended }) => {
    const suspendedAt = suspended ? new Date(clock.real()) : null;
    if (!(await suspendMerchant(tx.sql, operator, store_id, suspendedAt))) return NO_MERCHANT;
    await caches.invalidateAfterCommit(tx, operator);
    return { merchant: merchantDocument((await findMerchant(tx.sql, operator, store_id))!) };
  }),
});
