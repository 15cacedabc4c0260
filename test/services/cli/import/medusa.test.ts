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
      [2, 'Variant Price EUR', false],
      [4, 'price', false],
      [4, 'status', false],
      [5, 'Product Handle', true],
    ],
  ],
  [
    'JSON',
    MEDUSA_JSON,
    'Hats > Caps',
    [
      [1, 'prices', false],
      [2, 'price', false],
      [3, 'handle', true],
    ],
  ],
] as const)('%s', (_, text, category, left) => {
  const { products, problems } = readMedusa(text, 'USD');

  test('reads variants with prices in the store’s currency', () => {
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

test('refuses a file without a list of products', () => expect(() => readMedusa('{"a":1}', 'USD')).toThrow('no list'));

test('reports backorders, uncounted stock, drafts and members that it does not read, from CSV and JSON alike', () => {
  const csv = readMedusa(
    [
      'Product Id,Product Handle,Product Title,Product Subtitle,Product Status,Product Category 1,Product Category 2,Variant Id,Variant Sku,Variant Inventory Quantity,Variant Manage Inventory,Variant Allow Backorder,Variant Price USD',
      'prod_1,cap,Cap,Warm one,draft,Hats,Gifts,v1,A,1,true,true,5',
      'prod_2,mug,Mug,,published,Mugs,,v2,B,1,false,false,5',
    ].join('\n'),
    'USD',
  );
  const variant = { id: 'v', prices: [{ currency_code: 'usd', amount: 5 }], inventory_quantity: 1 };
  const json = readMedusa(
    JSON.stringify([
      {
        ...{ id: 'prod_1', handle: 'cap', title: 'Cap', subtitle: 'Warm one', status: 'draft' },
        ...{ type: { value: 'Headwear' }, created_at: '2026-01-01', discountable: true, is_giftcard: false },
        variants: [{ ...variant, sku: 'A', allow_backorder: true, manage_inventory: true }],
      },
      { id: 'prod_2', handle: 'mug', title: 'Mug', variants: [{ ...variant, sku: 'B', manage_inventory: false }] },
    ]),
    'USD',
  );
  const noted = ({ problems }: typeof csv) => problems.map(({ row, param }) => [row, param]).sort();
  expect(noted(csv)).toEqual([
    [2, 'Product Subtitle'],
    [2, 'allow_backorder'],
    [2, 'category'],
    [2, 'status'],
    [3, 'manage_inventory'],
  ]);
  expect(noted(json)).toEqual([
    [1, 'allow_backorder'],
    [1, 'status'],
    [1, 'subtitle'],
    [2, 'manage_inventory'],
  ]);
  expect(json.products[0]!.product.category).toBe('Headwear');
});

test('refuses JSON that was cut off', () => {
  expect(() => readMedusa(MEDUSA_JSON.slice(0, -40), 'USD')).toThrow('cut off or damaged');
});
