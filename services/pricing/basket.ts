// Prices a basket line by line. Pricing queries, carts, intents and orders all call this pure function, so that a
// basket has the same total everywhere. Amounts are in minor units.

import {
  type ApplicablePromotion,
  type Applied,
  bestDiscount,
  eligibleLines,
  obstacleFor,
  type PricedLine,
  type PromotionRule,
} from './discount.ts';
import { NOTHING_TO_DISCOUNT, type Obstacle, OTHERS_SAVE_MORE } from './obstacle.ts';
import { bounded, type PriceContext, type PricedVariant, type UnitPrice, unitPrice } from './price.ts';
import type { RateAmount, TaxedAmount, TaxTable } from './tax.ts';

export interface BasketItem {
  readonly variant: PricedVariant;
  readonly quantity: number;
  readonly promisedUnit?: number;
}

export interface EnteredCode {
  readonly code: string;
  readonly found: PromotionRule | Obstacle;
}

export interface BasketInput {
  readonly items: readonly BasketItem[];
  readonly buyer: PriceContext;
  readonly automatic: readonly PromotionRule[];
  readonly codes: readonly EnteredCode[];
  readonly shippingFee: number | null;
  readonly taxes: TaxTable | null;
}

export interface BasketLine extends PricedLine {
  readonly price: UnitPrice;
  readonly discount: number;
  readonly total: number;
  readonly taxed: TaxedAmount | null;
}

export interface RejectedPromotionCode extends Obstacle {
  readonly code: string;
}

export interface Basket {
  readonly lines: readonly BasketLine[];
  readonly subtotal: number;
  readonly discount: number;
  readonly total: number;
  readonly applied: readonly Applied[];
  readonly rejected: readonly RejectedPromotionCode[];
  readonly shippingFee: number | null;
  readonly freeShipping: boolean;
  readonly shippingTaxed: TaxedAmount | null;
}

export interface UnpricedItem {
  readonly unpriced: number;
}

/** Up to this many lines, comparing every pair is faster than building a map. */
const PAIRWISE_MAX = 24;

const areDistinct = (items: readonly BasketItem[]): boolean => {
  if (items.length > PAIRWISE_MAX) return false;
  for (let at = 1; at < items.length; at++) {
    const { variant } = items[at]!;
    for (let other = 0; other < at; other++) if (items[other]!.variant === variant) return false;
  }
  return true;
};

/**
 * Sums each variant's quantity over all lines, so that splitting a line does not change the price. Returns null if each
 * variant has one line.
 */
const quantityByVariant = (items: readonly BasketItem[]): ReadonlyMap<PricedVariant, number> | null => {
  if (areDistinct(items)) return null;
  const quantities = new Map<PricedVariant, number>();
  for (const { variant, quantity } of items) quantities.set(variant, (quantities.get(variant) ?? 0) + quantity);
  return quantities.size === items.length ? null : quantities;
};

const promisedPrice = (unit: number): UnitPrice => ({ unit, base: null, sale: null, listId: null });

const UNTAXED: readonly RateAmount[] = [];

export const priceBasket = ({
  items,
  buyer,
  automatic,
  codes,
  shippingFee,
  taxes,
}: BasketInput): Basket | UnpricedItem => {
  const prices: UnitPrice[] = [];
  const lines: PricedLine[] = [];
  const quantities = quantityByVariant(items);
  let subtotal = 0;
  for (let at = 0; at < items.length; at++) {
    const { variant, quantity, promisedUnit } = items[at]!;
    const price =
      promisedUnit === undefined
        ? unitPrice(variant, quantities?.get(variant) ?? quantity, buyer)
        : promisedPrice(promisedUnit);
    if (price === null) return { unpriced: at };
    const lineSubtotal = bounded(price.unit * quantity);
    prices.push(price);
    lines.push({ variant, quantity, unit: price.unit, subtotal: lineSubtotal });
    subtotal = bounded(subtotal + lineSubtotal);
  }

  const candidates: ApplicablePromotion[] = [];
  const addIfApplicable = (rule: PromotionRule): Obstacle | null => {
    const eligible = eligibleLines(rule, lines);
    const reason = obstacleFor(rule, eligible, lines, subtotal, buyer.currency);
    if (reason === null) candidates.push({ rule, lines: eligible });
    return reason;
  };
  for (const rule of automatic) addIfApplicable(rule);
  const obstacles = codes.map(({ found }) => ('cause' in found ? found : addIfApplicable(found)));
  const discount = bestDiscount(candidates, lines, shippingFee);
  const rejected: RejectedPromotionCode[] = [];
  for (const [at, { code, found }] of codes.entries()) {
    if (discount.applied.some(({ rule }) => rule === found)) continue;
    rejected.push({
      code,
      ...(obstacles[at] ?? (discount.applied.length > 0 ? OTHERS_SAVE_MORE : NOTHING_TO_DISCOUNT)),
    });
  }

  const fee = shippingFee !== null && discount.freeShipping ? 0 : shippingFee;
  return {
    lines: lines.map((line, at) => {
      const total = line.subtotal - discount.perLine[at]!;
      const { category, subcategory } = line.variant;
      return {
        variant: line.variant,
        quantity: line.quantity,
        unit: line.unit,
        subtotal: line.subtotal,
        price: prices[at]!,
        discount: discount.perLine[at]!,
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
