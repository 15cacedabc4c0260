// A checkout's lines by merchant, each a basket of its own. Pure.
import type { CheckoutLine, PlaceCheckoutRequest } from '#proto/gen/checkout.ts';
import { invalid, Refusal } from '#runtime/call/call.ts';
import { QUANTITY_MAX, type Wanted } from '#services/order/basket.ts';

export interface MerchantBasket {
  readonly store: string;
  /** Where the body names the merchant first. */
  readonly param: string;
  readonly wanted: readonly Wanted[];
  readonly shippingOption: string | null;
}

const MERCHANTS_MAX = 20;

/** Lines of one merchant with their places in the body; a variant named twice is one line, where it was named first. */
const wantedOf = (lines: readonly (readonly [at: number, line: CheckoutLine])[]): readonly Wanted[] | Refusal => {
  const merged = new Map<string, Wanted>();
  for (const [at, { variant_id, quantity }] of lines) {
    const variant = variant_id.toLowerCase();
    const before = merged.get(variant);
    const sum = (before?.quantity ?? 0) + quantity;
    if (sum > QUANTITY_MAX)
      return invalid(`lines[${at}].quantity`, `At most ${QUANTITY_MAX} pieces of a variant can be ordered at once.`);
    merged.set(variant, { variant, quantity: sum, param: before?.param ?? `lines[${at}].variant_id` });
  }
  return [...merged.values()];
};

/** In the order in which the lines name the merchants. */
export const readBaskets = ({
  lines,
  shipping_option_ids: options = {},
}: Pick<PlaceCheckoutRequest, 'lines' | 'shipping_option_ids'>): readonly MerchantBasket[] | Refusal => {
  const byStore = Map.groupBy(lines.entries(), ([, { store_id }]) => store_id.toLowerCase());
  if (byStore.size > MERCHANTS_MAX)
    return invalid('lines', `A checkout is placed with at most ${MERCHANTS_MAX} merchants.`);
  const optionOf = new Map(Object.entries(options).map(([store, option]) => [store.toLowerCase(), option]));
  const stray = Object.keys(options).find((store) => !byStore.has(store.toLowerCase()));
  if (stray !== undefined) return invalid(`shipping_option_ids.${stray}`, 'No line names this merchant.');
  const baskets: MerchantBasket[] = [];
  for (const [store, own] of byStore) {
    const wanted = wantedOf(own);
    if (wanted instanceof Refusal) return wanted;
    const param = `lines[${own[0]![0]}].store_id`;
    baskets.push({ store, param, wanted, shippingOption: optionOf.get(store) ?? null });
  }
  return baskets;
};
