// The demo shop's collections hold what they promise.
import { describe, expect, test } from 'vitest';
import { picture } from '#edge/pages/picture.ts';
import { COLLECTIONS } from '#services/cli/demo/collection.ts';
import { PRODUCTS } from '#services/cli/demo/product.ts';

const byName = new Map(PRODUCTS.map((product) => [product.name, product]));

test('there is one of every type, some on the front page and some not', () => {
  expect(new Set(COLLECTIONS.map((it) => it.collection_type))).toEqual(
    new Set(['featured_collections', 'new_arrivals', 'best_selling', 'custom']),
  );
  expect(new Set(COLLECTIONS.map((it) => it.show_on_homepage))).toEqual(new Set([true, false]));
  expect(new Set(COLLECTIONS.map((it) => it.slug)).size).toBe(COLLECTIONS.length);
});

describe.each(COLLECTIONS.map((collection) => [collection.name, collection] as const))('%s', (_, collection) => {
  test('holds products that the shop sells, each once', () => {
    expect(collection.products.filter((name) => !byName.has(name))).toEqual([]);
    expect(new Set(collection.products).size).toBe(collection.products.length);
    expect(collection.products.length).toBeGreaterThanOrEqual(6);
  });

  test('is pictured for wide and for narrow screens', () => {
    for (const form of ['wide', 'tall']) expect(picture(`scene-${collection.scene}-${form}.svg`)).not.toBeNull();
  });
});

test('small gifts cost thirty dollars at most', () => {
  const gifts = COLLECTIONS.find(({ slug }) => slug === 'small-gifts');
  const prices = gifts?.products.flatMap(
    (name) => byName.get(name)?.variants.map((it) => it.sale_price ?? it.price) ?? [],
  );
  expect(Math.max(...(prices ?? [Number.NaN]))).toBeLessThanOrEqual(30);
});
