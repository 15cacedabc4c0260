// The measure of relevance, held against values worked out by hand.
import { expect, test } from 'vitest';
import { ndcg } from '#bench/relevance.ts';

const grade = (grade: number): number => grade;
const judgement = { query: 'shoes', grades: new Map(Object.entries({ a: 3, b: 2, c: 0 })) };
/** 3 + 2 / log2(3). */
const BEST = 3 + 2 / Math.log2(3);

test.each([
  [['a', 'b', 'c'], 1],
  [['b', 'a'], (2 + 3 / Math.log2(3)) / BEST],
  [['not graded', 'a'], 3 / Math.log2(3) / BEST],
  [['c'], 0],
  [[], 0],
  [[...'0123456789', 'a'], 0],
])('%j gains its share', (shown, share) => {
  expect(ndcg(shown, judgement, grade)).toBeCloseTo(share, 10);
});

test('a steeper gain punishes a swap more', () => {
  expect(ndcg(['b', 'a'], judgement, (each) => 2 ** each - 1)).toBeLessThan(ndcg(['b', 'a'], judgement, grade));
});
