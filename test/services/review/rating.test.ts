// Compares averages with an oracle of integer fractions.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { averageOf, countOf, NO_STARS, summaryOf } from '#services/review/rating.ts';

/** Rounds half up by comparing integers: the tenth whose interval holds the mean. */
const oracle = (ratings: readonly number[]): number | null => {
  if (ratings.length === 0) return null;
  const [sum, count] = [BigInt(ratings.reduce((total, each) => total + each, 0)), BigInt(ratings.length)];
  for (let tenths = 10n; ; tenths++)
    if (sum * 20n < (tenths * 2n + 1n) * count && sum * 20n >= (tenths * 2n - 1n) * count) return Number(tenths) / 10;
};

describe('"mean of approved reviews, 1 to 5, one decimal; null when none"', () => {
  test.each<[readonly number[], number | null]>([
    [NO_STARS, null],
    [[1, 0, 0, 0, 0], 1],
    [[0, 0, 0, 0, 3], 5],
    [[0, 0, 0, 1, 1], 4.5],
    [[0, 0, 1, 0, 2], 4.3],
    // Binary fractions would round one of 4.25 and 4.35 the wrong way.
    [[0, 0, 0, 3, 1], 4.3],
    [[0, 0, 0, 13, 7], 4.4],
    [[1, 0, 0, 0, 99_999], 5],
  ])('%j is %s', (stars, average) => expect(averageOf(stars)).toBe(average));

  test('equals the oracle for random ratings', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }), (ratings) => {
        const stars = NO_STARS.map((_, at) => ratings.filter((rating) => rating === at + 1).length);
        expect([averageOf(stars), countOf(stars)]).toEqual([oracle(ratings), ratings.length]);
      }),
    );
  });
});

test('a summary counts each rating', () => {
  expect(summaryOf([1, 0, 2, 0, 3])).toEqual({
    average_rating: 3.7,
    review_count: 6,
    distribution: { '1': 1, '2': 0, '3': 2, '4': 0, '5': 3 },
  });
  expect(summaryOf(NO_STARS)).toEqual({
    average_rating: null,
    review_count: 0,
    distribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
  });
});
