// Medusa's products as our rows, from its CSV and from its JSON.
import { describe, expect, test } from 'vitest';
import { readMedusa } from '#services/cli/import/medusa.ts';
import { MEDUSA_CSV, MEDUSA_JSON } from '#test/support/foreign_shop.ts';

describe.each([
  [
    'CSV',
    MEDUSA_CSV,
    'Hats',
    [
      [4, 'price', false],
      [5, 'Product Handle', true],
    ],
  ],
  [
    'JSON',
    MEDUSA_JSON,
    'Hats > Caps',
    [
      [2, 'price', false],
      [3, 'handle', true],
    ],
  ],
] as const)('%s', (_, text, category, left) => {
  const { products, problems } = readMedusa(text, 'USD');

  test('has variants at the prices of the store\u2019s currency', () => {
    expect(products[0]).toMatchObject({
      handle: 'cap',
      collections: ['Winter'],
      product: {
        ...{ external_id: 'prod_1', name: 'Cap', category, is_active: true },
        variants: [
          { sku: 'CAP-R', price: 20, stock: 8, variant_name: 'Red', variant_attributes: { colour: 'Red' } },
          { sku: 'CAP-G', price: 21, stock: 2 },
        ],
      },
    });
  });

  test('leaves in the report what it has no price or no handle for', () => {
    expect(products[1]).toMatchObject({ handle: 'scarf', product: { price: null, stock: 4 } });
    expect(problems.map(({ row, param, whole }) => [row, param, whole]).sort()).toEqual(left);
  });
});

test.each([
  ['CSV', 'Product Handle,Product Title,Variant Sku,Variant Inventory Quantity,Variant Price EUR\ncap,Cap,A,1,20\n'],
  [
    'JSON',
    '[{"handle":"cap","title":"Cap","variants":[{"sku":"A","prices":[{"currency_code":"eur","amount":20}],"inventory_quantity":1}]}]',
  ],
])('the only price of a variant in %s stays behind where it is in another currency', (_, text) => {
  const { products, problems } = readMedusa(text, 'USD');
  expect(products[0]!.product.price).toBe(null);
  expect(problems.map(({ param }) => param)).toContain('price');
});

test('a price is what is written: as a double it would be another amount', () => {
  const prices = '[{"currency_code":"usd","amount":19.99999999999999999}]';
  const text = `[{"handle":"cap","title":"Cap","variants":[{"sku":"A","prices":${prices},"inventory_quantity":1}]}]`;
  expect(readMedusa(text, 'USD').products[0]!.product.price).toBe(19.999999999999996);
});

test('what is no list of products is refused', () => expect(() => readMedusa('{"a":1}', 'USD')).toThrow('no list'));
