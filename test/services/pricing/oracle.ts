// Calculates a basket's price a second time for comparison: exact fractions, every combination tried, sharing only the
// stored records with the engine.
import type { PricedVariant } from '#services/pricing/price.ts';
import type { CountedPromotion } from '#services/pricing/table/promotion.ts';
import type { TaxRateRecord } from '#services/pricing/tax_rate.ts';
import type { Case } from './random_basket.ts';

/** Divides, rounding half up. */
const half = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
const MILLION = 1_000_000n;

/** The lowest of base, sale and applicable list price. Null: no price in this currency. */
const unitOf = (
  variant: PricedVariant,
  quantity: number,
  { currency, storeCurrency, group, now }: Case,
): bigint | null => {
  const offers: number[] = [];
  if (currency === storeCurrency)
    for (const own of [variant.price, variant.salePrice]) if (own !== null) offers.push(own);
  for (const [place, list] of variant.lists.entries()) {
    const open = list.startsAt <= now && now < list.endsAt;
    if (!open || list.currency !== currency || (list.group !== null && list.group !== group)) continue;
    for (let at = 0; at < variant.listPrices.length; at += 3) {
      const [of, from, price] = variant.listPrices.slice(at, at + 3) as [number, number, number];
      if (of === place && from <= quantity) offers.push(price);
    }
  }
  return offers.length === 0 ? null : BigInt(Math.min(...offers));
};

const isOpen = (promotion: CountedPromotion, { now, codes, uses }: Case): boolean => {
  const { code, status, starts_at, ends_at, usage_limit, usage_limit_per_customer, id } = promotion;
  if (code !== null && !codes.some((entered) => entered.trim().toUpperCase() === code)) return false;
  if (status !== 'active' && !(status === 'scheduled' && starts_at!.getTime() <= now)) return false;
  if (ends_at !== null && ends_at.getTime() <= now) return false;
  const { total: all, byCustomer } = uses.get(id) ?? { total: 0, byCustomer: 0 };
  return (
    (usage_limit === null || all < usage_limit) &&
    (usage_limit_per_customer === null || byCustomer < usage_limit_per_customer)
  );
};

const takesPart = (
  { product_ids, category_ids, collection_ids }: CountedPromotion,
  variant: PricedVariant,
): boolean => {
  const targets = [...product_ids, ...category_ids, ...collection_ids];
  const own = [variant.product, variant.category, variant.subcategory, ...variant.collections];
  return targets.length === 0 || own.some((id) => id !== null && targets.includes(id));
};

export interface OracleLine {
  readonly variant: PricedVariant;
  readonly quantity: number;
  readonly unit: bigint;
}

/** Remaining amount of each line and free shipping after applying promotions together. */
export interface Outcome {
  readonly left: readonly bigint[];
  readonly free: boolean;
}

const applyAll = (promotions: readonly CountedPromotion[], lines: readonly OracleLine[]): Outcome => {
  const worth = lines.map(({ unit, quantity }) => unit * BigInt(quantity));
  const left = [...worth];
  const of = (type: CountedPromotion['type']) =>
    promotions.filter((each) => each.type === type).sort((a, b) => (a.id < b.id ? -1 : 1));
  const part = (each: CountedPromotion) => lines.flatMap(({ variant }, at) => (takesPart(each, variant) ? [at] : []));
  // Buy-x-get-y repeats and discounts the cheapest units.
  for (const each of of('buy_x_get_y')) {
    const pieces = part(each).flatMap((at) => Array.from({ length: lines[at]!.quantity }, () => at));
    pieces.sort((a, b) => Number(lines[a]!.unit - lines[b]!.unit) || a - b);
    const got = Math.floor(pieces.length / (each.buy_quantity! + each.get_quantity!)) * each.get_quantity!;
    for (const at of part(each)) {
      const count = pieces.slice(0, got).filter((piece) => piece === at).length;
      const off = half(lines[at]!.unit * BigInt(count) * BigInt(each.get_discount!), MILLION);
      left[at] = left[at]! < off ? 0n : left[at]! - off;
    }
  }
  // Percentages apply to the remaining amount.
  for (const each of of('percentage')) {
    for (const at of part(each)) left[at] = left[at]! - half(left[at]! * BigInt(each.value!), MILLION);
  }
  // A fixed amount is split over its eligible lines by largest remainder in proportion to their subtotals.
  for (const each of of('fixed_amount')) {
    let open = part(each).filter((at) => left[at]! > 0n);
    const room = total(open.map((at) => left[at]!));
    let due = BigInt(each.value!) < room ? BigInt(each.value!) : room;
    while (due > 0n) {
      const whole = total(open.map((at) => worth[at]!));
      const shares = open.map((at) => ({ at, off: (due * worth[at]!) / whole, rest: (due * worth[at]!) % whole }));
      shares.sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
      const over = Number(due - total(shares.map(({ off }) => off)));
      for (const share of shares.slice(0, over)) share.off += 1n;
      // The part that exceeds a line's remainder is split over the other lines; discounts never make a line negative.
      const full = shares.filter(({ at, off }) => off >= left[at]!);
      for (const { at, off } of full.length > 0 ? full : shares) {
        const less = full.length > 0 ? left[at]! : off;
        left[at] = left[at]! - less;
        due -= less;
      }
      open = open.filter((at) => left[at]! > 0n);
    }
  }
  return { left, free: of('free_shipping').length > 0 };
};

export interface ExpectedResult {
  readonly lines: readonly OracleLine[];
  readonly subtotal: bigint;
  readonly applicable: ReadonlySet<string>;
  /** Outcomes with the lowest cost. */
  readonly best: readonly Outcome[];
  /** Remaining price of lines and shipping in the cheapest outcomes. */
  readonly cost: bigint;
}

/** Returns the index of the first item without a price, or the expected result. */
export const expectedResult = (given: Case): ExpectedResult | number => {
  const lines: OracleLine[] = [];
  for (const [at, { variant, quantity }] of given.items.entries()) {
    const together = given.items.reduce((sum, item) => sum + (item.variant === variant ? item.quantity : 0), 0);
    const unit = unitOf(variant, together, given);
    if (unit === null) return at;
    lines.push({ variant, quantity, unit });
  }
  const subtotal = total(lines.map(({ unit, quantity }) => unit * BigInt(quantity)));
  const able = given.promotions.filter((each) => {
    const { minimum_subtotal, type, currency } = each;
    const part = lines.filter(({ variant }) => takesPart(each, variant));
    if (!isOpen(each, given) || part.length === 0) return false;
    if ((minimum_subtotal !== null || type === 'fixed_amount') && currency !== given.currency) return false;
    if (minimum_subtotal !== null && subtotal < BigInt(minimum_subtotal)) return false;
    const pieces = part.reduce((sum, { quantity }) => sum + quantity, 0);
    return type !== 'buy_x_get_y' || pieces >= each.buy_quantity! + each.get_quantity!;
  });
  // Either the best non-stackable promotion alone or all stackable ones together.
  const groups = [able.filter(({ stackable }) => stackable)];
  for (const each of able) if (!each.stackable) groups.push([each]);
  const ways = groups.map((promotions) => applyAll(promotions, lines));
  const costOf = ({ left, free }: Outcome): bigint => total(left) + (free ? 0n : BigInt(given.fee ?? 0));
  const costs = ways.map(costOf);
  const [cost] = costs.toSorted((a, b) => (a < b ? -1 : 1)) as [bigint];
  const best = ways.filter((_, at) => costs[at] === cost);
  return { lines, subtotal, applicable: new Set(able.map(({ id }) => id)), best, cost };
};

const plain = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** Every rate whose country, state, postal prefix and category match applies; empty fields match all. */
const fitting = ({ taxRates, place }: Case): TaxRateRecord[] =>
  taxRates.filter(
    ({ country, state, postal_prefix }) =>
      country === place!.country.toUpperCase() &&
      (state === null || (place!.state !== null && plain(state) === plain(place!.state))) &&
      (postal_prefix === null ||
        (place!.postalCode !== null && plain(place!.postalCode).startsWith(plain(postal_prefix)))),
  );

/** A subcategory's rate replaces its category's rate of the same name, which replaces the general rate. */
export const ratesOfLine = (given: Case, { category, subcategory }: PricedVariant): TaxRateRecord[] => {
  const nearness = ({ category_id: id }: TaxRateRecord): number =>
    id === null ? 1 : id === subcategory ? 3 : id === category ? 2 : 0;
  const own = fitting(given).filter((rate) => nearness(rate) > 0);
  return own.filter((rate) => !own.some((other) => other.name === rate.name && nearness(other) > nearness(rate)));
};

export const ratesOfShipping = (given: Case): TaxRateRecord[] =>
  fitting(given).filter(({ applies_to_shipping, category_id }) => applies_to_shipping && category_id === null);

export interface OracleTax {
  readonly taxable: bigint;
  readonly tax: bigint;
  /** Amount of each rate by id; for inclusive prices a numerator over `scale`, before rounding. */
  readonly byRate: ReadonlyMap<string, bigint>;
  readonly scale: bigint;
}

/** Rates of equal priority add up; a compound rate is calculated on top. */
const before = (rate: TaxRateRecord, other: TaxRateRecord): boolean =>
  other.priority < rate.priority || (other.priority === rate.priority && rate.compound && !other.compound);

const byPrecedence = (rates: readonly TaxRateRecord[]): TaxRateRecord[] =>
  [...rates].sort((a, b) => a.priority - b.priority || Number(a.compound) - Number(b.compound));

export const taxOf = (rates: readonly TaxRateRecord[], amount: bigint, inclusive: boolean): OracleTax => {
  const byRate = new Map<string, bigint>();
  const baseOf = (rate: TaxRateRecord, net: bigint): bigint =>
    rate.compound ? net + total(rates.filter((other) => before(rate, other)).map(({ id }) => byRate.get(id)!)) : net;
  if (!inclusive) {
    for (const rate of byPrecedence(rates))
      byRate.set(rate.id, half(baseOf(rate, amount) * BigInt(rate.rate), MILLION));
    return { taxable: amount, tax: total([...byRate.values()]), byRate, scale: 1n };
  }
  // Scales a net amount of one so that every step is a whole number.
  const one = MILLION ** BigInt(rates.length + 1);
  for (const rate of byPrecedence(rates)) byRate.set(rate.id, (baseOf(rate, one) * BigInt(rate.rate)) / MILLION);
  const gross = one + total([...byRate.values()]);
  const taxable = half(amount * one, gross);
  const tax = amount - taxable;
  const taxed = gross - one;
  const parts = [...byRate].map(([id, part]) => [id, taxed === 0n ? 0n : tax * part] as const);
  return { taxable, tax, byRate: new Map(parts), scale: taxed === 0n ? 1n : taxed };
};
