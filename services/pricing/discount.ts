// What promotions take off a basket: which apply, in which order they are taken, and which of them go together
// (contract 6, "Money"). Pure and quick; amounts are in minor units.
import { allocate } from '#values/money.ts';
import { shareOf } from '#values/share.ts';
import { BELOW_MINIMUM, fewerPieces, type Obstacle, OUTSIDE, otherCurrency } from './obstacle.ts';
import type { Ware } from './price.ts';

/** Whatever stands in one of the three. */
export interface Targets {
  readonly products: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  readonly collections: ReadonlySet<string>;
}

/** A promotion as the engine wants it. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  /** In its normal spelling; null: it applies by itself. */
  readonly code: string | null;
  readonly type: 'percentage' | 'fixed_amount' | 'free_shipping' | 'buy_x_get_y';
  /** Millionths of a percentage, minor units of a fixed amount, else 0. */
  readonly value: number;
  readonly currency: string;
  /** What takes part; null: everything. */
  readonly targets: Targets | null;
  readonly buy: number;
  readonly get: number;
  /** What is taken off what is got, in millionths. */
  readonly getShare: number;
  readonly minimum: number | null;
  readonly stackable: boolean;
}

/** A line before promotions. */
export interface PricedLine {
  readonly ware: Ware;
  readonly quantity: number;
  readonly unit: number;
  readonly subtotal: number;
}

/** A promotion that applies, with the lines on which it does. */
export interface ApplicablePromotion {
  readonly rule: Rule;
  readonly lines: readonly number[];
}

export interface Applied {
  readonly rule: Rule;
  /** Of free shipping: the fee that it saves, 0 where no fee is known. */
  readonly amount: number;
}

export interface Discount {
  /** Taken off each line. */
  readonly lines: readonly number[];
  readonly total: number;
  /** In the order in which they were taken. */
  readonly applied: readonly Applied[];
  readonly freeShipping: boolean;
}

/** Percentages are of what is left, fixed amounts come last. */
const ORDER: Readonly<Record<Rule['type'], number>> = {
  buy_x_get_y: 0,
  percentage: 1,
  fixed_amount: 2,
  free_shipping: 3,
};

const byOrder = (a: ApplicablePromotion, b: ApplicablePromotion): number =>
  ORDER[a.rule.type] - ORDER[b.rule.type] || (a.rule.id < b.rule.id ? -1 : a.rule.id > b.rule.id ? 1 : 0);

const targeted = (
  { products, categories, collections }: Targets,
  { product, category, subcategory, collections: own }: Ware,
): boolean => {
  if (categories.size > 0) {
    if (category !== null && categories.has(category)) return true;
    if (subcategory !== null && categories.has(subcategory)) return true;
  }
  if (collections.size > 0) for (let at = 0; at < own.length; at++) if (collections.has(own[at]!)) return true;
  // Last: each product's id is a text of its own somewhere in memory.
  return products.size > 0 && products.has(product);
};

/** The lines to which a promotion may apply. */
export const linesOf = ({ targets }: Rule, lines: readonly PricedLine[]): number[] => {
  const found: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (targets === null || targeted(targets, lines[at]!.ware)) found.push(at);
  }
  return found;
};

const piecesOf = (indices: readonly number[], lines: readonly PricedLine[]): number => {
  let pieces = 0;
  for (const at of indices) pieces += lines[at]!.quantity;
  return pieces;
};

/** Why a promotion takes nothing off this basket; null where it may. */
export const obstacle = (
  rule: Rule,
  eligible: readonly number[],
  lines: readonly PricedLine[],
  subtotal: number,
  currency: string,
): Obstacle | null => {
  const inMoney = rule.type === 'fixed_amount' || rule.minimum !== null;
  if (inMoney && rule.currency !== currency) return otherCurrency(rule.currency);
  if (eligible.length === 0) return OUTSIDE;
  if (rule.minimum !== null && subtotal < rule.minimum) return BELOW_MINIMUM;
  if (rule.type === 'buy_x_get_y' && piecesOf(eligible, lines) < rule.buy + rule.get) {
    return fewerPieces(rule.buy + rule.get);
  }
  return null;
};

type Taking = (candidate: ApplicablePromotion, lines: readonly PricedLine[], left: number[]) => number;

const takePercentage: Taking = ({ rule, lines: eligible }, _lines, left) => {
  let taken = 0;
  for (const at of eligible) {
    const off = shareOf(left[at]!, rule.value);
    left[at]! -= off;
    taken += off;
  }
  return taken;
};

/** Of every `buy + get` pieces the cheapest `get` are discounted; of pieces at one price those of earlier lines. */
const takePieces: Taking = ({ rule, lines: eligible }, lines, left) => {
  let pieces = Math.floor(piecesOf(eligible, lines) / (rule.buy + rule.get)) * rule.get;
  let taken = 0;
  const cheapest = eligible.toSorted((a, b) => lines[a]!.unit - lines[b]!.unit || a - b);
  for (const at of cheapest) {
    if (pieces === 0) break;
    const { unit, quantity } = lines[at]!;
    const got = Math.min(pieces, quantity);
    const off = Math.min(left[at]!, shareOf(unit * got, rule.getShare));
    pieces -= got;
    left[at]! -= off;
    taken += off;
  }
  return taken;
};

/** Split in proportion to the lines' subtotals; what is too much for a line is split over the others. */
const takeAmount: Taking = ({ rule, lines: eligible }, lines, left) => {
  let open = eligible.filter((at) => left[at]! > 0);
  let remaining = 0;
  for (const at of open) remaining += left[at]!;
  const taken = Math.min(rule.value, remaining);
  let due = taken;
  while (due > 0) {
    const parts = allocate(
      due,
      open.map((at) => lines[at]!.subtotal),
    );
    const full = open.filter((at, place) => parts[place]! >= left[at]!);
    if (full.length === 0) {
      for (const [place, at] of open.entries()) left[at]! -= parts[place]!;
      break;
    }
    for (const at of full) {
      due -= left[at]!;
      left[at] = 0;
    }
    open = open.filter((at) => left[at]! > 0);
  }
  return taken;
};

const TAKE: Readonly<Record<Exclude<Rule['type'], 'free_shipping'>, Taking>> = {
  percentage: takePercentage,
  buy_x_get_y: takePieces,
  fixed_amount: takeAmount,
};

/** All of these together, each of what the ones before it left. */
const take = (
  candidates: readonly ApplicablePromotion[],
  lines: readonly PricedLine[],
  shippingFee: number | null,
): Discount => {
  const left = lines.map(({ subtotal }) => subtotal);
  const applied: Applied[] = [];
  let total = 0;
  let freeShipping = false;
  for (const candidate of candidates) {
    const { rule } = candidate;
    if (rule.type === 'free_shipping') {
      // A second one has nothing to save.
      if (!freeShipping) applied.push({ rule, amount: shippingFee ?? 0 });
      freeShipping = true;
      continue;
    }
    const amount = TAKE[rule.type](candidate, lines, left);
    if (amount > 0) applied.push({ rule, amount });
    total += amount;
  }
  for (let at = 0; at < left.length; at++) left[at] = lines[at]!.subtotal - left[at]!;
  return { lines: left, total, applied, freeShipping };
};

const saved = ({ total, freeShipping }: Discount, shippingFee: number | null): number =>
  total + (freeShipping ? (shippingFee ?? 0) : 0);

/** Whether a way is cheaper for the shopper; of equal ones the one that has more to show for it. */
const better = (a: Discount, b: Discount, shippingFee: number | null): boolean => {
  const gain = saved(a, shippingFee) - saved(b, shippingFee);
  if (gain !== 0) return gain > 0;
  if (a.freeShipping !== b.freeShipping) return a.freeShipping;
  return a.applied.length > 0 && b.applied.length === 0;
};

/** Either all stackable promotions together or the best other one alone, whichever is cheaper for the shopper. */
export const bestDiscount = (
  candidates: readonly ApplicablePromotion[],
  lines: readonly PricedLine[],
  shippingFee: number | null,
): Discount => {
  const ordered = candidates.length > 1 ? candidates.toSorted(byOrder) : candidates;
  let best = take(
    ordered.filter(({ rule }) => rule.stackable),
    lines,
    shippingFee,
  );
  for (const candidate of ordered) {
    if (candidate.rule.stackable) continue;
    const alone = take([candidate], lines, shippingFee);
    if (better(alone, best, shippingFee)) best = alone;
  }
  return best;
};
