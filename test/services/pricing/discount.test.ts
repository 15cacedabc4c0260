// Tests discounts: cases calculated by hand and properties of random promotions.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ApplicablePromotion,
  bestDiscount,
  eligibleLines,
  obstacleFor,
  type PricedLine,
  type PromotionRule,
} from '#services/pricing/discount.ts';
import { buyGet, freeShipping, off, only, percent, variant } from './price_book.ts';

const linesFrom = (pieces: readonly (readonly [number, number])[]): PricedLine[] =>
  pieces.map(([unit, quantity], at) => ({
    variant: variant({ product: `p${at}`, category: at % 2 === 0 ? 'even' : 'odd' }),
    quantity,
    unit,
    subtotal: unit * quantity,
  }));

const discountOf = (rules: readonly PromotionRule[], lines: readonly PricedLine[], fee: number | null = null) => {
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0);
  const candidates = rules
    .map((rule): ApplicablePromotion => ({ rule, lines: eligibleLines(rule, lines) }))
    .filter((each) => obstacleFor(each.rule, each.lines, lines, subtotal, 'USD') === null);
  return bestDiscount(candidates, lines, fee);
};

const stackable = { stackable: true };
const odd = { targets: only('odd') };

test.each<[string, PromotionRule[], [number, number][], number[]]>([
  ['10 % of 10.00 is 1.00', [percent(10)], [[1_000, 1]], [100]],
  ['10 % of 0.05 is a cent, half up', [percent(10)], [[5, 1]], [1]],
  ['10 % of 0.04 is nothing', [percent(10)], [[4, 1]], [0]],
  ['a line is rounded as a whole: 10 % of 3 × 0.05 is 2 cents', [percent(10)], [[5, 3]], [2]],
  [
    'lines are rounded each by itself',
    [percent(10)],
    [
      [5, 1],
      [5, 1],
    ],
    [1, 1],
  ],
  ['100 % leaves nothing', [percent(100)], [[999, 3]], [2_997]],
  ['a percentage may have decimals: 12.5 % of 9.99', [percent(12.5)], [[999, 1]], [125]],
  ['5.00 off 10.00', [off(500)], [[1_000, 1]], [500]],
  ['5.00 off 3.00 is 3.00', [off(500)], [[300, 1]], [300]],
  [
    'a fixed amount is split by subtotals: 10.00 over 30.00 and 10.00',
    [off(1_000)],
    [
      [3_000, 1],
      [500, 2],
    ],
    [750, 250],
  ],
  [
    'a cent that is left goes to the largest remainder: 1.00 over three equal lines, the first of them',
    [off(100)],
    [
      [1_000, 1],
      [1_000, 1],
      [1_000, 1],
    ],
    [34, 33, 33],
  ],
  [
    'only what takes part pays for it',
    [off(100, odd)],
    [
      [1_000, 1],
      [1_000, 1],
    ],
    [0, 100],
  ],
  [
    'a percentage of what takes part',
    [percent(50, odd)],
    [
      [1_000, 1],
      [1_000, 1],
    ],
    [0, 500],
  ],
  ['buy 2 get 1 free: 3 pieces, one free', [buyGet(2, 1)], [[1_000, 3]], [1_000]],
  ['buy 2 get 1 free: 5 pieces, still one', [buyGet(2, 1)], [[1_000, 5]], [1_000]],
  ['it repeats: 6 pieces, two free', [buyGet(2, 1)], [[1_000, 6]], [2_000]],
  ['2 pieces are too few', [buyGet(2, 1)], [[1_000, 2]], [0]],
  [
    'the cheapest is free, wherever it stands',
    [buyGet(2, 1)],
    [
      [1_000, 2],
      [300, 1],
    ],
    [0, 300],
  ],
  [
    'the two cheapest, over two lines',
    [buyGet(1, 1)],
    [
      [1_000, 2],
      [300, 1],
      [500, 1],
    ],
    [0, 300, 500],
  ],
  [
    'of equal ones those of the earlier line',
    [buyGet(1, 1)],
    [
      [500, 1],
      [500, 1],
    ],
    [500, 0],
  ],
  ['half off what is got', [buyGet(1, 1, 50)], [[999, 2]], [500]],
  [
    'stackable percentages are taken one of what the other left: 10 % and 10 % of 10.00',
    [percent(10, stackable), percent(10, stackable)],
    [[1_000, 1]],
    [190],
  ],
  [
    'percentages first, then fixed amounts: 10.00 less 10 %, less 5.00',
    [off(500, stackable), percent(10, stackable)],
    [[1_000, 1]],
    [600],
  ],
  [
    'what is got free goes first: 10 % of the two that are paid',
    [percent(10, stackable), buyGet(2, 1, 100, stackable)],
    [[1_000, 3]],
    [1_200],
  ],
  [
    'a fixed amount that is too much for one line goes to the other',
    [percent(100, { ...stackable, ...odd }), off(500, stackable)],
    [
      [1_000, 1],
      [1_000, 1],
    ],
    [500, 1_000],
  ],
  ['the better of two that do not stack', [percent(10), off(300)], [[1_000, 1]], [300]],
  [
    'one alone where it saves more than all stackable ones',
    [percent(10, stackable), percent(5, stackable), percent(30)],
    [[1_000, 1]],
    [300],
  ],
  [
    'all stackable ones where they save more than the best other one',
    [percent(10, stackable), off(200, stackable), percent(25)],
    [[1_000, 1]],
    [300],
  ],
  ['10.00 minimum is reached by 10.00', [percent(10, { minimum: 1_000 })], [[500, 2]], [100]],
  ['and not by 9.99', [percent(10, { minimum: 1_000 })], [[999, 1]], [0]],
  [
    'the minimum is the basket’s, not that of what takes part',
    [percent(10, { minimum: 1_000, ...odd })],
    [
      [900, 1],
      [100, 1],
    ],
    [0, 10],
  ],
  ['an amount in another currency takes nothing off', [off(100, { currency: 'EUR' })], [[1_000, 1]], [0]],
  ['a minimum in another currency is never reached', [percent(10, { currency: 'EUR', minimum: 1 })], [[1_000, 1]], [0]],
  ['a percentage knows no currency', [percent(10, { currency: 'EUR' })], [[1_000, 1]], [100]],
])('%s', (_sentence, rules, pieces, expected) =>
  expect(discountOf(rules, linesFrom(pieces)).perLine).toEqual(expected),
);

describe('free shipping', () => {
  const line = linesFrom([[1_000, 1]]);

  test('saves the fee, discounts no line, and reports the saving', () => {
    const { perLine, total, applied, freeShipping: free } = discountOf([freeShipping()], line, 500);
    expect([perLine, total, free]).toEqual([[0], 0, true]);
    expect(applied.map(({ amount }) => amount)).toEqual([500]);
  });

  test('wins over a smaller discount once the fee is known', () => {
    expect(discountOf([freeShipping(), percent(30)], line, 500).total).toBe(0);
    expect(discountOf([freeShipping(), percent(30)], line, 200).total).toBe(300);
    expect(discountOf([freeShipping(), percent(30)], line, null).total).toBe(300);
    expect(discountOf([freeShipping(stackable), percent(30, stackable)], line, 500)).toMatchObject({
      total: 300,
      freeShipping: true,
    });
  });

  test('applies while the fee is unknown and no other promotion does', () => {
    expect(discountOf([freeShipping()], line, null).freeShipping).toBe(true);
  });
});

describe('eligible lines of a promotion', () => {
  const lines = [
    variant({ product: 'p' }),
    variant({ category: 'c' }),
    variant({ subcategory: 's', category: 'x' }),
    variant({ collections: ['a', 'b'] }),
    variant(),
  ].map((each): PricedLine => ({ variant: each, quantity: 1, unit: 1, subtotal: 1 }));

  test.each<[string, string[] | null, number[]]>([
    ['by product', ['p'], [0]],
    ['by category', ['c'], [1]],
    ['by subcategory', ['s'], [2]],
    ['by a subcategory’s category', ['x'], [2]],
    ['by collection', ['b'], [3]],
    ['by any of them', ['p', 'b', 'c'], [0, 1, 3]],
    ['everywhere without any', null, [0, 1, 2, 3, 4]],
    ['nowhere by what is not in the basket', ['z'], []],
  ])('%s', (_where, targets, expected) =>
    expect(eligibleLines(percent(1, { targets: targets && only(...targets) }), lines)).toEqual(expected),
  );
});

describe('random promotions', () => {
  const anyLines = fc.array(fc.tuple(fc.nat(100_000), fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 8 });
  const anyRule = fc.record({
    make: fc.constantFrom(
      (given: Partial<PromotionRule>) => percent(10, given),
      (given: Partial<PromotionRule>) => percent(33.3333, given),
      (given: Partial<PromotionRule>) => percent(100, given),
      (given: Partial<PromotionRule>) => off(777, given),
      (given: Partial<PromotionRule>) => off(1_000_000, given),
      (given: Partial<PromotionRule>) => buyGet(2, 1, 100, given),
      (given: Partial<PromotionRule>) => buyGet(1, 2, 37.5, given),
      (given: Partial<PromotionRule>) => freeShipping(given),
    ),
    stackable: fc.boolean(),
    targets: fc.constantFrom(null, only('odd'), only('even'), only('p0', 'p3')),
    minimum: fc.constantFrom(null, 10_000),
  });
  const anyRules = fc.array(anyRule, { maxLength: 6 }).map((rules) => rules.map(({ make, ...given }) => make(given)));

  test('never discount a line below 0, and line discounts sum to the total', () => {
    fc.assert(
      fc.property(anyLines, anyRules, fc.option(fc.nat(2_000)), (pieces, rules, fee) => {
        const lines = linesFrom(pieces);
        const found = discountOf(rules, lines, fee);
        for (const [at, part] of found.perLine.entries()) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(lines[at]!.subtotal);
          expect(Number.isInteger(part)).toBe(true);
        }
        const sum = found.perLine.reduce((total, part) => total + part, 0);
        const ofLines = found.applied.filter(({ rule }) => rule.type !== 'free_shipping');
        expect(found.total).toBe(sum);
        expect(ofLines.reduce((total, { amount }) => total + amount, 0)).toBe(sum);
      }),
    );
  });

  test('give the same result in any order', () => {
    fc.assert(
      fc.property(anyLines, anyRules, fc.option(fc.nat(2_000)), (pieces, rules, fee) => {
        const lines = linesFrom(pieces);
        const [forth, back] = [discountOf(rules, lines, fee), discountOf(rules.toReversed(), lines, fee)];
        expect(back.total).toBe(forth.total);
        expect(back.perLine).toEqual(forth.perLine);
      }),
    );
  });

  test('an additional promotion never raises the price', () => {
    fc.assert(
      fc.property(anyLines, anyRules, anyRule, fc.nat(2_000), (pieces, rules, { make, ...given }, fee) => {
        const lines = linesFrom(pieces);
        const saved = (all: readonly PromotionRule[]): number => {
          const { total, freeShipping: free } = discountOf(all, lines, fee);
          return total + (free ? fee : 0);
        };
        // A promotion that stands alone is applied or not as a whole; stackable ones may lose a cent per line by
        // rounding.
        const more = saved([...rules, make({ ...given, stackable: false })]);
        expect(more).toBeGreaterThanOrEqual(saved(rules));
      }),
    );
  });
});
