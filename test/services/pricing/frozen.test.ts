// Tests taxes of lines with frozen prices.
import { expect, test } from 'vitest';
import { taxFrozenLines } from '#services/pricing/frozen.ts';
import { TaxTable } from '#services/pricing/tax.ts';
import { currencyOf } from '#values/currency.ts';
import { taxRule, variant } from './price_book.ts';

const KENYA = { country: 'KE', state: null, postalCode: null };
const table = (inclusive: boolean): TaxTable =>
  new TaxTable(
    [taxRule(16, { name: 'VAT', shipping: true }), taxRule(0, { name: 'VAT', category: 'books' })],
    KENYA,
    inclusive,
  );
const variants = new Map(
  [variant({ id: 'book', category: 'books' }), variant({ id: 'shoe', category: 'shoes' })].map((each) => [
    each.id,
    each,
  ]),
);
type Line = { variant_id: string; total: number };
const variantsOf = (lines: readonly Line[]) => lines.map(({ variant_id }) => variants.get(variant_id));
const taxed = (inclusive: boolean, lines: Line[], shipping_fee = 0) =>
  taxFrozenLines({ lines, shipping_fee }, variantsOf(lines), table(inclusive), currencyOf('USD'), inclusive);

test('taxes lines by category, deleted variants as without one, and shipping', () => {
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

test('leaves totals unchanged when prices include tax', () => {
  expect(taxed(true, [{ variant_id: 'shoe', total: 11.6 }], 5.8)).toMatchObject({
    lines: [{ tax_amount: 1.6, total: 11.6 }],
    shipping_tax: 0.8,
    tax_total: 2.4,
    total: 17.4,
  });
});

test('accepts a line total above the largest amount of a request', () => {
  const { lines, total } = taxed(false, [{ variant_id: 'shoe', total: 999_999_999.9 }]);
  expect([lines[0]!.tax_amount, total]).toEqual([159_999_999.98, 1_159_999_999.88]);
});

test('taxes nothing while the destination is unknown', () => {
  const lines = [{ variant_id: 'shoe', total: 10 }];
  const answer = taxFrozenLines({ lines, shipping_fee: 1 }, variantsOf(lines), null, currencyOf('USD'), false);
  expect(answer).toMatchObject({ shipping_tax: 0, tax_total: 0, total: 11 });
});
