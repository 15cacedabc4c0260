// What one piece of a variant costs: the lowest of its base price, its sale price and the price lists that apply to this
// buyer, at this quantity, now (contract 6, "Money"). Amounts are in minor units.
import { lowest } from '#values/money.ts';

/** A price list as far as it prices one variant. */
export interface WareList {
  readonly id: string;
  readonly currency: string;
  /** Null: everybody's. */
  readonly group: string | null;
  /** Ms of the tenant's clock; it ends just before `endsAt`. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** By quantity, the smallest first. */
  readonly breaks: readonly { readonly from: number; readonly price: number }[];
}

/** A variant as far as pricing needs to know it. */
export interface Ware {
  readonly id: string;
  readonly product: string;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly collections: readonly string[];
  readonly active: boolean;
  /** In the store's currency. */
  readonly price: number | null;
  readonly salePrice: number | null;
  readonly lists: readonly WareList[];
}

export interface Buyer {
  /** In which the basket is priced. */
  readonly currency: string;
  /** Base and sale prices are in this one. */
  readonly storeCurrency: string;
  readonly group: string | null;
  /** Ms of the tenant's clock. */
  readonly now: number;
}

export interface UnitPrice {
  readonly unit: number;
  /** As the catalogue has them; null in another currency than the store's. */
  readonly base: number | null;
  readonly sale: number | null;
  /** The list whose price it is. */
  readonly list: string | null;
}

const applies = (list: WareList, { currency, group, now }: Buyer): boolean =>
  list.currency === currency &&
  (list.group === null || list.group === group) &&
  list.startsAt <= now &&
  now < list.endsAt;

/** A list's price from the largest quantity on that is reached; null below the smallest. */
const priceAt = ({ breaks }: WareList, quantity: number): number | null => {
  for (let at = breaks.length - 1; at >= 0; at--) if (breaks[at]!.from <= quantity) return breaks[at]!.price;
  return null;
};

/** Null: it has no price in this currency. */
export const unitPrice = (ware: Ware, quantity: number, buyer: Buyer): UnitPrice | null => {
  const own = buyer.currency === buyer.storeCurrency;
  const base = own ? ware.price : null;
  const sale = own ? ware.salePrice : null;
  let unit = lowest(base, sale);
  let list: string | null = null;
  for (const each of ware.lists) {
    if (!applies(each, buyer)) continue;
    const price = priceAt(each, quantity);
    if (price === null || (unit !== null && price >= unit)) continue;
    unit = price;
    list = each.id;
  }
  return unit === null ? null : { unit, base, sale, list };
};

/** The unit price from each quantity on at which it is another one, from one piece on; empty without any. */
export const priceLadder = (ware: Ware, buyer: Buyer): { readonly from: number; readonly unit: number }[] => {
  const starts = new Set([1]);
  for (const list of ware.lists) if (applies(list, buyer)) for (const { from } of list.breaks) starts.add(from);
  const ladder: { from: number; unit: number }[] = [];
  for (const from of [...starts].sort((a, b) => a - b)) {
    const unit = unitPrice(ware, from, buyer)?.unit;
    if (unit !== undefined && ladder.at(-1)?.unit !== unit) ladder.push({ from, unit });
  }
  return ladder;
};
