// Handlers of stock levels.
import { randomUUIDv7 } from 'bun';
import type { InventoryRpcs, NamedStockLevel, StockAdjustment, StockLevel } from '#proto/gen/inventory.ts';
import { foreignCursor, notFound, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { textsOf } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { VariantEntry } from '#services/catalog/memory/entry.ts';
import { levelPage } from '#services/catalog/memory/level_list.ts';
import { isLow } from '#services/catalog/memory/listing.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { crossings } from '#services/catalog/product_event.ts';
import type { ProductStore } from '#services/catalog/product_store.ts';
import type { AnnounceProducts } from '#services/catalog/product_write.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import {
  type AdjustmentRecord,
  adjustStock,
  findStock,
  pageOfAdjustments,
  type StockRecord,
} from '#services/catalog/table/inventory.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { dayIn } from '#values/zone.ts';
import { fromMemory, rendered } from './product.ts';

const ON_HAND_MAX = 1_000_000_000;
const LIMIT_DEFAULT = 20;

const available = ({ on_hand, held }: Pick<StockRecord, 'on_hand' | 'held'>): number => Math.max(0, on_hand - held);

const levelOf = ({ variant_id, on_hand, held, low_stock_threshold }: StockRecord): StockLevel => ({
  variant_id,
  on_hand,
  held,
  available: available({ on_hand, held }),
  low_stock_threshold,
});

const namedLevelOf = (variant: VariantEntry, catalogue: Catalogue): NamedStockLevel => {
  const { name, variant_name, sku, thumbnail_url } = textsOf(variant, catalogue);
  const { id, entry, on_hand, held, stock, low_stock_threshold } = variant;
  return {
    variant_id: id,
    product_id: entry.id,
    product_name: name,
    variant_name,
    sku,
    thumbnail_url,
    on_hand,
    held,
    available: stock,
    low_stock_threshold,
    low_stock: isLow(catalogue, variant),
  };
};

const adjustmentOf = ({ created_at, ...adjustment }: AdjustmentRecord): StockAdjustment => ({
  ...adjustment,
  created_at: created_at.toISOString(),
});

export const inventoryHandlers = (
  pool: CataloguePool,
  clock: Clock,
  profiles: Profiles,
  products: ProductStore,
  announce: AnnounceProducts,
): Handlers<InventoryRpcs> => ({
  ListInventory: fromMemory<InventoryRpcs['ListInventory']>(pool, (catalogue, { tenant }, input) => {
    const page = levelPage(catalogue, tenant, input);
    if (page instanceof Refusal) return page;
    const { variants, limit, nextCursor } = page;
    return {
      inventory: variants.map((variant) => namedLevelOf(variant, catalogue)),
      pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
    };
  }),

  ListAdjustments: query(async (sql, { tenant }, { variant_id, limit = LIMIT_DEFAULT, cursor }) => {
    const scope = JSON.stringify(['adjustments', tenantKey(tenant), variant_id.toLowerCase()]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    if (!(await findStock(sql, tenant, variant_id))) return notFound('variant');
    const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
    const page = await pageOfAdjustments(sql, tenant, variant_id, after, limit + 1);
    const rows = page.slice(0, limit);
    const last = page.length > limit ? rows.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    return {
      adjustments: rows.map(adjustmentOf),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),

  GetInventory: query(async (sql, { tenant }, { variant_id }) => {
    const stock = await findStock(sql, tenant, variant_id);
    return stock ? { inventory: levelOf(stock) } : notFound('variant');
  }),

  CreateAdjustment: transaction(async (tx, { tenant }, { variant_id, delta, on_hand, reason = null }) => {
    if ((delta === undefined) === (on_hand === undefined)) {
      return refuse('invalid_request', 'Send either `delta` or `on_hand`, and not both.', { param: 'delta' });
    }
    const { lowStockThreshold, timezone } = await profiles.get(tenant);
    const revision = await nextRevision(tx.sql, tenant);
    const before = await findStock(tx.sql, tenant, variant_id, true);
    if (!before) return notFound('variant', 'variant_id');
    const onHand = on_hand ?? before.on_hand + delta!;
    if (onHand < 0) {
      return refuse(
        'insufficient_stock',
        `Only ${before.on_hand} are on hand, which \`delta\` ${delta} would lower below 0. Send a smaller change.`,
        { details: `on_hand is ${before.on_hand}` },
      );
    }
    if (onHand > ON_HAND_MAX) {
      const param = delta === undefined ? 'on_hand' : 'delta';
      return refuse('invalid_request', `The level would be ${onHand}; at most ${ON_HAND_MAX} units can be on hand.`, {
        param,
      });
    }
    const after = { ...before, on_hand: onHand };
    const now = clock.now(tenant);
    await adjustStock(tx.sql, tenant, revision, before, {
      id: randomUUIDv7(),
      delta: onHand - before.on_hand,
      onHand,
      reason,
      now,
      today: dayIn(timezone, now),
    });
    await setRevision(tx.sql, tenant, revision);
    const threshold = before.low_stock_threshold ?? lowStockThreshold;
    if (crossings(available(before), available(after), threshold).length > 0) {
      const crossed = { variant_id: before.variant_id, before: available(before) };
      await products.emitStockEvents(tx, tenant, before.product_id, [crossed]);
    }
    tx.note({ before: levelOf(before), after: levelOf(after) });
    announce(tx, tenant, revision, [before.product_id]);
    return rendered({ inventory: levelOf(after) }, revision, before.product_id);
  }),
});
