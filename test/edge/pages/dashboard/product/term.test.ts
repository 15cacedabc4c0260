// Words of a product that its translations have terms for, and the request that saves them.
import { expect, test } from 'vitest';
import { termsIn, termTableOf, writeTerms } from '#edge/pages/dashboard/product/term.ts';

const LINE = { key: '1', isText: true, group: '', name: 'Fabric', value: 'Wool', unit: '%' };

test('lists each word of a product’s options and specifications once, numbers left out', () => {
  const product = { variant_attributes: { Colour: 'Red', Size: 4 }, variant_name: 'Red' };
  expect(termsIn(product, [LINE, { ...LINE, value: '12.5' }])).toEqual([
    'Colour',
    'Size',
    'Red',
    'Fabric',
    'Wool',
    '%',
  ]);
});

test('reads the terms of each language, and sends null for a language without any', () => {
  expect(termTableOf({ de: { name: 'Hemd', terms: { Red: 'Rot' } }, fr: { name: 'Chemise' } })).toEqual({
    de: { Red: 'Rot' },
    fr: {},
  });
  expect(writeTerms({ Red: 'Rot', Blue: ' ' })).toEqual({ Red: 'Rot' });
  expect(writeTerms({ Blue: '' })).toBe(null);
});
