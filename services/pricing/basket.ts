// The engine: what a basket costs, line by line. One function for pricing queries, carts, intents and orders, so that the
// same basket has the same total everywhere. Pure; amounts are in minor units.
import { bounded } from './amount.ts';
import {
  type ApplicablePromotion,
  type Applied,
  bestDiscount,
  linesOf,
  obstacle,
  type PricedLine,
  type Rule,
} from './discount.ts';
import { NOTHING_LEFT, type Obstacle, OUTDONE } from './obstacle.ts';
import { type PriceContext, type UnitPrice, unitPrice, type Ware } from './price.ts';
import type { RateAmount, Taxed, TaxTable } from './tax.ts';

export interface BasketItem {
  readonly ware: Ware;
  readonly quantity: number;
  /** What one piece was promised at; left out: the price of the moment. */
  readonly unit?: number;
}

/** A code as it was entered, and what came of looking for it. */
export interface Entry {
  readonly code: string;
  /** The promotion, or why there is none that could apply. */
  readonly found: Rule | Obstacle;
}

export interface PricedOrder {
  readonly items: readonly BasketItem[];
  readonly buyer: PriceContext;
  /** Promotions that apply by themselves. */
  readonly automatic: readonly Rule[];
  readonly entries: readonly Entry[];
  /** Null: not known yet. */
  readonly shippingFee: number | null;
  /** Null: where it goes is not known yet. */
  readonly taxes: TaxTable | null;
}

export interface BasketLine extends PricedLine {
  readonly price: UnitPrice;
  readonly discount: number;
  readonly total: number;
  /** Null where no tax was asked for. */
  readonly taxed: Taxed | null;
}

export interface RejectedEntry extends Obstacle {
  readonly code: string;
}

export interface Basket {
  readonly lines: readonly BasketLine[];
  readonly subtotal: number;
  readonly discount: number;
  readonly total: number;
  readonly applied: readonly Applied[];
  readonly rejected: readonly RejectedEntry[];
  /** The fee that is left to pay; null where none is known. */
  readonly shippingFee: number | null;
  readonly freeShipping: boolean;
  readonly shippingTaxed: Taxed | null;
}

/** An item that has no price for this buyer. */
export interface Unpriced {
  readonly unpriced: number;
}

/** Up to here it is quicker to look at every pair than to make a map. */
const PAIRS_MAX = 24;

const eachAlone = (items: readonly BasketItem[]): boolean => {
  if (items.length > PAIRS_MAX) return false;
  for (let at = 1; at < items.length; at++) {
    const { ware } = items[at]!;
    for (let other = 0; other < at; other++) if (items[other]!.ware === ware) return false;
  }
  return true;
};

/** A variant on several lines is one quantity: a basket costs the same however it is written down. Null: none is. */
const quantitiesOf = (items: readonly BasketItem[]): ReadonlyMap<Ware, number> | null => {
  if (eachAlone(items)) return null;
  const quantities = new Map<Ware, number>();
  for (const { ware, quantity } of items) quantities.set(ware, (quantities.get(ware) ?? 0) + quantity);
  return quantities.size === items.length ? null : quantities;
};

const promised = (unit: number): UnitPrice => ({ unit, base: null, sale: null, list: null });

const UNTAXED: readonly RateAmount[] = [];

export const priceBasket = ({
  items,
  buyer,
  automatic,
  entries,
  shippingFee,
  taxes,
}: PricedOrder): Basket | Unpriced => {
  const prices: UnitPrice[] = [];
  const lines: PricedLine[] = [];
  const quantities = quantitiesOf(items);
  let subtotal = 0;
  for (let at = 0; at < items.length; at++) {
    const { ware, quantity, unit } = items[at]!;
    const price = unit === undefined ? unitPrice(ware, quantities?.get(ware) ?? quantity, buyer) : promised(unit);
    if (price === null) return { unpriced: at };
    const worth = bounded(price.unit * quantity);
    prices.push(price);
    lines.push({ ware, quantity, unit: price.unit, subtotal: worth });
    subtotal = bounded(subtotal + worth);
  }

  const candidates: ApplicablePromotion[] = [];
  const consider = (rule: Rule): Obstacle | null => {
    const eligible = linesOf(rule, lines);
    const barred = obstacle(rule, eligible, lines, subtotal, buyer.currency);
    if (barred === null) candidates.push({ rule, lines: eligible });
    return barred;
  };
  for (const rule of automatic) consider(rule);
  const obstacles = entries.map(({ found }) => ('cause' in found ? found : consider(found)));
  const discount = bestDiscount(candidates, lines, shippingFee);
  const rejected: RejectedEntry[] = [];
  for (const [at, { code, found }] of entries.entries()) {
    if (discount.applied.some(({ rule }) => rule === found)) continue;
    rejected.push({ code, ...(obstacles[at] ?? (discount.applied.length > 0 ? OUTDONE : NOTHING_LEFT)) });
  }

  const fee = shippingFee !== null && discount.freeShipping ? 0 : shippingFee;
  return {
    lines: lines.map((line, at) => {
      const total = line.subtotal - discount.lines[at]!;
      const { category, subcategory } = line.ware;
      return {
        ware: line.ware,
        quantity: line.quantity,
        unit: line.unit,
        subtotal: line.subtotal,
        price: prices[at]!,
        discount: discount.lines[at]!,
        total,
        taxed: taxes === null ? null : taxes.line(total, category, subcategory),
      };
    }),
    subtotal,
    discount: discount.total,
    total: subtotal - discount.total,
    applied: discount.applied,
    rejected,
    shippingFee: fee,
    freeShipping: discount.freeShipping,
    shippingTaxed:
      taxes === null ? null : fee === null ? { taxable: 0, tax: 0, rates: UNTAXED } : taxes.shippingFee(fee),
  };
};
