// Calculates the price per unit: the lowest of base price, sale price and the price lists that currently apply to the
// buyer and the quantity. Amounts are in minor units.
import { type Conversion, convertPrice } from '#values/exchange.ts';
import { AMOUNT_MAX } from '#values/money.ts';

export class AmountTooLarge extends RangeError {
  constructor() {
    super('The basket exceeds the largest amount that can be priced. Order fewer units.');
  }
}

export const bounded = (amount: number): number => {
  if (amount > AMOUNT_MAX) throw new AmountTooLarge();
  return amount;
};

/** A price list without prices; all variants on the list share this object. */
export interface PriceList {
  readonly id: string;
  readonly currency: string;
  readonly group: string | null;
  /** In ms of the tenant's clock; `endsAt` is exclusive. */
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface PricedVariant {
  readonly id: string;
  readonly product: string;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly collections: readonly string[];
  readonly active: boolean;
  readonly price: number | null;
  readonly salePrice: number | null;
  readonly lists: readonly PriceList[];
  /**
   * Triples of list index, minimum quantity and price, such as `[0, 1, 900, 0, 10, 800]`, sorted by list and quantity.
   * One flat array, because memory access takes most of the engine's time.
   */
  readonly listPrices: readonly number[];
}

const LIST_PRICE_WIDTH = 3;

export interface PriceContext {
  readonly currency: string;
  readonly storeCurrency: string;
  readonly group: string | null;
  /** In ms of the tenant's clock. */
  readonly now: number;
  /** Converts prices from the store's currency; null or absent if they are stored in the buyer's currency. */
  readonly exchange?: Conversion | null;
}

export interface UnitPrice {
  readonly unit: number;
  /** The catalogue's base price; null if the basket's currency is not the store's. */
  readonly base: number | null;
  readonly sale: number | null;
  readonly listId: string | null;
}

const applies = (list: PriceList, { currency, group, now }: PriceContext): boolean =>
  list.currency === currency &&
  (list.group === null || list.group === group) &&
  list.startsAt <= now &&
  now < list.endsAt;

export const unitPrice = (variant: PricedVariant, quantity: number, buyer: PriceContext): UnitPrice | null => {
  const { exchange } = buyer;
  if (!exchange) return storedUnitPrice(variant, quantity, buyer);
  const stored = storedUnitPrice(variant, quantity, { ...buyer, currency: buyer.storeCurrency });
  return stored && convertedUnitPrice(stored, exchange);
};

const convertedUnitPrice = ({ unit, base, sale, listId }: UnitPrice, exchange: Conversion): UnitPrice | null => {
  const converted = convertPrice(unit, exchange);
  if (converted === null) return null;
  return {
    unit: converted,
    base: base === null ? null : convertPrice(base, exchange),
    sale: sale === null ? null : convertPrice(sale, exchange),
    listId,
  };
};

const storedUnitPrice = (variant: PricedVariant, quantity: number, buyer: PriceContext): UnitPrice | null => {
  const inStoreCurrency = buyer.currency === buyer.storeCurrency;
  const base = inStoreCurrency ? variant.price : null;
  const sale = inStoreCurrency ? variant.salePrice : null;
  let unit = base;
  if (sale !== null && (unit === null || sale < unit)) unit = sale;
  let list: string | null = null;
  const { lists, listPrices } = variant;
  for (let at = 0; at < listPrices.length; ) {
    const listIndex = listPrices[at]!;
    // Considers every minimum quantity that is reached, because the largest alone could raise the price per unit.
    let price: number | null = null;
    for (; at < listPrices.length && listPrices[at] === listIndex; at += LIST_PRICE_WIDTH) {
      const reached = listPrices[at + 1]! <= quantity ? listPrices[at + 2]! : null;
      if (reached !== null && (price === null || reached < price)) price = reached;
    }
    if (price === null || (unit !== null && price >= unit) || !applies(lists[listIndex]!, buyer)) continue;
    unit = price;
    list = lists[listIndex]!.id;
  }
  return unit === null ? null : { unit, base, sale, listId: list };
};

/**
 * Returns the quantities at which the unit price changes, beginning with one unit; empty if the variant has no price.
 */
export const priceLadder = (
  variant: PricedVariant,
  buyer: PriceContext,
): { readonly from: number; readonly unit: number }[] => {
  const starts = new Set([1]);
  const stored = buyer.exchange ? { ...buyer, currency: buyer.storeCurrency } : buyer;
  const { lists, listPrices } = variant;
  for (let at = 0; at < listPrices.length; at += LIST_PRICE_WIDTH) {
    if (applies(lists[listPrices[at]!]!, stored)) starts.add(listPrices[at + 1]!);
  }
  const ladder: { from: number; unit: number }[] = [];
  for (const from of [...starts].sort((a, b) => a - b)) {
    const unit = unitPrice(variant, from, buyer)?.unit;
    if (unit !== undefined && ladder.at(-1)?.unit !== unit) ladder.push({ from, unit });
  }
  return ladder;
};
