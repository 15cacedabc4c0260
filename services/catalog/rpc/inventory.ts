// Handlers of stock levels.
import { randomUUIDv7 } from 'bun';
import type { InventoryRpcs, StockLevel } from '#proto/gen/inventory.ts';
import { notFound, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { crossings } from '#services/catalog/product_event.ts';
import type { ProductStore } from '#services/catalog/product_store.ts';
import type { AnnounceProducts } from '#services/catalog/product_write.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import { adjustStock, findStock, type StockRecord } from '#services/catalog/table/inventory.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';
import { dayIn } from '#values/day.ts';
import { rendered } from './product.ts';

const ON_HAND_MAX = 1_000_000_000;

const available = ({ on_hand, held }: Pick<StockRecord, 'on_hand' | 'held'>): number => Math.max(0, on_hand - held);

const levelOf = ({ variant_id, on_hand, held, low_stock_threshold }: StockRecord): StockLevel => ({
  variant_id,
  on_hand,
  held,
  available: available({ on_hand, held }),
  low_stock_threshold,
});

export const inventoryHandlers = (
  clock: Clock,
  profiles: Profiles,
  products: ProductStore,
  announce: AnnounceProducts,
): Handlers<InventoryRpcs> => ({
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
