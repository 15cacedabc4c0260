// Tests the pricing engine: baskets calculated by hand, codes, and 100,000 random baskets (STOA_BASKETS) of one seed
// (STOA_SEED) against an oracle.
import { describe, expect, test } from 'vitest';
import { type Basket, type BasketInput, type EnteredCode, priceBasket } from '#services/pricing/basket.ts';
import type { PromotionRule } from '#services/pricing/discount.ts';
import { type Obstacle, UNKNOWN_CODE } from '#services/pricing/obstacle.ts';
import { AmountTooLarge } from '#services/pricing/price.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import { compare } from './agreement.ts';
import { BUYER, buyGet, freeShipping, items, off, only, percent, priceList, taxRule, variant } from './price_book.ts';
import { randomBasket } from './random_basket.ts';

const basketOf = (given: Partial<BasketInput>): Basket => {
  const basket = priceBasket({
    items: items([[1_000, 1]]),
    buyer: BUYER,
    automatic: [],
    codes: [],
    shippingFee: null,
    taxes: null,
    ...given,
  });
  if ('unpriced' in basket) throw new Error(`item ${basket.unpriced} has no price`);
  return basket;
};

const entry = (
  found: PromotionRule | Obstacle,
  code = 'cause' in found ? 'CODE' : (found.code ?? 'CODE'),
): EnteredCode => ({
  code,
  found,
});
const KENYA = { country: 'KE', state: null, postalCode: null };
const vat = new TaxTable([taxRule(16, { shipping: true })], KENYA, false);
const vatWithin = new TaxTable([taxRule(16, { shipping: true })], KENYA, true);

test('prices twelve at a list price of 8.00 with 6.00 off', () => {
  const prices = priceList([10, 800]);
  const found = basketOf({
    items: [{ variant: variant({ price: 1_000, salePrice: 900, lists: [prices] }), quantity: 12 }],
    automatic: [off(600)],
  });
  expect(found.lines[0]).toMatchObject({ unit: 800, subtotal: 9_600, discount: 600, total: 9_000 });
  expect(found.lines[0]!.price).toEqual({ unit: 800, base: 1_000, sale: 900, listId: prices.list.id });
  expect(found).toMatchObject({ subtotal: 9_600, discount: 600, total: 9_000 });
});

test('an empty basket costs 0 and no promotion applies', () => {
  const found = basketOf({ items: [], automatic: [percent(10), freeShipping()] });
  expect(found).toMatchObject({ lines: [], subtotal: 0, discount: 0, total: 0, applied: [] });
});

test('price lists use the summed quantity of a variant’s lines', () => {
  const twelve = variant({ lists: [priceList([12, 800])] });
  const found = basketOf({
    items: [
      { variant: twelve, quantity: 5 },
      { variant: variant(), quantity: 7 },
      { variant: twelve, quantity: 7 },
    ],
  });
  expect(found.lines.map(({ unit }) => unit)).toEqual([800, 1_000, 800]);
});

test('returns the index of an item without a price', () => {
  const order = {
    items: [
      { variant: variant(), quantity: 1 },
      { variant: variant({ price: null }), quantity: 1 },
    ],
  };
  const rest = { buyer: BUYER, automatic: [], codes: [], shippingFee: null, taxes: null };
  expect(priceBasket({ ...order, ...rest })).toEqual({ unpriced: 1 });
});

test('refuses a basket above the largest amount instead of rounding', () => {
  const dear = variant({ price: 9_999_999_999 });
  expect(() => basketOf({ items: [{ variant: dear, quantity: 1_000_000 }] })).toThrow(AmountTooLarge);
  const many = Array.from({ length: 500 }, () => ({ variant: variant({ price: 9_999_999_999 }), quantity: 1_000 }));
  expect(() => basketOf({ items: many })).toThrow(AmountTooLarge);
  const steep = Array.from({ length: 60 }, (_, priority) => taxRule(100, { priority, compound: true }));
  expect(() => basketOf({ taxes: new TaxTable(steep, KENYA, false) })).toThrow(AmountTooLarge);
});

describe('taxes', () => {
  test('applies to amounts after promotions and to shipping: 16 % of 9.00', () => {
    const found = basketOf({ automatic: [percent(10)], taxes: vat, shippingFee: 500 });
    expect(found.lines[0]!.taxed).toMatchObject({ taxable: 900, tax: 144 });
    expect(found.shippingTaxed).toMatchObject({ taxable: 500, tax: 80 });
  });

  test('leaves free shipping untaxed', () => {
    const found = basketOf({ automatic: [freeShipping()], taxes: vat, shippingFee: 500 });
    expect([found.shippingFee, found.shippingTaxed!.tax, found.applied[0]!.amount]).toEqual([0, 0, 500]);
  });

  test('leaves totals unchanged when prices include tax', () => {
    const found = basketOf({ taxes: vatWithin, items: items([[1_160, 1]]), shippingFee: 580 });
    expect(found.total).toBe(1_160);
    expect(found.lines[0]!.taxed).toMatchObject({ taxable: 1_000, tax: 160 });
    expect(found.shippingTaxed).toMatchObject({ taxable: 500, tax: 80 });
  });
});

describe('a code', () => {
  const save = percent(10, { code: 'SAVE' });

  test('applies its promotion', () => {
    const found = basketOf({ codes: [entry(save)] });
    expect([found.total, found.applied, found.rejected]).toEqual([900, [{ rule: save, amount: 100 }], []]);
  });

  test.each<[string, Partial<BasketInput>, Obstacle['cause'], string]>([
    ['that is unknown', { codes: [entry(UNKNOWN_CODE)] }, 'unknown', 'No promotion has'],
    [
      'whose minimum is not reached',
      { codes: [entry({ ...save, minimum: 1_001 })] },
      'minimum_not_met',
      'below the minimum amount',
    ],
    [
      'without an eligible item',
      { codes: [entry({ ...save, targets: only('z') })] },
      'not_applicable',
      'No item in the basket',
    ],
    ['for another currency', { codes: [entry(off(1, { currency: 'EUR' }))] }, 'not_applicable', 'in EUR'],
    ['that needs more units', { codes: [entry(buyGet(2, 1))] }, 'minimum_not_met', 'at least 3 eligible units'],
    [
      'that another promotion outdoes',
      { codes: [entry(save)], automatic: [percent(20)] },
      'not_combinable',
      'save more',
    ],
    ['on what costs nothing', { codes: [entry(save)], items: items([[0, 1]]) }, 'not_applicable', 'already costs 0'],
  ])('rejects one %s, and says why', (_what, given, cause, reason) => {
    const { rejected } = basketOf(given);
    expect(rejected).toEqual([{ code: given.codes![0]!.code, cause, reason: expect.stringContaining(reason) }]);
  });

  test('combines with stackable promotions, listed in order of application', () => {
    const entries = [
      entry(off(100, { code: 'A', stackable: true })),
      entry(percent(10, { code: 'B', stackable: true })),
    ];
    const { applied, rejected, total } = basketOf({ codes: entries });
    expect([applied.map(({ rule }) => rule.code), rejected, total]).toEqual([['B', 'A'], [], 800]);
  });
});

// ── The oracle ───────────────────────────────────────────────────────────────────────────────────────────────────────

const seed = Number(process.env.STOA_SEED ?? 20_261_121);
const count = Number(process.env.STOA_BASKETS ?? 3_000);

describe(`random baskets of seed ${seed}`, () => {
  test(`cost what the oracle calculates, in every response: ${count} baskets`, () => {
    for (let at = 0; at < count; at++) {
      try {
        compare(randomBasket(seed, at));
      } catch (problem) {
        throw new Error(`basket ${at} of seed ${seed}: ${(problem as Error).message}`, { cause: problem });
      }
    }
  }, 3_600_000);
});
