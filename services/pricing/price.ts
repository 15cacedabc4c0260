// What one piece of a variant costs: the lowest of its base price, its sale price and the price lists that apply to this
// buyer, at this quantity, now (contract 6, "Money"). Amounts are in minor units.

/** A price list but for its prices: one for all the variants that it prices. */
export interface PriceList {
  readonly id: string;
  readonly currency: string;
  /** Null: everybody's. */
  readonly group: string | null;
  /** Ms of the tenant's clock; it ends just before `endsAt`. */
  readonly startsAt: number;
  readonly endsAt: number;
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
  /** Those that price it, and maybe others. */
  readonly lists: readonly PriceList[];
  /**
   * Which of the lists, from how many pieces on, the price of one: `[0, 1, 900, 0, 10, 800]`. List by list, the smallest
   * quantity first; in one row, since what the engine waits for is memory.
   */
  readonly listPrices: readonly number[];
}

/** Numbers that belong together in `listPrices`. */
const STEP = 3;

export interface PriceContext {
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

const applies = (list: PriceList, { currency, group, now }: PriceContext): boolean =>
  list.currency === currency &&
  (list.group === null || list.group === group) &&
  list.startsAt <= now &&
  now < list.endsAt;

/** Null: it has no price in this currency. */
export const unitPrice = (ware: Ware, quantity: number, buyer: PriceContext): UnitPrice | null => {
  const own = buyer.currency === buyer.storeCurrency;
  const base = own ? ware.price : null;
  const sale = own ? ware.salePrice : null;
  let unit = base;
  if (sale !== null && (unit === null || sale < unit)) unit = sale;
  let list: string | null = null;
  const { lists, listPrices } = ware;
  for (let at = 0; at < listPrices.length; ) {
    const place = listPrices[at]!;
    // Every quantity that is reached counts, not the largest alone: who buys more never pays more apiece.
    let price: number | null = null;
    for (; at < listPrices.length && listPrices[at] === place; at += STEP) {
      const reached = listPrices[at + 1]! <= quantity ? listPrices[at + 2]! : null;
      if (reached !== null && (price === null || reached < price)) price = reached;
    }
    if (price === null || (unit !== null && price >= unit) || !applies(lists[place]!, buyer)) continue;
    unit = price;
    list = lists[place]!.id;
  }
  return unit === null ? null : { unit, base, sale, list };
};

/** The unit price from each quantity on at which it is another one, from one piece on; empty without any. */
export const priceLadder = (ware: Ware, buyer: PriceContext): { readonly from: number; readonly unit: number }[] => {
  const starts = new Set([1]);
  const { lists, listPrices } = ware;
  for (let at = 0; at < listPrices.length; at += STEP) {
    if (applies(lists[listPrices[at]!]!, buyer)) starts.add(listPrices[at + 1]!);
  }
  const ladder: { from: number; unit: number }[] = [];
  for (const from of [...starts].sort((a, b) => a - b)) {
    const unit = unitPrice(ware, from, buyer)?.unit;
    if (unit !== undefined && ladder.at(-1)?.unit !== unit) ladder.push({ from, unit });
  }
  return ladder;
};
