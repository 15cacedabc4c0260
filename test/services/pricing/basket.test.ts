// The engine as a whole: baskets in cents counted by hand, codes and what becomes of them, and 100,000 random baskets
// (STOA_BASKETS) of one seed (STOA_SEED) against an oracle that is written as plainly as the contract.
import { describe, expect, test } from 'vitest';
import { AmountTooLarge } from '#services/pricing/amount.ts';
import { type Basket, type Entry, type PricedOrder, priceBasket } from '#services/pricing/basket.ts';
import type { Rule } from '#services/pricing/discount.ts';
import { type Obstacle, UNKNOWN_CODE } from '#services/pricing/obstacle.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import { compare } from './agreement.ts';
import { BUYER, buyGet, freeShipping, items, off, only, percent, priceList, taxRule, ware } from './price_book.ts';
import { randomBasket } from './random_basket.ts';

const basketOf = (given: Partial<PricedOrder>): Basket => {
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

const entry = (found: Rule | Obstacle, code = 'cause' in found ? 'CODE' : (found.code ?? 'CODE')): Entry => ({
  code,
  found,
});
const KENYA = { country: 'KE', state: null, postalCode: null };
const vat = new TaxTable([taxRule(16, { shipping: true })], KENYA, false);
const vatWithin = new TaxTable([taxRule(16, { shipping: true })], KENYA, true);

test('the contract’s example: twelve at a list price of 8.00, 6.00 off', () => {
  const prices = priceList([10, 800]);
  const found = basketOf({
    items: [{ ware: ware({ price: 1_000, salePrice: 900, lists: [prices] }), quantity: 12 }],
    automatic: [off(600)],
  });
  expect(found.lines[0]).toMatchObject({ unit: 800, subtotal: 9_600, discount: 600, total: 9_000 });
  expect(found.lines[0]!.price).toEqual({ unit: 800, base: 1_000, sale: 900, list: prices.list.id });
  expect(found).toMatchObject({ subtotal: 9_600, discount: 600, total: 9_000 });
});

test('an empty basket costs nothing, and no promotion applies to it', () => {
  const found = basketOf({ items: [], automatic: [percent(10), freeShipping()] });
  expect(found).toMatchObject({ lines: [], subtotal: 0, discount: 0, total: 0, applied: [] });
});

test('lines of one variant are one quantity for price lists', () => {
  const twelve = ware({ lists: [priceList([12, 800])] });
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

  test.each<[string, Partial<PricedOrder>, Obstacle['cause'], string]>([
    ['that is unknown', { entries: [entry(UNKNOWN_CODE)] }, 'unknown', 'There is no promotion'],
    [
      'whose minimum is not reached',
      { entries: [entry({ ...save, minimum: 1_001 })] },
      'minimum_not_met',
      'below the least amount',
    ],
    [
      'that takes part nowhere',
      { entries: [entry({ ...save, targets: only('z') })] },
      'not_applicable',
      'Nothing in the basket',
    ],
    ['for another currency', { entries: [entry(off(1, { currency: 'EUR' }))] }, 'not_applicable', 'in EUR'],
    ['that needs more pieces', { entries: [entry(buyGet(2, 1))] }, 'minimum_not_met', 'needs 3 pieces'],
    [
      'that another promotion outdoes',
      { entries: [entry(save)], automatic: [percent(20)] },
      'not_combinable',
      'save more',
    ],
    ['on what costs nothing', { entries: [entry(save)], items: items([[0, 1]]) }, 'not_applicable', 'nothing left'],
  ])('rejects one %s, and says why', (_what, given, cause, reason) => {
    const { rejected } = basketOf(given);
    expect(rejected).toEqual([{ code: given.entries![0]!.code, cause, reason: expect.stringContaining(reason) }]);
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

// ── The oracle ───────────────────────────────────────────────────────────────────────────────────────────────────────

const seed = Number(process.env.STOA_SEED ?? 20_261_121);
const count = Number(process.env.STOA_BASKETS ?? 3_000);

describe(`random baskets of seed ${seed}`, () => {
  test(`cost what the oracle says, in every answer: ${count} of them`, () => {
    for (let at = 0; at < count; at++) {
      try {
        compare(randomBasket(seed, at));
      } catch (problem) {
        throw new Error(`basket ${at} of seed ${seed}: ${(problem as Error).message}`, { cause: problem });
      }
    }
  }, 3_600_000);
});
