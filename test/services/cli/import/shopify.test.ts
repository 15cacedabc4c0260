// Shopify's exports as our rows.
import { describe, expect, test } from 'vitest';
import { checked } from '#services/cli/import/rule.ts';
import { readShopify } from '#services/cli/import/shopify.ts';
import { SHOPIFY_CUSTOMERS, SHOPIFY_PRODUCTS } from '#test/support/foreign_shop.ts';

describe('products of Shopify', () => {
  const { products, problems } = readShopify(SHOPIFY_PRODUCTS);
  const byHandle = new Map(products.map((found) => [found.handle, found]));

  test('groups products by handle, with the row they start in', () => {
    expect(products.map(({ handle, row }) => [handle, row])).toEqual([
      ['river-shirt', 2],
      ['clay-bowl', 5],
      ['plain-cup', 6],
      ['dear-vase', 7],
      ['no-title', 9],
    ]);
  });

  test('reads products of several rows with options, prices and stock of variants', () => {
    const { product, collections } = byHandle.get('river-shirt')!;
    expect(product).toMatchObject({
      external_id: 'river-shirt',
      name: 'River Shirt',
      description: '<p>Linen,\nwashed.</p>',
      brand: 'Otter & Oak',
      category: 'Shirts',
      tags: ['linen', 'summer'],
      is_active: true,
      media: [
        { url: 'https://pictures.example.com/river.jpg', alt_text: 'River shirt', position: 1 },
        { url: 'https://pictures.example.com/river-back.jpg', position: 2 },
      ],
    });
    expect(collections).toEqual(['Summer']);
    expect(product.variants).toMatchObject([
      {
        sku: 'RS-S-B',
        ...{ price: 60, sale_price: 45, stock: 4, gtin: '4006381333931', is_default: true },
        variant_attributes: { size: 'S', colour: 'Blue' },
        variant_name: 'S / Blue',
        media: [{ url: 'https://pictures.example.com/river-blue.jpg' }],
      },
      { sku: 'RS-M-B', stock: 0, is_default: false },
      { sku: 'river-shirt-3', price: 50, sale_price: null, stock: 7 },
    ]);
  });

  test('reads products of one row as simple ones, and drafts as inactive', () => {
    expect(byHandle.get('clay-bowl')).toMatchObject({
      product: { sku: 'CB-1', price: 18.5, stock: 12, weight_grams: 800 },
      collections: ['Summer', 'Kitchen'],
    });
    expect(byHandle.get('clay-bowl')!.product.variants).toBeUndefined();
    expect(byHandle.get('plain-cup')!.product.is_active).toBe(false);
  });

  test('leave in the report what cannot be brought, by row', () => {
    expect(problems.map(({ row, param, whole }) => [row, param, whole])).toEqual([
      [8, 'Handle', true],
      [3, 'stock', false],
      [4, 'gtin', false],
      [7, 'price', false],
      [6, 'Status', false],
    ]);
  });
});

test.each([
  ['Apparel & Accessories > Clothing > Jumpers', 'Knitwear', 'Apparel & Accessories > Knitwear'],
  ['Apparel & Accessories > Clothing > Jumpers', '', 'Apparel & Accessories > Clothing'],
  ['', 'Knitwear', 'Knitwear'],
  ['Media', 'Media', 'Media'],
  ['', '', null],
])('the category of "%s" with the type "%s" is %s', (tree, type, category) => {
  const { products } = readShopify(`Handle,Title,Product Category,Type\na,A,${tree},${type}`);
  expect(products[0]?.product.category).toBe(category);
});

test('a handle that is used twice is told, and loses nothing', () => {
  const head = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price';
  const rows = [
    'cup,Cup,Title,Default Title,A,1,2',
    'pot,Pot,Title,Default Title,B,1,2',
    'cup,Another cup,Title,Default Title,C,1,3',
  ];
  const { products, problems } = readShopify([head, ...rows].join('\n'));
  expect(products.map(({ handle, product }) => [handle, product.variants?.length ?? 1])).toEqual([
    ['cup', 2],
    ['pot', 1],
  ]);
  expect(problems).toEqual([
    expect.objectContaining({
      row: 4,
      id: 'cup',
      param: 'Title',
      whole: false,
      message: expect.stringContaining('Another cup'),
    }),
  ]);
});

const HEAD =
  'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Taxable,Cost per item,Image Src,Published,Status,Fabric (product.metafields.custom.fabric)';
const messages = (source: string): [number | null, string | null, string][] =>
  readShopify(source).problems.map(({ row, param, message }) => [row, param, message]);

test('reports every loss once, with the number of rows', () => {
  const rows = [
    'cup,Cup,Title,Default Title,A,shopify,1,continue,2,,true,1.10,,false,active,Clay',
    'pot,Pot,Title,Default Title,B,shopify,1,continue,2,,true,1.20,,true,draft,Clay',
    'jug,Jug,Title,Default Title,C,,5,deny,2,,false,1.30,,true,active,',
    'tray,Tray,Title,Default Title,D,shopify,1,deny,2,,true,,,false,archived,',
    'bowl,Bowl,Title,Default Title,E,shopify,1,deny,2,,true,,,true,active,',
  ];
  const source = [HEAD, ...rows].join('\n');
  expect(readShopify(source).products.map(({ product }) => product.is_active)).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
  expect(messages(source)).toEqual([
    [2, 'Published', 'Unpublished products are brought hidden (1 row: cup).'],
    [2, 'Variant Inventory Policy', expect.stringMatching(/^Sold beyond its stock .* \(2 rows: cup, pot\)\.$/)],
    [3, 'Status', 'Products of status "draft" are brought hidden (1 row: pot).'],
    [5, 'Status', 'Products of status "archived" are brought hidden (1 row: tray).'],
    [4, 'Variant Inventory Tracker', expect.stringContaining('(1 row: jug)')],
    [2, 'Cost per item', 'This field is not taken over (3 rows).'],
    [2, 'product.metafields …', 'This field is not taken over (2 rows).'],
    [4, 'Variant Taxable', 'This field is not taken over (1 row).'],
  ]);
});

test('reports a price that cannot be read beside a good one', () => {
  const row = 'cup,Cup,Title,Default Title,A,shopify,1,deny,9 or so,12.00,true,,,true,active,';
  expect(messages(`${HEAD}\n${row}`)).toEqual([[2, 'price', '"9 or so" is no number.']]);
});

test.each(['not an address', 'https://c', '//pictures.example.com/a.jpg'])(
  'marks the picture "%s" as damage in its own row',
  (address) => {
    const rows = [
      'cup,Cup,Title,Default Title,A,shopify,1,deny,9,,true,,https://pictures.example.com/a.jpg,true,active,',
      `cup,,,,,,,,,,,,${address},,,`,
    ];
    expect(readShopify([HEAD, ...rows].join('\n')).problems).toMatchObject([
      { row: 3, id: 'cup', param: 'media', damaged: true },
    ]);
  },
);

test('customers of Shopify come with their address', () => {
  const { customers, problems } = readShopify(SHOPIFY_CUSTOMERS);
  expect(customers.map(({ row }) => row)).toEqual([2, 3, 5]);
  expect(customers[0]!.customer).toMatchObject({
    email: 'Amina@shoppers.example.com',
    external_id: '7001',
    phone: '+254700000001',
    addresses: [{ line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE', postal_code: '00100' }],
  });
  expect(problems.map(({ row, param }) => [row, param])).toEqual([
    [3, 'addresses'],
    [4, 'email'],
  ]);
});

test('joins a Shopify customer’s values of two lines into one', () => {
  const csv =
    'Customer ID,Email,First Name,Default Address Address1,Default Address City,Default Address Country Code\n';
  const { customers } = checked(readShopify(`${csv}1,ada@example.com,Ada,"Flat 3\n12 Moi Avenue",Nairobi,KE\n`));
  expect(customers.map(({ customer }) => customer.addresses?.[0]?.line1)).toEqual(['Flat 3 12 Moi Avenue']);
});

test('brings the first of two customers with one address, and reports the other', () => {
  const csv = 'Email,First Name,Accepts Email Marketing,Note\n';
  const rows = 'Ada@example.com,Ada,no,\nada@EXAMPLE.com,Grace,yes,Likes tea\nada@example.com,Joan,no,\n';
  const { customers, problems } = checked(readShopify(csv + rows));
  expect(customers.map(({ customer }) => customer.first_name)).toEqual(['Ada']);
  expect(problems.map(({ row, param, whole }) => [row, param, whole])).toEqual([
    [3, 'Accepts Email Marketing', false],
    [3, 'Note', false],
    [3, 'email', true],
    [4, 'email', true],
  ]);
});

test('a file that is neither is said to be neither', () => {
  expect(readShopify('a,b\n1,2\n').problems).toMatchObject([{ row: 1, whole: true }]);
});

test('an export of orders is no list of customers', () => {
  const found = readShopify('Name,Email,Financial Status,Billing Name\n#1001,ada@example.com,paid,Ada\n');
  expect([found.customers, found.problems.map(({ row, whole }) => [row, whole])]).toEqual([[], [[1, true]]]);
});
