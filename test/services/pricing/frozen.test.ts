// Taxes of lines whose prices are frozen.
import { expect, test } from 'vitest';
import { taxFrozen } from '#services/pricing/frozen.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import { currencyOf } from '#values/currency.ts';
import { taxRule, ware } from './price_book.ts';

const KENYA = { country: 'KE', state: null, postalCode: null };
const table = (inclusive: boolean): TaxTable =>
  new TaxTable(
    [taxRule(16, { name: 'VAT', shipping: true }), taxRule(0, { name: 'VAT', category: 'books' })],
    KENYA,
    inclusive,
  );
const wares = new Map(
  [ware({ id: 'book', category: 'books' }), ware({ id: 'shoe', category: 'shoes' })].map((each) => [each.id, each]),
);
type Line = { variant_id: string; total: number };
const waresOf = (lines: readonly Line[]) => lines.map(({ variant_id }) => wares.get(variant_id));
const taxed = (inclusive: boolean, lines: Line[], shipping_fee = 0) =>
  taxFrozen({ lines, shipping_fee }, waresOf(lines), table(inclusive), currencyOf('USD'), inclusive);

test('lines are taxed by their categories, what is gone as what has none, and shipping too', () => {
  const lines = ['book', 'shoe', 'gone'].map((variant_id) => ({ variant_id, total: 10 }));
  expect(taxed(false, lines, 5)).toEqual({
    tax_inclusive: false,
    lines: [
      { variant_id: 'book', tax_amount: 0, total: 10, rates: [{ name: 'VAT', rate: 0, amount: 0 }] },
      { variant_id: 'shoe', tax_amount: 1.6, total: 11.6, rates: [{ name: 'VAT', rate: 0.16, amount: 1.6 }] },
      { variant_id: 'gone', tax_amount: 1.6, total: 11.6, rates: [{ name: 'VAT', rate: 0.16, amount: 1.6 }] },
    ],
    shipping_tax: 0.8,
    tax_total: 4,
    total: 39,
  });
});

test('where prices include tax totals do not grow', () => {
  expect(taxed(true, [{ variant_id: 'shoe', total: 11.6 }], 5.8)).toMatchObject({
    lines: [{ tax_amount: 1.6, total: 11.6 }],
    shipping_tax: 0.8,
    tax_total: 2.4,
    total: 17.4,
  });
});

test('a line may be worth more than a caller may name', () => {
  const { lines, total } = taxed(false, [{ variant_id: 'shoe', total: 999_999_999.9 }]);
  expect([lines[0]!.tax_amount, total]).toEqual([159_999_999.98, 1_159_999_999.88]);
});

test('where it is unknown where it goes nothing is taxed yet', () => {
  const lines = [{ variant_id: 'shoe', total: 10 }];
  const answer = taxFrozen({ lines, shipping_fee: 1 }, waresOf(lines), null, currencyOf('USD'), false);
  expect(answer).toMatchObject({ shipping_tax: 0, tax_total: 0, total: 11 });
});
