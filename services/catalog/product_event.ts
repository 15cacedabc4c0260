// Events of a product write: created, updated, low stock, out of stock.
import type { Product } from '#proto/gen/product.ts';
import type { Event, SerializedEvent } from '#runtime/event/event.ts';
import type { ProductRecord, VariantRecord } from './product.ts';

export interface ProductSnapshot {
  readonly record: ProductRecord;
  readonly detail: string;
}

type Detail = Readonly<Record<string, unknown>>;

const stockOf = (variant: VariantRecord): number => Math.max(0, variant.on_hand - variant.held);

/**
 * Returns `product.created` when a product first becomes active, and `product.updated` with previous values for later
 * changes. Before a product was first active it has no events.
 */
export const productEvents = (
  before: ProductSnapshot | null,
  after: ProductSnapshot,
  lowStockThreshold: number,
): (Event | SerializedEvent)[] => {
  if (after.record.published_at === null) return [];
  if (!before?.record.published_at) return [{ type: 'product.created', object: after.detail }];
  const object: Product = JSON.parse(after.detail);
  const previousAttributes = changedFields(JSON.parse(before.detail), object);
  const events: (Event | SerializedEvent)[] = [];
  if (Object.keys(previousAttributes).length > 0)
    events.push({ type: 'product.updated', object: after.detail, previousAttributes });
  const old = new Map(before.record.variants.map((variant) => [variant.id, variant]));
  for (const variant of after.record.variants) {
    const was = old.get(variant.id);
    if (was) events.push(...stockEvents(object, variant, stockOf(was), lowStockThreshold));
  }
  return events;
};

const changedFields = (before: Detail, after: Detail): Detail => {
  const previous: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name === 'updated_at') continue;
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) previous[name] = before[name] ?? null;
  }
  return previous;
};

export type StockEvent = 'product.stock_low' | 'product.out_of_stock';

export const crossings = (before: number, after: number, threshold: number): StockEvent[] => [
  ...(before >= threshold && after < threshold ? (['product.stock_low'] as const) : []),
  ...(before > 0 && after === 0 ? (['product.out_of_stock'] as const) : []),
];

export const stockEvents = (
  product: Product,
  variant: VariantRecord,
  stockBefore: number,
  storeThreshold: number,
): Event[] => {
  const threshold = variant.low_stock_threshold ?? storeThreshold;
  const stock = stockOf(variant);
  const extras = { variant_id: variant.id, sku: variant.sku, stock, low_stock_threshold: threshold };
  return crossings(stockBefore, stock, threshold).map((type) => ({ type, object: { ...product, ...extras } }));
};
