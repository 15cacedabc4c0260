// Ranking of suggestions.
import { expect, test } from 'vitest';
import { blended, fromCompanions, fromSimilar, fromTrending } from '#services/recommendation/ranking.ts';

const companion = (
  product: string,
  sessions: number,
  totalSessions: number,
  sessionsWithIntent = 0,
  weight = sessions,
) => ({
  product,
  sessions,
  totalSessions,
  sessionsWithIntent,
  weight,
});

test('a bestseller ranks below a product that shares more of its sessions', () => {
  const ranked = fromCompanions([companion('bestseller', 12, 500), companion('lid', 10, 12)]);
  expect(ranked.map(({ product }) => product)).toEqual(['lid', 'bestseller']);
});

test('two sessions prove less than twenty of the same share', () => {
  const ranked = fromCompanions([companion('rare', 2, 2), companion('usual', 20, 20)]);
  expect(ranked.map(({ product }) => product)).toEqual(['usual', 'rare']);
});

test('distinguishes carts and orders from views', () => {
  const ranked = fromCompanions([companion('a', 5, 10, 1, 9), companion('b', 5, 10)]);
  expect(ranked.map(({ product, reason }) => [product, reason])).toEqual([
    ['a', 'bought_together'],
    ['b', 'viewed_together'],
  ]);
});

test('scores lie between 0 and 1, and equal ones are in the order of their ids', () => {
  const ranked = [
    ...fromCompanions([companion('z', 900, 900, 900, 4_500), companion('y', 1, 900), companion('x', 1, 900)]),
    ...fromTrending([
      { product: 'b', weight: 7 },
      { product: 'a', weight: 7 },
    ]),
    ...fromSimilar([{ product_id: 'c', score: 1.00001 }]),
  ];
  for (const { score } of ranked) expect(score >= 0 && score <= 1, String(score)).toBe(true);
  expect(ranked.map(({ product }) => product).slice(0, 3)).toEqual(['z', 'x', 'y']);
});

test('lists follow one another, each product once and none that is excluded', () => {
  const list = (reason: 'similar' | 'trending', ...products: string[]) =>
    products.map((product) => ({ product, score: 0.5, reason }));
  const blend = blended([list('similar', 'a', 'b', 'x'), list('trending', 'b', 'c')], new Set(['x']));
  expect(blend.map(({ product, reason }) => `${product} ${reason}`)).toEqual(['a similar', 'b similar', 'c trending']);
});
