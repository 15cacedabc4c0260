// Our own format: a list, an object of lists, or one object a line.
import { expect, test } from 'vitest';
import { readOwn } from '#services/cli/import/own.ts';
import { checked } from '#services/cli/import/rule.ts';
import { STOA_JSON_LINES } from '#test/support/foreign_shop.ts';

test('lines say by their kind what they are', () => {
  const { products, categories, collections, customers, problems } = checked(readOwn(STOA_JSON_LINES));
  expect(products.map(({ handle, row }) => [handle, row])).toEqual([
    ['the-bowl', 3],
    ['shirt', 4],
  ]);
  expect([categories.length, collections.length, customers.length]).toEqual([1, 1, 1]);
  expect(problems.map(({ row, param }) => [row, param])).toEqual([
    [6, 'external_id'],
    [7, 'kind'],
    [5, 'price'],
  ]);
});

const product = { external_id: 'a', name: 'A', price: 1 };
test.each([
  ['a list', [product]],
  ['an object of lists', { products: [product] }],
  ['one object', product],
])('%s is read alike', (_, value) => {
  expect(readOwn(JSON.stringify(value)).products).toMatchObject([{ row: 1, product: { ...product, sku: 'a' } }]);
});

test.each([
  ['an object', '{"external_id":"a","name":"A","price":19.99999999999999999}'],
  ['a line', '{"external_id":"b","name":"B","price":1}\n{"external_id":"a","name":"A","price":19.99999999999999999}'],
])('a price in %s is what is written: as a double it would be another amount', (_, text) => {
  const { product: read } = readOwn(text).products.at(-1)!;
  expect(read.price).toBe(19.999999999999996);
});

test('imports the last of two products with one id', () => {
  const { products, problems } = checked(readOwn(JSON.stringify([product, { ...product, price: 2 }])));
  expect(products.map(({ product: { price } }) => price)).toEqual([2]);
  expect(problems).toMatchObject([{ row: 1, param: 'external_id', whole: true }]);
});

test('leaves oddly shaped values to the rules and continues', () => {
  const odd = { products: [{ ...product, variants: 5 }], categories: [{ name: 'A', subcategories: [7, 'B'] }] };
  const { products, categories, problems } = checked(readOwn(JSON.stringify(odd)));
  expect([products, problems.map(({ param }) => param)]).toEqual([[], ['variants']]);
  expect(categories).toEqual([{ name: 'A', description: null, subcategories: [{ name: 'B' }] }]);
});

test('marks a last line that was cut off as damage, and refuses a list that was', () => {
  const line = JSON.stringify(product);
  expect(readOwn(`${line}\n${line.slice(0, -5)}`).problems).toMatchObject([{ row: 2, whole: true, damaged: true }]);
  expect(() => readOwn(JSON.stringify([product, product], null, 2).slice(0, -12))).toThrow('cut off or damaged');
});

test('marks a picture that is no URL as damage', () => {
  const { problems } = checked(readOwn(JSON.stringify({ ...product, media: [{ url: 'no address' }] })));
  expect(problems).toMatchObject([{ row: 1, param: expect.stringContaining('url'), damaged: true }]);
});

test('reports members of categories that are not taken over', () => {
  const { problems } = readOwn(
    JSON.stringify({ categories: [{ name: 'A', image_url: 'https://pictures.example.com/a' }] }),
  );
  expect(problems).toMatchObject([{ row: 1, param: 'image_url', whole: false }]);
});

test('a file of anything else is refused', () => expect(() => readOwn('')).toThrow('neither JSON'));
