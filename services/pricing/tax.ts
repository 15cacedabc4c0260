// Taxes of a line or of a shipping fee: which rates fit, and what each comes to (contract 6, "Money"). Pure; amounts are
// in minor units, rates in millionths.
import { allocate } from '#values/money.ts';
import { shareOf, WHOLE } from '#values/share.ts';
import { stateCode } from '#values/state.ts';
import { plainPostcode } from '#values/typed_name.ts';
import { bounded } from './amount.ts';

export interface TaxRule {
  readonly id: string;
  readonly name: string;
  /** Upper case, as all that places are compared by. */
  readonly country: string;
  readonly state: string | null;
  readonly postalPrefix: string | null;
  readonly rate: number;
  readonly category: string | null;
  readonly shipping: boolean;
  readonly priority: number;
  readonly compound: boolean;
}

export interface TaxAddress {
  readonly country: string;
  readonly state: string | null;
  readonly postalCode: string | null;
}

export interface RateAmount {
  readonly rule: TaxRule;
  readonly amount: number;
}

export interface Taxed {
  /** Without the tax. */
  readonly taxable: number;
  readonly tax: number;
  readonly rates: readonly RateAmount[];
}

/** Rates in the order in which they are taken: equal priorities add, and a compound one comes on top of what is before it. */
export interface TaxPlan {
  readonly rules: readonly TaxRule[];
  /** How many of the rules before each one are part of what it is taken of; 0: the amount alone. */
  readonly bases: readonly number[];
  /** What each takes of one unit net, in units of `scale`; and the whole, the net included. */
  readonly shares: readonly bigint[];
  readonly gross: bigint;
  readonly scale: bigint;
}

/** A place as rates are compared with it. */
export const placeOf = ({ country, state, postalCode }: TaxAddress): TaxAddress => {
  const code = country.toUpperCase();
  return {
    country: code,
    state: state === null ? null : stateCode(code, state),
    postalCode: postalCode === null ? null : plainPostcode(postalCode),
  };
};

const fits = (rule: TaxRule, { country, state, postalCode }: TaxAddress): boolean =>
  rule.country === country &&
  (rule.state === null || rule.state === state) &&
  (rule.postalPrefix === null || postalCode?.startsWith(rule.postalPrefix) === true);

const byTurn = (a: TaxRule, b: TaxRule): number =>
  a.priority - b.priority || Number(a.compound) - Number(b.compound) || (a.id < b.id ? -1 : 1);

const sameTurn = (a: TaxRule, b: TaxRule): boolean => a.priority === b.priority && a.compound === b.compound;

export const planOf = (rules: readonly TaxRule[]): TaxPlan => {
  const ordered = rules.toSorted(byTurn);
  const bases = ordered.map((rule) => (rule.compound ? ordered.findIndex((other) => sameTurn(other, rule)) : 0));
  // Each compound step multiplies shares once more: one common scale holds them all exactly.
  const levels = ordered.reduce((depth, rule) => depth + (rule.compound ? 1 : 0), 1);
  const scale = BigInt(WHOLE) ** BigInt(levels);
  const shares: bigint[] = [];
  for (const [at, rule] of ordered.entries()) {
    const base = shares.slice(0, bases[at]).reduce((sum, share) => sum + share, scale);
    shares.push((base * BigInt(rule.rate)) / BigInt(WHOLE));
  }
  return { rules: ordered, bases, shares, gross: shares.reduce((sum, share) => sum + share, scale), scale };
};

/** On top of a net amount: each rate half up on the line. */
export const taxOnTop = (plan: TaxPlan, net: number): Taxed => {
  const rates: RateAmount[] = [];
  let tax = 0;
  for (let at = 0; at < plan.rules.length; at++) {
    const rule = plan.rules[at]!;
    let base = net;
    for (let before = 0; before < plan.bases[at]!; before++) base += rates[before]!.amount;
    const amount = shareOf(bounded(base), rule.rate);
    rates.push({ rule, amount });
    tax += amount;
  }
  return { taxable: net, tax, rates };
};

/** Within a gross amount: the net half up, the rest split over the rates by what each is of it. */
export const taxWithin = (plan: TaxPlan, gross: number): Taxed => {
  if (plan.rules.length === 0) return { taxable: gross, tax: 0, rates: [] };
  const taxable = Number((2n * BigInt(gross) * plan.scale + plan.gross) / (2n * plan.gross));
  const tax = gross - taxable;
  const amounts = plan.rules.length === 1 ? [tax] : allocate(tax, weightsOf(plan));
  return { taxable, tax, rates: plan.rules.map((rule, at) => ({ rule, amount: amounts[at]! })) };
};

/** The rates' parts of the tax as whole numbers small enough to split by. */
const weightsOf = ({ shares, gross, scale }: TaxPlan): number[] =>
  shares.map((share) => (gross === scale ? 0 : Number((share * BigInt(WHOLE) ** 2n) / (gross - scale))));

/** The rates of one place, planned once for each kind of line that is asked for. */
export class TaxTable {
  readonly inclusive: boolean;
  readonly #rules: readonly TaxRule[];
  readonly #plans = new Map<string, TaxPlan>();
  #shipping: TaxPlan | null = null;

  constructor(rules: readonly TaxRule[], place: TaxAddress, inclusive: boolean) {
    this.inclusive = inclusive;
    this.#rules = rules.filter((rule) => fits(rule, place));
  }

  line(amount: number, category: string | null, subcategory: string | null): Taxed {
    // A subcategory stands in one category.
    const key = subcategory ?? category ?? '';
    let plan = this.#plans.get(key);
    if (!plan) {
      plan = planOf(this.#replacing([...[subcategory, category].filter((each) => each !== null), null]));
      this.#plans.set(key, plan);
    }
    return this.#tax(plan, amount);
  }

  /** Of the rates of one name those of the first of these categories that has any; null is what every line has. */
  #replacing(categories: readonly (string | null)[]): TaxRule[] {
    const rules: TaxRule[] = [];
    for (const category of categories) {
      const nearer = new Set(rules.map(({ name }) => name));
      rules.push(...this.#rules.filter((rule) => rule.category === category && !nearer.has(rule.name)));
    }
    return rules;
  }

  shippingFee(amount: number): Taxed {
    this.#shipping ??= planOf(this.#rules.filter((rule) => rule.shipping && rule.category === null));
    return this.#tax(this.#shipping, amount);
  }

  #tax(plan: TaxPlan, amount: number): Taxed {
    return this.inclusive ? taxWithin(plan, amount) : taxOnTop(plan, amount);
  }
}
