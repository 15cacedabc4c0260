// Tests taxes: cases calculated by hand and properties of random rates.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  normalAddress,
  type TaxAddress,
  type TaxRule,
  TaxTable,
  taxOnTop,
  taxPlan,
  taxWithin,
} from '#services/pricing/tax.ts';
import { taxRule } from './price_book.ts';

const KENYA: TaxAddress = { country: 'KE', state: null, postalCode: null };

const taxes = (rules: readonly TaxRule[], amount: number, inclusive = false) => {
  const { taxable, tax, rates } = new TaxTable(rules, KENYA, inclusive).line(amount, null, null);
  return [taxable, tax, rates.map((each) => each.amount)];
};

test.each<[string, TaxRule[], number, unknown[]]>([
  ['16 % on 20.00 are 3.20', [taxRule(16)], 2_000, [2_000, 320, [320]]],
  ['no rate is no tax', [], 2_000, [2_000, 0, []]],
  ['a zero rate is shown', [taxRule(0)], 2_000, [2_000, 0, [0]]],
  ['half a cent is rounded up: 16 % of 0.28', [taxRule(16)], 28, [28, 4, [4]]],
  ['12.5 % of 0.04 is half a cent, up', [taxRule(12.5)], 4, [4, 1, [1]]],
  ['equal priorities add: 5 % and 7 % of 100.00', [taxRule(5), taxRule(7)], 10_000, [10_000, 1_200, [500, 700]]],
  [
    'of other priorities too, where they are not compound',
    [taxRule(7, { priority: 2 }), taxRule(5, { priority: 1 })],
    10_000,
    [10_000, 1_200, [500, 700]],
  ],
  [
    'a compound one is taken on top: 5 %, then 10 % of 105.00',
    [taxRule(10, { priority: 1, compound: true }), taxRule(5)],
    10_000,
    [10_000, 1_550, [500, 1_050]],
  ],
  ['of equal priority too', [taxRule(10, { compound: true }), taxRule(5)], 10_000, [10_000, 1_550, [500, 1_050]]],
  [
    'two compound ones of one priority add, of two priorities one is on top of the other',
    [
      taxRule(10, { name: 'a', priority: 1, compound: true }),
      taxRule(10, { name: 'b', priority: 1, compound: true }),
      taxRule(10, { name: 'c', priority: 2, compound: true }),
    ],
    10_000,
    [10_000, 3_200, [1_000, 1_000, 1_200]],
  ],
  [
    'one that is not compound is of the amount alone, whatever comes before it',
    [taxRule(10, { compound: true }), taxRule(5, { priority: 1 })],
    10_000,
    [10_000, 1_500, [1_000, 500]],
  ],
])('%s', (_sentence, rules, amount, expected) => expect(taxes(rules, amount)).toEqual(expected));

test.each<[string, TaxRule[], number, unknown[]]>([
  ['11.60 with 16 % in it are 10.00 and 1.60', [taxRule(16)], 1_160, [1_000, 160, [160]]],
  ['what is left of 10.00 is 8.62', [taxRule(16)], 1_000, [862, 138, [138]]],
  ['without a rate all of it is', [], 1_000, [1_000, 0, []]],
  [
    'two rates share the tax by what they are: 5 % and 15 % in 120.00',
    [taxRule(5), taxRule(15)],
    12_000,
    [10_000, 2_000, [500, 1_500]],
  ],
  [
    'a compound one has its larger share: 5 %, 10 % on top, in 115.50',
    [taxRule(5), taxRule(10, { priority: 1, compound: true })],
    11_550,
    [10_000, 1_550, [500, 1_050]],
  ],
  ['a cent with 16 % in it is a cent', [taxRule(16)], 1, [1, 0, [0]]],
])('inclusive: %s', (_sentence, rules, amount, expected) => expect(taxes(rules, amount, true)).toEqual(expected));

describe('which rates match', () => {
  const rates = [
    taxRule(16, { name: 'KE' }),
    taxRule(20, { name: 'GB', country: 'GB' }),
    taxRule(1, { name: 'NAIROBI', state: 'NAIROBI' }),
    taxRule(2, { name: '001', postalPrefix: '001' }),
    taxRule(3, { name: 'NAIROBI 002', state: 'NAIROBI', postalPrefix: '002' }),
  ];
  const names = (place: Partial<TaxAddress>): string[] =>
    new TaxTable(rates, { ...KENYA, ...place }, false).line(1, null, null).rates.map(({ rule }) => rule.name);

  test.each<[string, Partial<TaxAddress>, string[]]>([
    ['the country’s', {}, ['KE']],
    ['another country’s', { country: 'GB' }, ['GB']],
    ['of no rate', { country: 'FR' }, []],
    ['the state’s beside the country’s', { state: 'NAIROBI' }, ['KE', 'NAIROBI']],
    ['another state’s not', { state: 'MOMBASA' }, ['KE']],
    ['a postcode’s by its beginning', { postalCode: '00100' }, ['001', 'KE']],
    ['where all it names fits', { state: 'NAIROBI', postalCode: '00200' }, ['KE', 'NAIROBI', 'NAIROBI 002']],
    ['not where one of the two does not', { postalCode: '00200' }, ['KE']],
  ])('%s', (_which, place, expected) => expect(names(place).sort()).toEqual(expected));

  test('compares places by normalised state and postcode', () =>
    expect(normalAddress({ country: 'us', state: 'Texas', postalCode: '７７００１' })).toEqual({
      country: 'US',
      state: 'TX',
      postalCode: '77001',
    }));
});

describe('a category’s rate', () => {
  const rates = [
    taxRule(16, { name: 'VAT' }),
    taxRule(8, { name: 'VAT', category: 'books' }),
    taxRule(2, { name: 'LEVY', category: 'books' }),
    taxRule(4, { name: 'VAT', category: 'comics' }),
  ];
  const amounts = (category: string | null, subcategory: string | null = null) =>
    new TaxTable(rates, KENYA, false)
      .line(10_000, category, subcategory)
      .rates.map(({ rule, amount }) => [rule.name, amount]);

  test.each<[string, string | null, string | null, unknown[]]>([
    [
      'replaces the general one of the same name',
      'books',
      null,
      [
        ['LEVY', 200],
        ['VAT', 800],
      ],
    ],
    ['does nothing to others', 'chairs', null, [['VAT', 1_600]]],
    ['nor to what has no category', null, null, [['VAT', 1_600]]],
    [
      'counts for subcategories; one of theirs of the same name replaces it',
      'books',
      'comics',
      [
        ['LEVY', 200],
        ['VAT', 400],
      ],
    ],
    [
      'of one subcategory does nothing to another of the category',
      'books',
      'atlases',
      [
        ['LEVY', 200],
        ['VAT', 800],
      ],
    ],
  ])('%s', (_what, category, subcategory, expected) => expect(amounts(category, subcategory).sort()).toEqual(expected));
});

test('taxes a shipping fee by shipping rates without a category', () => {
  const rates = [taxRule(16, { shipping: true }), taxRule(5), taxRule(3, { shipping: true, category: 'books' })];
  expect(new TaxTable(rates, KENYA, false).shippingFee(500).tax).toBe(80);
  expect(new TaxTable(rates, KENYA, true).shippingFee(580)).toMatchObject({ taxable: 500, tax: 80 });
});

describe('random tax rates', () => {
  const anyRule = fc
    .record({
      rate: fc.integer({ min: 0, max: 300_000 }),
      priority: fc.nat(3),
      compound: fc.boolean(),
    })
    .map(({ rate, ...given }) => taxRule(0, { rate, ...given }));
  const anyRules = fc.array(anyRule, { maxLength: 5 });
  const anyAmount = fc.nat(99_999_999_999);

  test('rates sum to the tax, and net plus tax is the gross', () => {
    fc.assert(
      fc.property(anyRules, anyAmount, (rules, amount) => {
        const plan = taxPlan(rules);
        for (const taxed of [taxOnTop(plan, amount), taxWithin(plan, amount)]) {
          expect(taxed.rates.reduce((sum, each) => sum + each.amount, 0)).toBe(taxed.tax);
          for (const each of taxed.rates) expect(each.amount).toBeGreaterThanOrEqual(0);
        }
        const within = taxWithin(plan, amount);
        expect(within.taxable + within.tax).toBe(amount);
      }),
    );
  });

  test('extracts the tax it added, within one cent of rounding per rate', () => {
    fc.assert(
      fc.property(anyRules, anyAmount, (rules, net) => {
        const plan = taxPlan(rules);
        const top = taxOnTop(plan, net);
        const within = taxWithin(plan, net + top.tax);
        expect(Math.abs(within.taxable - net)).toBeLessThanOrEqual(rules.length + 1);
        for (const [at, each] of within.rates.entries()) {
          expect(Math.abs(each.amount - top.rates[at]!.amount)).toBeLessThanOrEqual(rules.length + 1);
        }
      }),
    );
  });

  test('the result does not depend on the order of rates', () => {
    fc.assert(
      fc.property(anyRules, anyAmount, (rules, amount) => {
        expect(taxOnTop(taxPlan(rules.toReversed()), amount).tax).toBe(taxOnTop(taxPlan(rules), amount).tax);
      }),
    );
  });
});
