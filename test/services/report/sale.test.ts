// Shares of an order in the sums: its lines add up to it for all amounts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addSums,
  isNothing,
  NO_SALES,
  type ReportDimension,
  type SaleShare,
  type SoldOrder,
  salesOf,
  stepsOf,
} from '#services/report/sale.ts';

const PLACED = Date.parse('2026-06-01T12:07:30Z');
const QUARTER = Date.parse('2026-06-01T12:00:00Z');

const order = (given: Partial<SoldOrder> = {}): SoldOrder => ({
  placedAt: PLACED,
  paidAt: null,
  isCancelled: false,
  hadCheckout: false,
  channel: 'storefront',
  country: 'KE',
  gross: 3_000,
  discounts: 300,
  tax: 432,
  shipping: 500,
  total: 3_632,
  lines: [
    { id: 'a', product: 'mug', quantity: 2, gross: 2_000, discount: 200, tax: 288, total: 2_088 },
    { id: 'b', product: 'pot', quantity: 1, gross: 1_000, discount: 100, tax: 144, total: 1_044 },
  ],
  refunds: [],
  ...given,
});

const sumOf = (shares: readonly SaleShare[], dimension: ReportDimension) =>
  shares.filter((share) => share.dimension === dimension).reduce((all, { sums }) => addSums(all, sums), NO_SALES);

test('an order counts in the quarter-hour of its placement, in every dimension', () => {
  const shares = salesOf(order(), (product) => (product === 'mug' ? 'cups' : ''));
  expect(shares.map(({ dimension, value, quarter }) => [dimension, value, quarter])).toEqual([
    ['all', '', QUARTER],
    ['channel', 'storefront', QUARTER],
    ['country', 'KE', QUARTER],
    ['product', 'mug', QUARTER],
    ['product', 'pot', QUARTER],
    ['category', 'cups', QUARTER],
    ['category', '', QUARTER],
  ]);
  const [whole] = shares;
  expect(whole!.sums).toEqual({
    ...NO_SALES,
    orders: 1,
    units: 3,
    gross: 3_000,
    discounts: 300,
    refunds: 0,
    tax: 432,
    shipping: 500,
    total: 3_632,
  });
  const mug = shares.find(({ value }) => value === 'mug')!;
  expect(mug.sums).toMatchObject({ orders: 1, units: 2, gross: 2_000, tax: 288, shipping: 333, total: 2_421 });
});

test('two lines of one category are one order there', () => {
  const shares = salesOf(order(), () => 'cups');
  expect(sumOf(shares, 'category')).toMatchObject({ orders: 1, units: 3 });
  expect(sumOf(shares, 'product')).toMatchObject({ orders: 2, units: 3 });
});

test('a cancelled order adds nothing but its steps', () => {
  expect(salesOf(order({ isCancelled: true }), () => '')).toEqual([]);
  expect(stepsOf(order({ isCancelled: true, paidAt: PLACED })).map(({ step }) => step)).toEqual([
    'order',
    'checkout',
    'paid',
  ]);
  expect(stepsOf(order({ hadCheckout: true })).map(({ step }) => step)).toEqual(['order']);
});

test('a refund counts when it was made, for the units that it names', () => {
  const at = PLACED + 86_400_000;
  const refunds = [{ at, amount: 1_044, units: [{ line: 'b', quantity: 1 }] }];
  const later = salesOf(order({ refunds }), () => '').filter(({ quarter }) => quarter !== QUARTER);
  expect(later.map(({ dimension, value, sums }) => [dimension, value, sums.refunds])).toEqual([
    ['all', '', 1_044],
    ['channel', 'storefront', 1_044],
    ['country', 'KE', 1_044],
    ['product', 'pot', 1_044],
    ['category', '', 1_044],
  ]);
  const failed = [...refunds, { at, amount: -1_044, units: [{ line: 'b', quantity: 1 }] }];
  expect(salesOf(order({ refunds: failed }), () => '').filter(({ quarter }) => quarter !== QUARTER)).toEqual([]);
});

const line = fc.record({
  product: fc.constantFrom('mug', 'pot', 'pan'),
  quantity: fc.integer({ min: 1, max: 9 }),
  gross: fc.nat(100_000),
  discount: fc.nat(100),
  tax: fc.nat(20_000),
});

test('lines add up to the order, to the smallest unit', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.nat(5_000),
      fc.nat(900),
      fc.boolean(),
      fc.array(fc.record({ amount: fc.integer({ min: -9_999, max: 9_999 }), line: fc.nat(5) }), { maxLength: 4 }),
      (drafts, shipping, shippingTax, isInclusive, refunds) => {
        const lines = drafts.map(({ discount, ...draft }, at) => {
          const taken = Math.min(discount, draft.gross);
          const total = draft.gross - taken + (isInclusive ? 0 : draft.tax);
          return { ...draft, id: String(at), discount: taken, total };
        });
        const add = (amount: (each: (typeof lines)[number]) => number) =>
          lines.reduce((sum, each) => sum + amount(each), 0);
        const sold = order({
          lines,
          shipping,
          gross: add(({ gross }) => gross),
          discounts: add(({ discount }) => discount),
          tax: add(({ tax }) => tax) + shippingTax,
          total: add(({ total }) => total) + shipping + (isInclusive ? 0 : shippingTax),
          refunds: refunds.map(({ amount, line: at }) => ({
            at: PLACED,
            amount,
            units: at < 3 ? [{ line: String(at), quantity: 1 }] : [],
          })),
        });
        const shares = salesOf(sold, (product) => product);
        const { orders: _all, ...whole } = sumOf(shares, 'all');
        for (const dimension of ['channel', 'country', 'product', 'category'] as const) {
          const { orders: _orders, ...parts } = sumOf(shares, dimension);
          expect(parts).toEqual(whole);
        }
        for (const { sums } of shares.filter(({ dimension }) => dimension === 'product'))
          expect(sums.total - sums.gross + sums.discounts - sums.shipping).toBe(isInclusive ? 0 : sums.tax);
        expect(shares.every(({ sums }) => !isNothing(sums))).toBe(true);
      },
    ),
    { seed: Number(process.env.STOA_SEED ?? 20_261_128), numRuns: 500 },
  );
});
