// A review as a value: public name, first status and moderation; and the average, compared with an oracle.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyDecision,
  averageOf,
  countOf,
  firstStatus,
  NO_STARS,
  newReview,
  publicName,
  type ReviewRecord,
  summaryOf,
} from '#services/review/review.ts';

const THEN = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-02T00:00:00Z');

const written = (given: Record<string, unknown> = {}) =>
  newReview(
    { product_id: 'P', rating: 3, title: 'Fine', body: 'It is.', ...given },
    { id: 'r', now: THEN, customer: 'c', customerName: 'Ada L.', verified: false, approval: 'manual' },
  );
const pending = written();

test.each<[string | null, string | null, string]>([
  ['Ada', 'Lovelace', 'Ada L.'],
  [' Ada ', ' lovelace', 'Ada L.'],
  ['Ada', null, 'Ada'],
  ['Ada', '  ', 'Ada'],
  [null, 'Lovelace', 'Customer'],
  ['', 'Lovelace', 'Customer'],
  [null, null, 'Customer'],
  ['José María', 'Ñáñez', 'José María Ñ.'],
  ['美', '🙂', '美 🙂.'],
])('%s %s is called %s', (first, last, name) => expect(publicName(first, last)).toBe(name));

test('a new review is pending unless the store approves it', () => {
  const passes = (['manual', 'verified', 'all'] as const).map((approval) =>
    [false, true].map((verified) => firstStatus(approval, verified)),
  );
  expect(passes).toEqual([
    ['pending', 'pending'],
    ['pending', 'approved'],
    ['approved', 'approved'],
  ]);
});

test('a new review has null or empty values for omitted fields', () => {
  expect(pending).toMatchObject({ product_id: 'p', media_urls: [], variant_id: null, order_id: null });
});

describe('a decision', () => {
  const decide = (review: ReviewRecord, status: 'approved' | 'rejected', reason: string | null, verified = false) =>
    applyDecision(review, { status, reason, verified, now: NOW });

  test('keeps the review if it changes nothing', () => {
    const approved = decide(pending, 'approved', null);
    expect(decide(approved, 'approved', 'ignored')).toBe(approved);
    const rejected = decide(pending, 'rejected', 'Rude.');
    expect(decide(rejected, 'rejected', 'Rude.')).toBe(rejected);
    expect(decide(rejected, 'rejected', 'Off topic.')).toMatchObject({ rejection_reason: 'Off topic.' });
  });

  test('removes the reason with the rejection and sets updated_at', () => {
    const rejected = decide(pending, 'rejected', 'Rude.');
    expect(rejected).toEqual({ ...pending, status: 'rejected', rejection_reason: 'Rude.', updated_at: NOW });
    expect(decide(rejected, 'approved', 'Rude.')).toMatchObject({ status: 'approved', rejection_reason: null });
  });

  test('keeps a purchase verified', () => {
    const bought = decide(pending, 'approved', null, true);
    expect(bought.verified_purchase).toBe(true);
    expect(decide(bought, 'rejected', 'Rude.').verified_purchase).toBe(true);
  });
});

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
