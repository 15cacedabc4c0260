// A feed for Google's product listings as our rows.
import { expect, test } from 'vitest';
import { readGoogle } from '#services/cli/import/google.ts';
import { GOOGLE } from '#test/support/foreign_shop.ts';

const { products, problems } = readGoogle(GOOGLE, 'USD');

test('items of one group are one product\u2019s variants', () => {
  expect(products[0]).toMatchObject({
    handle: 'bag-and-strap',
    product: {
      ...{ external_id: 'BAG', name: 'Bag & strap', brand: 'Otter & Oak', category: 'Bags > Totes' },
      media: [{ url: 'https://pictures.example.com/bag.jpg' }, { url: 'https://pictures.example.com/bag-2.jpg' }],
      variants: [
        {
          ...{ sku: 'BAG-S', price: 60, sale_price: 45.5, stock: 4, weight_grams: 1_200, condition: 'new' },
          variant_attributes: { colour: 'Sand', size: 'S' },
        },
        { sku: 'BAG-L', price: 70, stock: 0 },
      ],
    },
  });
});

test('reports problems by the item’s number', () => {
  expect(problems.map(({ row, param, whole }) => [row, param, whole])).toEqual([
    [4, 'id', true],
    [3, 'price', false],
    [1, 'category', false],
    [3, 'stock', false],
  ]);
});

test.each([
  ['19.990000000', 19.99, []],
  // Rounds to 20 as a double, a different amount: the store receives the file's value and refuses it.
  ['19.99999999999999999', 19.999999999999996, []],
  [`19.${'9'.repeat(50)}`, undefined, ['price']],
])('a price is what is written: %s', (price, read, left) => {
  const item = `<item><id>A</id><title>A</title><quantity>1</quantity><price>${price} USD</price></item>`;
  const feed = readGoogle(`<rss><channel>${item}</channel></rss>`, 'USD');
  expect(feed.products[0]!.product.price ?? undefined).toBe(read);
  expect(feed.problems.map(({ param }) => param)).toEqual(left);
});

test('an address that is badly escaped is taken as it is', () => {
  const item = '<item><id>A</id><title>A</title><link>https://old.example.com/p/50%-off</link><price>1</price></item>';
  expect(readGoogle(`<rss><channel>${item}</channel></rss>`, 'USD').products).toMatchObject([{ handle: '50%-off' }]);
});

test.each([
  [
    'a feed that was cut off',
    '<rss>\n<channel><item><g:id>1</g:id>',
    'ends in line 2, in item 1, before it is complete',
  ],
  ['a feed that is broken in the middle', '<rss>\n<a>x & y</b></rss>', 'not valid XML: line 2'],
  ['a feed without an item', '<rss><channel><title>A</title></channel></rss>', 'The feed has no items.'],
  ['a document type', '<!DOCTYPE rss><rss/>', 'DOCTYPE'],
  ['another document', '<html></html>', 'neither RSS nor Atom'],
])('%s is refused', (_, text, message) => expect(() => readGoogle(text, 'USD')).toThrow(message));

test('decodes texts that are escaped a second time, and leaves descriptions as HTML', () => {
  const twice = (text: string): string => `<![CDATA[${text}]]>`;
  const item = [
    `<g:id>A</g:id><g:quantity>1</g:quantity><title>${twice('Salt &amp; Pepper')}</title>`,
    '<g:brand>Otter &amp;amp; Oak</g:brand><g:color>Sand &amp;eacute;</g:color>',
    `<g:product_type>${twice('Food &gt; Salt &amp; co')}</g:product_type>`,
    `<g:google_product_category>${twice('Food, Beverages &amp; Tobacco')}</g:google_product_category>`,
    `<g:image_link>${twice('https://pictures.example.com/a.jpg?w=1&amp;copy=2')}</g:image_link>`,
    `<description>${twice('<p>Fine &amp; white</p>')}</description><g:price>1 USD</g:price>`,
  ].join('');
  const feed = readGoogle(`<rss><channel><item>${item}</item></channel></rss>`, 'USD');
  expect(feed.problems).toEqual([]);
  expect(feed.products[0]!.product).toMatchObject({
    ...{ name: 'Salt & Pepper', brand: 'Otter & Oak', category: 'Food > Salt & co' },
    google_product_category: 'Food, Beverages & Tobacco',
    variant_attributes: { colour: 'Sand é' },
    description: '<p>Fine &amp; white</p>',
    media: [{ url: 'https://pictures.example.com/a.jpg?w=1&copy=2' }],
  });
});

test('reports what a feed has beyond our fields once, with a count', () => {
  const item = (id: string, more: string): string =>
    `<item><id>${id}</id><title>A</title><quantity>1</quantity><price>a lot</price><sale_price>2 USD</sale_price>${more}</item>`;
  const items = [
    item('A', '<custom_label_0>x</custom_label_0><condition>worn</condition><shipping><price>5 USD</price></shipping>'),
    item('B', '<custom_label_0>y</custom_label_0><shipping_weight>heavy</shipping_weight>'),
  ];
  const { products: read, problems: noted } = readGoogle(`<rss><channel>${items.join('')}</channel></rss>`, 'USD');
  expect(read.map(({ product }) => product.price)).toEqual([2, 2]);
  expect(noted.map(({ row, param, message }) => [row, param, message])).toEqual([
    [1, 'condition', '"worn" is none of new, refurbished, used.'],
    [1, 'price', '"a lot" is no amount.'],
    [2, 'price', '"a lot" is no amount.'],
    [2, 'weight_grams', '"heavy" is no number.'],
    [1, 'price', expect.stringContaining('(2 rows: A, B)')],
    [1, 'custom_label_0', 'This field is not taken over (2 rows).'],
    [1, 'shipping', 'This field is not taken over (1 row).'],
  ]);
});
