// Items of a body: a variant is one line, since a price is agreed for it and its stock is taken once.
import { type Refusal, refuse } from '#runtime/call/call.ts';

interface Item {
  readonly variant_id: string;
  readonly quantity: number;
}

const QUANTITY_MAX = 1_000_000;

/** Those of one variant and price made one, where it was named first. */
export const onePriceEach = <P extends string, I extends Item & Readonly<Record<P, number | null>>>(
  items: readonly I[],
  price: P,
): readonly I[] | Refusal => {
  const merged = new Map<string, I>();
  for (const [at, item] of items.entries()) {
    const before = merged.get(item.variant_id);
    if (before && before[price] !== item[price])
      return refuse('invalid_request', 'This variant is named twice, at two prices.', {
        param: `items[${at}].${price}`,
      });
    const quantity = (before?.quantity ?? 0) + item.quantity;
    if (quantity > QUANTITY_MAX)
      return refuse('invalid_request', `At most ${QUANTITY_MAX} pieces of a variant can be agreed on at once.`, {
        param: `items[${at}].quantity`,
      });
    merged.set(item.variant_id, { ...item, quantity });
  }
  return [...merged.values()];
};
