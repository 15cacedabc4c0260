// The engine as a whole: baskets in cents counted by hand, codes and what becomes of them, and 100,000 random baskets
// against an oracle that is written as plainly as the contract.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmountTooLarge } from '#services/pricing/amount.ts';
import { type Basket, type Entry, type Item, type Order, priceBasket } from '#services/pricing/basket.ts';
import type { Rule } from '#services/pricing/discount.ts';
import type { Ware } from '#services/pricing/price.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import { BUYER, buyGet, freeShipping, items, off, percent, priceList, taxRule, ware } from './price_book.ts';

const basketOf = (given: Partial<Order>): Basket => {
  const basket = priceBasket({
    items: items([[1_000, 1]]),
    buyer: BUYER,
    automatic: [],
    entries: [],
    shippingFee: null,
    taxes: null,
    ...given,
  });
  if ('unpriced' in basket) throw new Error(`item ${basket.unpriced} has no price`);
  return basket;
};

const entry = (found: Rule | string, code = typeof found === 'string' ? found : (found.code ?? 'CODE')): Entry => ({
  code,
  found,
});
const KENYA = { country: 'KE', state: null, postalCode: null };
const vat = new TaxTable([taxRule(16, { shipping: true })], KENYA, false);
const vatWithin = new TaxTable([taxRule(16, { shipping: true })], KENYA, true);

test('the contract’s example: twelve at a list price of 8.00, 6.00 off', () => {
  const list = priceList([[10, 800]]);
  const found = basketOf({
    items: [{ ware: ware({ price: 1_000, salePrice: 900, lists: [list] }), quantity: 12 }],
    automatic: [off(600)],
  });
  expect(found.lines[0]).toMatchObject({ unit: 800, subtotal: 9_600, discount: 600, total: 9_000 });
  expect(found.lines[0]!.price).toEqual({ unit: 800, base: 1_000, sale: 900, list: list.id });
  expect(found).toMatchObject({ subtotal: 9_600, discount: 600, total: 9_000 });
});

test('an empty basket costs nothing, and no promotion applies to it', () => {
  const found = basketOf({ items: [], automatic: [percent(10), freeShipping()] });
  expect(found).toMatchObject({ lines: [], subtotal: 0, discount: 0, total: 0, applied: [] });
});

test('lines of one variant are one quantity for price lists', () => {
  const twelve = ware({ lists: [priceList([[12, 800]])] });
  const found = basketOf({
    items: [
      { ware: twelve, quantity: 5 },
      { ware: ware(), quantity: 7 },
      { ware: twelve, quantity: 7 },
    ],
  });
  expect(found.lines.map(({ unit }) => unit)).toEqual([800, 1_000, 800]);
});

test('an item without a price is named', () => {
  const order = {
    items: [
      { ware: ware(), quantity: 1 },
      { ware: ware({ price: null }), quantity: 1 },
    ],
  };
  const rest = { buyer: BUYER, automatic: [], entries: [], shippingFee: null, taxes: null };
  expect(priceBasket({ ...order, ...rest })).toEqual({ unpriced: 1 });
});

test('what is beyond all amounts is refused, never rounded', () => {
  const dear = ware({ price: 9_999_999_999 });
  expect(() => basketOf({ items: [{ ware: dear, quantity: 1_000_000 }] })).toThrow(AmountTooLarge);
  const many = Array.from({ length: 500 }, () => ({ ware: ware({ price: 9_999_999_999 }), quantity: 1_000 }));
  expect(() => basketOf({ items: many })).toThrow(AmountTooLarge);
  const steep = Array.from({ length: 60 }, (_, priority) => taxRule(100, { priority, compound: true }));
  expect(() => basketOf({ taxes: new TaxTable(steep, KENYA, false) })).toThrow(AmountTooLarge);
});

describe('taxes', () => {
  test('are of what is left after promotions: 16 % of 9.00, and of shipping', () => {
    const found = basketOf({ automatic: [percent(10)], taxes: vat, shippingFee: 500 });
    expect(found.lines[0]!.taxed).toMatchObject({ taxable: 900, tax: 144 });
    expect(found.shippingTaxed).toMatchObject({ taxable: 500, tax: 80 });
  });

  test('of free shipping are nothing', () => {
    const found = basketOf({ automatic: [freeShipping()], taxes: vat, shippingFee: 500 });
    expect([found.shippingFee, found.shippingTaxed!.tax, found.applied[0]!.amount]).toEqual([0, 0, 500]);
  });

  test('that prices include do not make totals grow', () => {
    const found = basketOf({ taxes: vatWithin, items: items([[1_160, 1]]), shippingFee: 580 });
    expect(found.total).toBe(1_160);
    expect(found.lines[0]!.taxed).toMatchObject({ taxable: 1_000, tax: 160 });
    expect(found.shippingTaxed).toMatchObject({ taxable: 500, tax: 80 });
  });
});

describe('a code', () => {
  const save = percent(10, { code: 'SAVE' });

  test('applies its promotion', () => {
    const found = basketOf({ entries: [entry(save)] });
    expect([found.total, found.applied, found.rejected]).toEqual([900, [{ rule: save, amount: 100 }], []]);
  });

  test.each<[string, Partial<Order>, string]>([
    ['nobody knows', { entries: [entry('There is none.', 'X')] }, 'There is none.'],
    ['whose minimum is not reached', { entries: [entry({ ...save, minimum: 1_001 })] }, 'below the least amount'],
    ['that takes part nowhere', { entries: [entry({ ...save, targets: new Set(['z']) })] }, 'Nothing in the basket'],
    ['for another currency', { entries: [entry(off(1, { currency: 'EUR' }))] }, 'in EUR'],
    ['that needs more pieces', { entries: [entry(buyGet(2, 1))] }, 'needs 3 pieces'],
    ['that another promotion outdoes', { entries: [entry(save)], automatic: [percent(20)] }, 'save more'],
    ['on what costs nothing', { entries: [entry(save)], items: items([[0, 1]]) }, 'nothing left'],
  ])('%s is rejected, and says why', (_what, given, reason) => {
    const { rejected } = basketOf(given);
    expect(rejected).toEqual([{ code: given.entries![0]!.code, reason: expect.stringContaining(reason) }]);
  });

  test('goes with others that stack, and they stand in the order in which they are taken', () => {
    const entries = [
      entry(off(100, { code: 'A', stackable: true })),
      entry(percent(10, { code: 'B', stackable: true })),
    ];
    const { applied, rejected, total } = basketOf({ entries });
    expect([applied.map(({ rule }) => rule.code), rejected, total]).toEqual([['B', 'A'], [], 800]);
  });
});

// ── The oracle: big integers, no sharing, every choice tried ─────────────────────────────────────────────────────────

const half = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

const oraclePrice = ({ price, salePrice, lists }: Ware, quantity: number): bigint => {
  const all = [price, salePrice].filter((each) => each !== null);
  for (const { currency, group, startsAt, endsAt, breaks } of lists) {
    const mine = currency === 'USD' && group === null && startsAt <= BUYER.now && BUYER.now < endsAt;
    const reached = breaks.filter(({ from }) => from <= quantity).sort((a, b) => b.from - a.from);
    if (mine && reached.length > 0) all.push(reached[0]!.price);
  }
  return BigInt(Math.min(...all));
};

const oracleTake = (rules: readonly Rule[], lines: { unit: bigint; quantity: number; ware: Ware }[]): bigint[] => {
  const left = lines.map(({ unit, quantity }) => unit * BigInt(quantity));
  const subtotals = [...left];
  const takesPart = (rule: Rule, { ware }: { ware: Ware }) =>
    !rule.targets || [ware.product, ware.category, ...ware.collections].some((id) => id && rule.targets!.has(id));
  const turn = ['buy_x_get_y', 'percentage', 'fixed_amount', 'free_shipping'];
  const sorted = [...rules].sort((a, b) => turn.indexOf(a.type) - turn.indexOf(b.type) || (a.id < b.id ? -1 : 1));
  for (const rule of sorted) {
    const part = lines.flatMap((line, at) => (takesPart(rule, line) ? [at] : []));
    if (rule.type === 'percentage')
      for (const at of part) left[at]! -= half(left[at]! * BigInt(rule.value), 1_000_000n);
    if (rule.type === 'buy_x_get_y') {
      // Every piece by itself, the cheapest first.
      const pieces = part.flatMap((at) => Array.from({ length: lines[at]!.quantity }, () => at));
      pieces.sort((a, b) => Number(lines[a]!.unit - lines[b]!.unit) || a - b);
      const got = pieces.slice(0, Math.floor(pieces.length / (rule.buy + rule.get)) * rule.get);
      for (const at of part) {
        const worth = lines[at]!.unit * BigInt(got.filter((each) => each === at).length);
        const taken = half(worth * BigInt(rule.getShare), 1_000_000n);
        left[at] = left[at]! > taken ? left[at]! - taken : 0n;
      }
    }
    if (rule.type === 'fixed_amount') {
      let open = part.filter((at) => left[at]! > 0n);
      let due = open.reduce((sum, at) => sum + left[at]!, 0n);
      if (BigInt(rule.value) < due) due = BigInt(rule.value);
      while (due > 0n) {
        const whole = open.reduce((sum, at) => sum + subtotals[at]!, 0n);
        const shares = open.map((at) => ({
          at,
          part: (due * subtotals[at]!) / whole,
          rest: (due * subtotals[at]!) % whole,
        }));
        let over = due - shares.reduce((sum, share) => sum + share.part, 0n);
        for (const share of [...shares].sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1))) {
          if (over-- > 0n) share.part += 1n;
        }
        const full = shares.filter((share) => share.part >= left[share.at]!);
        for (const share of full.length > 0 ? full : shares) {
          const taken = share.part < left[share.at]! ? share.part : left[share.at]!;
          left[share.at]! -= taken;
          due -= taken;
        }
        open = open.filter((at) => left[at]! > 0n);
      }
    }
  }
  return left;
};

const oracle = (basket: readonly Item[], rules: readonly Rule[]): bigint => {
  const lines = basket.map(({ ware, quantity }) => ({ ware, quantity, unit: oraclePrice(ware, quantity) }));
  const subtotal = lines.reduce((sum, { unit, quantity }) => sum + unit * BigInt(quantity), 0n);
  const live = rules.filter(({ minimum, currency, type }) => {
    if ((type === 'fixed_amount' || minimum !== null) && currency !== 'USD') return false;
    return minimum === null || subtotal >= BigInt(minimum);
  });
  const ways = [
    live.filter(({ stackable }) => stackable),
    ...live.filter((rule) => !rule.stackable).map((rule) => [rule]),
  ];
  const totals = ways.map((way) => oracleTake(way, lines).reduce((sum, part) => sum + part, 0n));
  return totals.reduce((least, total) => (total < least ? total : least));
};

const anyWare = fc
  .record({
    price: fc.integer({ min: 1, max: 50_000 }),
    salePrice: fc.option(fc.nat(50_000), { freq: 2 }),
    product: fc.constantFrom('p1', 'p2', 'p3'),
    category: fc.constantFrom(null, 'c1', 'c2'),
    collections: fc.subarray(['l1', 'l2']),
    lists: fc.array(
      fc
        .record({
          breaks: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(50_000)), {
            maxLength: 3,
            selector: ([from]) => from,
          }),
          currency: fc.constantFrom('USD', 'USD', 'EUR'),
          group: fc.constantFrom(null, null, 'trade'),
          startsAt: fc.constantFrom(Number.NEGATIVE_INFINITY, 1_000, 1_001),
          endsAt: fc.constantFrom(Number.POSITIVE_INFINITY, 1_000, 1_001),
        })
        .map(({ breaks, ...given }) =>
          priceList(
            [...breaks].sort((a, b) => a[0] - b[0]),
            given,
          ),
        ),
      { maxLength: 2 },
    ),
  })
  .map((given) => ware(given));

const anyRule = fc
  .record({
    make: fc.constantFrom(
      (given: Partial<Rule>) => percent(7.5, given),
      (given: Partial<Rule>) => percent(50, given),
      (given: Partial<Rule>) => off(1_234, given),
      (given: Partial<Rule>) => off(50_000, given),
      (given: Partial<Rule>) => buyGet(2, 1, 100, given),
      (given: Partial<Rule>) => buyGet(1, 1, 25, given),
    ),
    stackable: fc.boolean(),
    targets: fc.constantFrom(null, null, new Set(['p1']), new Set(['c1', 'l2']), new Set(['z'])),
    minimum: fc.constantFrom(null, null, 20_000),
    currency: fc.constantFrom('USD', 'USD', 'EUR'),
  })
  .map(({ make, ...given }) => make(given));

test('random baskets cost what the oracle says, and every total is the sum of its parts', () => {
  const numRuns = Number(process.env.STOA_BASKETS ?? 3_000);
  fc.assert(
    fc.property(
      fc.array(fc.record({ ware: anyWare, quantity: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 6 }),
      fc.array(anyRule, { maxLength: 5 }),
      (basket, rules) => {
        const found = basketOf({ items: basket, automatic: rules, taxes: vat });
        expect(BigInt(found.total)).toBe(oracle(basket, rules));
        const sum = (part: 'subtotal' | 'discount' | 'total') => found.lines.reduce((all, line) => all + line[part], 0);
        expect([sum('subtotal'), sum('discount'), sum('total')]).toEqual([found.subtotal, found.discount, found.total]);
        for (const { subtotal, discount, total } of found.lines) {
          expect(total).toBe(subtotal - discount);
          expect(total).toBeGreaterThanOrEqual(0);
        }
        expect(found.applied.reduce((all, { amount }) => all + amount, 0)).toBe(found.discount);
      },
    ),
    { numRuns },
  );
});
