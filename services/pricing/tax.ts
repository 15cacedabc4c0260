// Calculates the tax of a line or a shipping fee: selects the rates that apply and calculates the amount of each. Pure;
// amounts are in minor units, rates in millionths.
import { allocate } from '#values/money.ts';
import { shareOf, WHOLE } from '#values/share.ts';
import { stateCode } from '#values/state.ts';
import { plainPostcode } from '#values/text.ts';
import { bounded } from './price.ts';

export interface TaxRule {
  readonly id: string;
  readonly name: string;
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

export interface TaxedAmount {
  readonly taxable: number;
  readonly tax: number;
  readonly rates: readonly RateAmount[];
}

/**
 * Rates in the order of calculation. Rates of equal priority add up; a compound rate also applies to the tax of the
 * rates before it.
 */
export interface TaxPlan {
  readonly rules: readonly TaxRule[];
  /** Per rate, the number of preceding rates whose tax the rate's base includes; 0 if the base is the net amount. */
  readonly bases: readonly number[];
  /** Per rate, the tax on one net unit, in fractions of `scale`. `gross` is the net unit plus all taxes. */
  readonly shares: readonly bigint[];
  readonly gross: bigint;
  readonly scale: bigint;
}

export const normalAddress = ({ country, state, postalCode }: TaxAddress): TaxAddress => {
  const code = country.toUpperCase();
  return {
    country: code,
    state: state === null ? null : stateCode(code, state),
    postalCode: postalCode === null ? null : plainPostcode(postalCode),
  };
};

const covers = (rule: TaxRule, { country, state, postalCode }: TaxAddress): boolean =>
  rule.country === country &&
  (rule.state === null || rule.state === state) &&
  (rule.postalPrefix === null || postalCode?.startsWith(rule.postalPrefix) === true);

const byPrecedence = (a: TaxRule, b: TaxRule): number =>
  a.priority - b.priority || Number(a.compound) - Number(b.compound) || (a.id < b.id ? -1 : 1);

const haveSamePrecedence = (a: TaxRule, b: TaxRule): boolean => a.priority === b.priority && a.compound === b.compound;

export const taxPlan = (rules: readonly TaxRule[]): TaxPlan => {
  const ordered = rules.toSorted(byPrecedence);
  const bases = ordered.map((rule) =>
    rule.compound ? ordered.findIndex((other) => haveSamePrecedence(other, rule)) : 0,
  );
  // Chooses a scale at which every share is an integer; each compound rate needs another factor of a million.
  const levels = ordered.reduce((depth, rule) => depth + (rule.compound ? 1 : 0), 1);
  const scale = BigInt(WHOLE) ** BigInt(levels);
  const shares: bigint[] = [];
  for (const [at, rule] of ordered.entries()) {
    const base = shares.slice(0, bases[at]).reduce((sum, share) => sum + share, scale);
    shares.push((base * BigInt(rule.rate)) / BigInt(WHOLE));
  }
  return { rules: ordered, bases, shares, gross: shares.reduce((sum, share) => sum + share, scale), scale };
};

/** Adds taxes to a net amount. Each rate's amount is rounded half up per line. */
export const taxOnTop = (plan: TaxPlan, net: number): TaxedAmount => {
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

/**
 * Extracts the taxes from a gross amount. Rounds the net amount half up and splits the rest in proportion to the rates.
 */
export const taxWithin = (plan: TaxPlan, gross: number): TaxedAmount => {
  if (plan.rules.length === 0) return { taxable: gross, tax: 0, rates: [] };
  const taxable = Number((2n * BigInt(gross) * plan.scale + plan.gross) / (2n * plan.gross));
  const tax = gross - taxable;
  const amounts = plan.rules.length === 1 ? [tax] : allocate(tax, weightsOf(plan));
  return { taxable, tax, rates: plan.rules.map((rule, at) => ({ rule, amount: amounts[at]! })) };
};

const weightsOf = ({ shares, gross, scale }: TaxPlan): number[] =>
  shares.map((share) => (gross === scale ? 0 : Number((share * BigInt(WHOLE) ** 2n) / (gross - scale))));

/** Tax rates of one place. Caches the plan for each category. */
export class TaxTable {
  readonly inclusive: boolean;
  readonly #rules: readonly TaxRule[];
  readonly #plans = new Map<string, TaxPlan>();
  #shipping: TaxPlan | null = null;

  constructor(rules: readonly TaxRule[], place: TaxAddress, inclusive: boolean) {
    this.inclusive = inclusive;
    this.#rules = rules.filter((rule) => covers(rule, place));
  }

  line(amount: number, category: string | null, subcategory: string | null): TaxedAmount {
    // The subcategory alone suffices as the key, because it belongs to one category.
    const key = subcategory ?? category ?? '';
    let plan = this.#plans.get(key);
    if (!plan) {
      plan = taxPlan(this.#mostSpecific([...[subcategory, category].filter((each) => each !== null), null]));
      this.#plans.set(key, plan);
    }
    return this.#tax(plan, amount);
  }

  /**
   * Returns the rates for these categories, the most specific first. If rates have the same name, only those of the
   * first matching category apply; null stands for rates without a category.
   */
  #mostSpecific(categories: readonly (string | null)[]): TaxRule[] {
    const rules: TaxRule[] = [];
    for (const category of categories) {
      const nearer = new Set(rules.map(({ name }) => name));
      rules.push(...this.#rules.filter((rule) => rule.category === category && !nearer.has(rule.name)));
    }
    return rules;
  }

  shippingFee(amount: number): TaxedAmount {
    this.#shipping ??= taxPlan(this.#rules.filter((rule) => rule.shipping && rule.category === null));
    return this.#tax(this.#shipping, amount);
  }

  #tax(plan: TaxPlan, amount: number): TaxedAmount {
    return this.inclusive ? taxWithin(plan, amount) : taxOnTop(plan, amount);
  }
}
