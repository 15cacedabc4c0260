// What is alike in a catalogue whose meanings nobody has learnt: products share words.
import { expect, test } from 'vitest';
import type { SearchDocument } from '#services/search/engine/document.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { similarTo } from '#services/search/engine/similarity.ts';

/** More than a list of its own is kept for. */
const SHIRTS = 40;

const product = (number: number, name: string): SearchDocument => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  active: true,
  texts: { name, brand: '', category: '', code: '', attribute: '', description: '' },
  brand: null,
  category: null,
  subcategory: null,
  tags: [],
  attributes: [],
  conditions: [],
  price: null,
  prices: [],
  inStock: true,
  rating: null,
  reviews: 0,
  createdAt: 1_700_000_000_000 + number,
});

const SHOP = [
  ...Array.from({ length: SHIRTS }, (_, at) => product(at, `Linen Shirt number${at}`)),
  product(SHIRTS, 'Woollen Hat'),
];

test.each([
  ['one by one', false],
  ['at a start', true],
])('products that came %s are alike where they share words that many have', (_how, loaded) => {
  const index = new ProductIndex();
  if (loaded) index.beginLoad();
  for (const each of SHOP) index.put(each);
  if (loaded) index.endLoad();
  const like = similarTo(index, SHOP[0]!.id, SHOP.length).map(({ id }) => id);
  expect(like).toHaveLength(SHIRTS - 1);
  expect(like).not.toContain(SHOP[SHIRTS]!.id);
});
