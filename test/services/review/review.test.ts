// A review as a value: public name, first status, and moderation.
import { describe, expect, test } from 'vitest';
import { applyDecision, firstStatus, newReview, publicName, type ReviewRecord } from '#services/review/review.ts';

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
