// A store whose stock is held, for tests: what the rest of the house asks of it, and what its customers see.
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

export interface Counter extends Merchant {
  /** A product of one variant; the variant's id. */
  newVariant(stock: number, product?: Readonly<Record<string, unknown>>): Promise<string>;
  hold(lines: readonly Line[], more?: object): Promise<HoldStockResponse | Refusal>;
  pin(hold: string, variantIds: readonly string[]): Promise<HoldResponse | Refusal>;
  commit(hold: string, variantIds: readonly string[], more?: object): Promise<CommitHoldsResponse | Refusal>;
  release(hold: string, variantIds: readonly string[], more?: object): Promise<HoldResponse | Refusal>;
  /** On hand, held, available, as the actor has them. */
  look(variantId: string): Promise<readonly number[]>;
  /** What an order's own transaction does. */
  sell(lines: readonly Line[]): Promise<void>;
  /** What a shopper sees of a product of one variant. */
  shown(variantId: string): Promise<number>;
  /** The tenant's clock, so much later. */
  later(ms: number): string;
  /** What was sent of this store since it opened, oldest first. */
  readonly events: readonly StoredEvent[];
}

export const MINUTE_MS = 60_000;

export const openCounter = async (stoa: Stoa): Promise<Counter> => {
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
    pin: async (hold_id, variant_ids) => await ask('Stock/PinHold', tenant, { hold: { hold_id, variant_ids } }),
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
        const taken = lines.map(({ variant_id, quantity }) => ({ variant: variant_id, quantity }));
        const lowered = await takeOnHand(sql, tenant, taken);
        if (lowered.length < new Set(taken.map(({ variant }) => variant)).size)
          throw new Error('sold more than is there');
      }),
    async shown(variantId) {
      const { status, body, text } = await merchant.publishable('GET', `/v1/products/${products.get(variantId)}`);
      if (status !== 200) throw new Error(text);
      return body.stock;
    },
  };
};
