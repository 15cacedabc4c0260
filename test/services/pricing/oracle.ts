// What a basket costs, worked out once more: as the contract's section "Money" says it, with whole fractions and every
// way tried, sharing nothing with the engine but the records that merchants write.
import type { Ware } from '#services/pricing/price.ts';
import type { UsedPromotion } from '#services/pricing/table/promotion.ts';
import type { TaxRateRecord } from '#services/pricing/tax_rate.ts';
import type { Case } from './random_basket.ts';

/** The numerator over the denominator, half up. */
const half = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
const MILLION = 1_000_000n;

/** "The lowest of base, sale and applicable list price wins." Null: it has no price in this currency. */
const unitOf = (ware: Ware, quantity: number, { currency, storeCurrency, group, now }: Case): bigint | null => {
  const offers: number[] = [];
  if (currency === storeCurrency) for (const own of [ware.price, ware.salePrice]) if (own !== null) offers.push(own);
  for (const [place, list] of ware.lists.entries()) {
    const open = list.startsAt <= now && now < list.endsAt;
    if (!open || list.currency !== currency || (list.group !== null && list.group !== group)) continue;
    for (let at = 0; at < ware.listPrices.length; at += 3) {
      const [of, from, price] = ware.listPrices.slice(at, at + 3) as [number, number, number];
      if (of === place && from <= quantity) offers.push(price);
    }
  }
  return offers.length === 0 ? null : BigInt(Math.min(...offers));
};

/** Whether it may be used at this moment by this customer. */
const isOpen = (promotion: UsedPromotion, { now, codes, uses }: Case): boolean => {
  const { code, status, starts_at, ends_at, usage_limit, usage_limit_per_customer, id } = promotion;
  if (code !== null && !codes.some((entered) => entered.trim().toUpperCase() === code)) return false;
  if (status !== 'active' && !(status === 'scheduled' && starts_at!.getTime() <= now)) return false;
  if (ends_at !== null && ends_at.getTime() <= now) return false;
  const { total: all, own } = uses.get(id) ?? { total: 0, own: 0 };
  return (
    (usage_limit === null || all < usage_limit) && (usage_limit_per_customer === null || own < usage_limit_per_customer)
  );
};

const takesPart = ({ product_ids, category_ids, collection_ids }: UsedPromotion, ware: Ware): boolean => {
  const targets = [...product_ids, ...category_ids, ...collection_ids];
  const own = [ware.product, ware.category, ware.subcategory, ...ware.collections];
  return targets.length === 0 || own.some((id) => id !== null && targets.includes(id));
};

export interface OracleLine {
  readonly ware: Ware;
  readonly quantity: number;
  readonly unit: bigint;
}

/** What is left of each line, and whether shipping is free, once these promotions are taken together. */
export interface Way {
  readonly left: readonly bigint[];
  readonly free: boolean;
}

const taken = (promotions: readonly UsedPromotion[], lines: readonly OracleLine[]): Way => {
  const worth = lines.map(({ unit, quantity }) => unit * BigInt(quantity));
  const left = [...worth];
  const of = (type: UsedPromotion['type']) =>
    promotions.filter((each) => each.type === type).sort((a, b) => (a.id < b.id ? -1 : 1));
  const part = (each: UsedPromotion) => lines.flatMap(({ ware }, at) => (takesPart(each, ware) ? [at] : []));
  // "Buy-x-get-y repeats and discounts the cheapest units."
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
  // "Percentages are taken of what is left."
  for (const each of of('percentage')) {
    for (const at of part(each)) left[at] = left[at]! - half(left[at]! * BigInt(each.value!), MILLION);
  }
  // "A fixed amount is split over its eligible lines by largest remainder in proportion to their subtotals."
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
      // What is too much for a line is split over the others; "discounts never make a line negative".
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

export interface Verdict {
  readonly lines: readonly OracleLine[];
  readonly subtotal: bigint;
  /** Ids of the promotions that may apply to this basket. */
  readonly able: ReadonlySet<string>;
  /** The ways that are cheapest for the shopper, all at the same price. */
  readonly best: readonly Way[];
  /** What is left to pay of goods and shipping in each of them. */
  readonly cost: bigint;
}

/** The index of the first item without a price, or what it all comes to. */
export const judge = (given: Case): Verdict | number => {
  const lines: OracleLine[] = [];
  for (const [at, { ware, quantity }] of given.items.entries()) {
    const together = given.items.reduce((sum, item) => sum + (item.ware === ware ? item.quantity : 0), 0);
    const unit = unitOf(ware, together, given);
    if (unit === null) return at;
    lines.push({ ware, quantity, unit });
  }
  const subtotal = total(lines.map(({ unit, quantity }) => unit * BigInt(quantity)));
  const able = given.promotions.filter((each) => {
    const { minimum_subtotal, type, currency } = each;
    const part = lines.filter(({ ware }) => takesPart(each, ware));
    if (!isOpen(each, given) || part.length === 0) return false;
    if ((minimum_subtotal !== null || type === 'fixed_amount') && currency !== given.currency) return false;
    if (minimum_subtotal !== null && subtotal < BigInt(minimum_subtotal)) return false;
    const pieces = part.reduce((sum, { quantity }) => sum + quantity, 0);
    return type !== 'buy_x_get_y' || pieces >= each.buy_quantity! + each.get_quantity!;
  });
  // "Either the best non-stackable promotion alone or all stackable ones together, whichever is cheaper for the shopper."
  const groups = [able.filter(({ stackable }) => stackable)];
  for (const each of able) if (!each.stackable) groups.push([each]);
  const ways = groups.map((promotions) => taken(promotions, lines));
  const costOf = ({ left, free }: Way): bigint => total(left) + (free ? 0n : BigInt(given.fee ?? 0));
  const costs = ways.map(costOf);
  const [cost] = costs.toSorted((a, b) => (a < b ? -1 : 1)) as [bigint];
  const best = ways.filter((_, at) => costs[at] === cost);
  return { lines, subtotal, able: new Set(able.map(({ id }) => id)), best, cost };
};

const plain = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** "Every rate matches that fits country, state (or none), postal prefix (or none), category (or none)." */
const fitting = ({ taxRates, place }: Case): TaxRateRecord[] =>
  taxRates.filter(
    ({ country, state, postal_prefix }) =>
      country === place!.country.toUpperCase() &&
      (state === null || (place!.state !== null && plain(state) === plain(place!.state))) &&
      (postal_prefix === null ||
        (place!.postalCode !== null && plain(place!.postalCode).startsWith(plain(postal_prefix)))),
  );

/** "A subcategory's rate replaces its category's of the same name, as a category's replaces the general one." */
export const ratesOfLine = (given: Case, { category, subcategory }: Ware): TaxRateRecord[] => {
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
  /** What each rate comes to, by id; of prices that include tax as a fraction of `scale`, before rounding. */
  readonly byRate: ReadonlyMap<string, bigint>;
  readonly scale: bigint;
}

/** "Equal priorities add, a compound one is taken on top." */
const before = (rate: TaxRateRecord, other: TaxRateRecord): boolean =>
  other.priority < rate.priority || (other.priority === rate.priority && rate.compound && !other.compound);

const inTurn = (rates: readonly TaxRateRecord[]): TaxRateRecord[] =>
  [...rates].sort((a, b) => a.priority - b.priority || Number(a.compound) - Number(b.compound));

export const taxOf = (rates: readonly TaxRateRecord[], amount: bigint, inclusive: boolean): OracleTax => {
  const byRate = new Map<string, bigint>();
  const baseOf = (rate: TaxRateRecord, net: bigint): bigint =>
    rate.compound ? net + total(rates.filter((other) => before(rate, other)).map(({ id }) => byRate.get(id)!)) : net;
  if (!inclusive) {
    for (const rate of inTurn(rates)) byRate.set(rate.id, half(baseOf(rate, amount) * BigInt(rate.rate), MILLION));
    return { taxable: amount, tax: total([...byRate.values()]), byRate, scale: 1n };
  }
  // On a net amount of one, in units so small that every step comes out even.
  const one = MILLION ** BigInt(rates.length + 1);
  for (const rate of inTurn(rates)) byRate.set(rate.id, (baseOf(rate, one) * BigInt(rate.rate)) / MILLION);
  const gross = one + total([...byRate.values()]);
  const taxable = half(amount * one, gross);
  const tax = amount - taxable;
  const taxed = gross - one;
  const parts = [...byRate].map(([id, part]) => [id, taxed === 0n ? 0n : tax * part] as const);
  return { taxable, tax, byRate: new Map(parts), scale: taxed === 0n ? 1n : taxed };
};
