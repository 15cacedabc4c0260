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

test('what cannot be brought stands by the item\u2019s number', () => {
  expect(problems.map(({ row, param, whole }) => [row, param, whole])).toEqual([
    [4, 'id', true],
    [3, 'price', false],
    [3, 'stock', false],
  ]);
});

test.each([
  ['19.990000000', 19.99, []],
  // As a double it is 20, and that is another amount: the store is told what the file says, and refuses it.
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
  ['no XML', '<rss><channel>', 'not valid XML'],
  ['a document type', '<!DOCTYPE rss><rss/>', 'document type'],
  ['another document', '<html></html>', 'neither RSS nor Atom'],
])('%s is refused', (_, text, message) => expect(() => readGoogle(text, 'USD')).toThrow(message));
