// Similar products in a catalogue without vectors: by common words.
import { expect, test } from 'vitest';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { similarTo } from '#services/search/engine/similarity.ts';
import { namedProduct } from './named_product.ts';

/** More than a sparse list holds. */
const SHIRTS = 40;

const SHOP = [
  ...Array.from({ length: SHIRTS }, (_, at) => namedProduct(at, `Linen Shirt number${at}`)),
  namedProduct(SHIRTS, 'Woollen Hat'),
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
