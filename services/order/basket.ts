// What an order is placed from: the lines, whose they are, and the codes, from whichever place they were named.
import type { CreateOrderRequest, OrderItemRequest } from '#proto/gen/order.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';

export interface Wanted {
  readonly variant: string;
  readonly quantity: number;
  /** Where the body names it, for a refusal. */
  readonly param: string;
}

export const LINES_MAX = 500;
export const QUANTITY_MAX = 1_000_000;

const SOURCES = ['items', 'cart', 'checkout_intent_id', 'quote_id'] as const;
export type BasketSource = (typeof SOURCES)[number];

/** "exactly one of items, session_id / customer_id's cart (cart: true), checkout_intent_id, quote_id" */
export const sourceOf = (input: CreateOrderRequest): BasketSource | Refusal => {
  const named = SOURCES.filter((name) => (name === 'cart' ? input.cart === true : Boolean(input[name])));
  const [source] = named;
  if (named.length === 1) return source!;
  return refuse('invalid_request', 'Exactly one of `items`, `cart`, `checkout_intent_id` and `quote_id` is needed.', {
    param: named[1] ?? 'items',
  });
};

/** A variant named twice is one line, where it was named first. */
export const mergeItems = (items: readonly OrderItemRequest[]): readonly Wanted[] | Refusal => {
  const merged = new Map<string, Wanted>();
  for (const [at, { variant_id, quantity }] of items.entries()) {
    const variant = variant_id.toLowerCase();
    const before = merged.get(variant);
    const sum = (before?.quantity ?? 0) + quantity;
    if (sum > QUANTITY_MAX)
      return refuse('invalid_request', `At most ${QUANTITY_MAX} pieces of a variant can be ordered at once.`, {
        param: `items[${at}].quantity`,
      });
    merged.set(variant, { variant, quantity: sum, param: before?.param ?? `items[${at}].variant_id` });
  }
  return [...merged.values()];
};
