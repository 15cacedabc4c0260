// Merges the items of a request into one line per variant, which has one agreed price and one allocation of stock.
import { type Refusal, refuse } from '#runtime/call/call.ts';

interface Item {
  readonly variant_id: string;
  readonly quantity: number;
}

const QUANTITY_MAX = 1_000_000;

export const mergeByVariant = <P extends string, I extends Item & Readonly<Record<P, number | null>>>(
  items: readonly I[],
  price: P,
): readonly I[] | Refusal => {
  const merged = new Map<string, I>();
  for (const [at, item] of items.entries()) {
    const before = merged.get(item.variant_id);
    if (before && before[price] !== item[price])
      return refuse(
        'invalid_request',
        'This variant appears twice with different prices. Send it once, or with one price.',
        {
          param: `items[${at}].${price}`,
        },
      );
    const quantity = (before?.quantity ?? 0) + item.quantity;
    if (quantity > QUANTITY_MAX)
      return refuse(
        'invalid_request',
        `The quantity of a variant is ${quantity}; at most ${QUANTITY_MAX} units are allowed.`,
        {
          param: `items[${at}].quantity`,
        },
      );
    merged.set(item.variant_id, { ...item, quantity });
  }
  return [...merged.values()];
};
