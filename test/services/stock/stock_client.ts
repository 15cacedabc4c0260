// A client of the stock domain for tests, with its own store, and the stock that its shoppers see.
import { randomUUID } from 'node:crypto';
import type { CommitHoldsResponse, HoldResponse, HoldStockResponse } from '#proto/gen/stock.ts';
import type { Refusal } from '#runtime/call/call.ts';
import { takeOnHand } from '#services/catalog/transaction.ts';
import { type Merchant, openMerchant, type StoredEvent } from '#test/support/catalog.ts';
import { subscribeEvents, untyped } from '#test/support/event.ts';
import { ok } from '#test/support/reply.ts';
import type { Stoa } from '#test/support/stoa.ts';

export interface Line {
  readonly variant_id: string;
  readonly quantity: number;
}

export interface StockClient extends Merchant {
  /** Creates a product of one variant and returns the variant's id. */
  newVariant(stock: number, product?: Readonly<Record<string, unknown>>): Promise<string>;
  hold(lines: readonly Line[], more?: object): Promise<HoldStockResponse | Refusal>;
  commit(hold: string, variantIds: readonly string[], more?: object): Promise<CommitHoldsResponse | Refusal>;
  release(hold: string, variantIds: readonly string[], more?: object): Promise<HoldResponse | Refusal>;
  /** The actor's [on hand, held, available]. */
  look(variantId: string): Promise<readonly number[]>;
  /** Allocates units as an order's transaction does. */
  sell(lines: readonly Line[]): Promise<void>;
  /** Stock that a shopper sees of a variant's product. */
  shown(variantId: string): Promise<number>;
  later(ms: number): string;
  readonly events: readonly StoredEvent[];
}

export const MINUTE_MS = 60_000;

export const openStockClient = async (stoa: Stoa): Promise<StockClient> => {
  const merchant = await openMerchant(stoa);
  const { tenant, keys } = merchant;
  const { ask, postgres } = stoa.services.runtime;
  const events: StoredEvent[] = [];
  subscribeEvents(stoa.services.runtime, ({ type, data }, { store, environment }) => {
    if (store === keys.store_id && environment === 'production') events.push({ type, object: untyped(data.object) });
  });
  const products = new Map<string, string>();
  const later = (ms: number): string => new Date(stoa.clock.now(tenant).getTime() + ms).toISOString();
  return {
    ...merchant,
    events,
    later,
    async newVariant(stock, product = {}) {
      const made = await merchant.createProduct({ stock, ...product });
      products.set(made.variant_id!, made.id);
      return made.variant_id!;
    },
    hold: async (lines, more = {}) =>
      await ask('Stock/HoldStock', tenant, {
        hold_id: randomUUID(),
        lines,
        expires_at: later(5 * MINUTE_MS),
        ...more,
      }),
    commit: async (hold_id, variant_ids, more = {}) =>
      await ask('Stock/CommitHolds', tenant, { holds: [{ hold_id, variant_ids }], ...more }),
    release: async (hold_id, variant_ids, more = {}) =>
      await ask('Stock/ReleaseHold', tenant, { hold: { hold_id, variant_ids }, ...more }),
    async look(variantId) {
      const found = await ask('Stock/LookAtStock', tenant, { variant_ids: [variantId] });
      const { levels } = ok(found);
      return levels.flatMap(({ on_hand, held, available }) => [on_hand, held, available]);
    },
    sell: (lines) =>
      postgres.transaction(async ({ sql }) => {
        const moved = lines.map(({ variant_id, quantity }) => ({ variant: variant_id, quantity }));
        const lowered = await takeOnHand(sql, tenant, moved);
        if (lowered.length < new Set(moved.map(({ variant }) => variant)).size)
          throw new Error('sold more than is there');
      }),
    async shown(variantId) {
      const { status, body, text } = await merchant.publishable('GET', `/v1/products/${products.get(variantId)}`);
      if (status !== 200) throw new Error(text);
      return body.stock;
    },
  };
};
