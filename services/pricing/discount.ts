// Calculates the discount of a basket: which promotions apply, in which order, and which are combined. Pure; amounts
// are in minor units.
import type { PromotionTranslation } from '#proto/gen/promotion.ts';
import { allocate } from '#values/money.ts';
import { shareOf } from '#values/share.ts';
import type { Translations } from '#values/translation.ts';
import { BELOW_MINIMUM, NO_ELIGIBLE_ITEM, type Obstacle, tooFewUnits, wrongCurrency } from './obstacle.ts';
import type { PricedVariant } from './price.ts';

export interface Targets {
  readonly products: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  readonly collections: ReadonlySet<string>;
}

export interface PromotionRule {
  readonly id: string;
  readonly name: string;
  readonly translations: Translations<PromotionTranslation> | null;
  /** In upper case; null if the promotion needs no code. */
  readonly code: string | null;
  readonly type: 'percentage' | 'fixed_amount' | 'free_shipping' | 'buy_x_get_y';
  /** A percentage in millionths, or a fixed amount in minor units; 0 for other types. */
  readonly value: number;
  readonly currency: string;
  readonly targets: Targets | null;
  readonly buy: number;
  readonly get: number;
  /** Discount on each unit received, in millionths of the price. */
  readonly getDiscount: number;
  readonly minimum: number | null;
  readonly stackable: boolean;
}

export interface PricedLine {
  readonly variant: PricedVariant;
  readonly quantity: number;
  readonly unit: number;
  readonly subtotal: number;
}

export interface ApplicablePromotion {
  readonly rule: PromotionRule;
  readonly lines: readonly number[];
}

export interface Applied {
  readonly rule: PromotionRule;
  /** Amount saved. For free shipping this is the shipping fee, 0 while the fee is unknown. */
  readonly amount: number;
}

export interface Discount {
  readonly perLine: readonly number[];
  readonly total: number;
  readonly applied: readonly Applied[];
  readonly freeShipping: boolean;
}

/** Percentages apply to the amounts that earlier promotions leave; fixed amounts are subtracted last. */
const APPLICATION_ORDER: Readonly<Record<PromotionRule['type'], number>> = {
  buy_x_get_y: 0,
  percentage: 1,
  fixed_amount: 2,
  free_shipping: 3,
};

const byApplicationOrder = (a: ApplicablePromotion, b: ApplicablePromotion): number =>
  APPLICATION_ORDER[a.rule.type] - APPLICATION_ORDER[b.rule.type] ||
  (a.rule.id < b.rule.id ? -1 : a.rule.id > b.rule.id ? 1 : 0);

const isTargeted = (
  { products, categories, collections }: Targets,
  { product, category, subcategory, collections: own }: PricedVariant,
): boolean => {
  if (categories.size > 0) {
    if (category !== null && categories.has(category)) return true;
    if (subcategory !== null && categories.has(subcategory)) return true;
  }
  if (collections.size > 0) for (let at = 0; at < own.length; at++) if (collections.has(own[at]!)) return true;
  // Tests product ids last, because comparing these strings is slowest.
  return products.size > 0 && products.has(product);
};

export const eligibleLines = ({ targets }: PromotionRule, lines: readonly PricedLine[]): number[] => {
  const found: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (targets === null || isTargeted(targets, lines[at]!.variant)) found.push(at);
  }
  return found;
};

const unitCount = (indices: readonly number[], lines: readonly PricedLine[]): number => {
  let units = 0;
  for (const at of indices) units += lines[at]!.quantity;
  return units;
};

export const obstacleFor = (
  rule: PromotionRule,
  eligible: readonly number[],
  lines: readonly PricedLine[],
  subtotal: number,
  currency: string,
): Obstacle | null => {
  const inMoney = rule.type === 'fixed_amount' || rule.minimum !== null;
  if (inMoney && rule.currency !== currency) return wrongCurrency(rule.currency);
  if (eligible.length === 0) return NO_ELIGIBLE_ITEM;
  if (rule.minimum !== null && subtotal < rule.minimum) return BELOW_MINIMUM;
  if (rule.type === 'buy_x_get_y' && unitCount(eligible, lines) < rule.buy + rule.get) {
    return tooFewUnits(rule.buy + rule.get);
  }
  return null;
};

type Deduction = (candidate: ApplicablePromotion, lines: readonly PricedLine[], remainders: number[]) => number;

const deductPercentage: Deduction = ({ rule, lines: eligible }, _lines, remainders) => {
  let deducted = 0;
  for (const at of eligible) {
    const deduction = shareOf(remainders[at]!, rule.value);
    remainders[at]! -= deduction;
    deducted += deduction;
  }
  return deducted;
};

/** For every `buy + get` units, discounts the `get` cheapest; of equally cheap units, those of earlier lines. */
const deductBuyGet: Deduction = ({ rule, lines: eligible }, lines, remainders) => {
  let units = Math.floor(unitCount(eligible, lines) / (rule.buy + rule.get)) * rule.get;
  let deducted = 0;
  const cheapest = eligible.toSorted((a, b) => lines[a]!.unit - lines[b]!.unit || a - b);
  for (const at of cheapest) {
    if (units === 0) break;
    const { unit, quantity } = lines[at]!;
    const got = Math.min(units, quantity);
    const deduction = Math.min(remainders[at]!, shareOf(unit * got, rule.getDiscount));
    units -= got;
    remainders[at]! -= deduction;
    deducted += deduction;
  }
  return deducted;
};

/**
 * Splits the amount in proportion to the lines' subtotals. If a share exceeds what remains of a line's price, the rest
 * is split over the other lines.
 */
const deductAmount: Deduction = ({ rule, lines: eligible }, lines, remainders) => {
  let open = eligible.filter((at) => remainders[at]! > 0);
  let remaining = 0;
  for (const at of open) remaining += remainders[at]!;
  const deducted = Math.min(rule.value, remaining);
  let due = deducted;
  while (due > 0) {
    const parts = allocate(
      due,
      open.map((at) => lines[at]!.subtotal),
    );
    const full = open.filter((at, place) => parts[place]! >= remainders[at]!);
    if (full.length === 0) {
      for (const [place, at] of open.entries()) remainders[at]! -= parts[place]!;
      break;
    }
    for (const at of full) {
      due -= remainders[at]!;
      remainders[at] = 0;
    }
    open = open.filter((at) => remainders[at]! > 0);
  }
  return deducted;
};

const DEDUCTIONS: Readonly<Record<Exclude<PromotionRule['type'], 'free_shipping'>, Deduction>> = {
  percentage: deductPercentage,
  buy_x_get_y: deductBuyGet,
  fixed_amount: deductAmount,
};

const applyInOrder = (
  candidates: readonly ApplicablePromotion[],
  lines: readonly PricedLine[],
  shippingFee: number | null,
): Discount => {
  const remainders = lines.map(({ subtotal }) => subtotal);
  const applied: Applied[] = [];
  let total = 0;
  let freeShipping = false;
  for (const candidate of candidates) {
    const { rule } = candidate;
    if (rule.type === 'free_shipping') {
      if (!freeShipping) applied.push({ rule, amount: shippingFee ?? 0 });
      freeShipping = true;
      continue;
    }
    const amount = DEDUCTIONS[rule.type](candidate, lines, remainders);
    if (amount > 0) applied.push({ rule, amount });
    total += amount;
  }
  for (let at = 0; at < remainders.length; at++) remainders[at] = lines[at]!.subtotal - remainders[at]!;
  return { perLine: remainders, total, applied, freeShipping };
};

const savingOf = ({ total, freeShipping }: Discount, shippingFee: number | null): number =>
  total + (freeShipping ? (shippingFee ?? 0) : 0);

/**
 * Returns whether `a` saves more than `b`. Equal savings are decided by free shipping, then by whether any promotion
 * applies.
 */
const savesMore = (a: Discount, b: Discount, shippingFee: number | null): boolean => {
  const gain = savingOf(a, shippingFee) - savingOf(b, shippingFee);
  if (gain !== 0) return gain > 0;
  if (a.freeShipping !== b.freeShipping) return a.freeShipping;
  return a.applied.length > 0 && b.applied.length === 0;
};

/** Compares all stackable promotions together with each other promotion alone, and applies what saves most. */
export const bestDiscount = (
  candidates: readonly ApplicablePromotion[],
  lines: readonly PricedLine[],
  shippingFee: number | null,
): Discount => {
  const ordered = candidates.length > 1 ? candidates.toSorted(byApplicationOrder) : candidates;
  let best = applyInOrder(
    ordered.filter(({ rule }) => rule.stackable),
    lines,
    shippingFee,
  );
  for (const candidate of ordered) {
    if (candidate.rule.stackable) continue;
    const alone = applyInOrder([candidate], lines, shippingFee);
    if (savesMore(alone, best, shippingFee)) best = alone;
  }
  return best;
};
