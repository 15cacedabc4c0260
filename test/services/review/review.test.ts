// A review by itself: whose name stands by it, what it is as it is written, what a decision makes of it.
import { describe, expect, test } from 'vitest';
import { decided, firstStatus, publicName, type ReviewRecord, writtenReview } from '#services/review/review.ts';

const THEN = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-02T00:00:00Z');

const written = (given: Record<string, unknown> = {}) =>
  writtenReview(
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

test('is pending unless the store lets it pass', () => {
  const passes = (['manual', 'verified', 'all'] as const).map((approval) =>
    [false, true].map((verified) => firstStatus(approval, verified)),
  );
  expect(passes).toEqual([
    ['pending', 'pending'],
    ['pending', 'approved'],
    ['approved', 'approved'],
  ]);
});

test('has what was left out as nothing', () => {
  expect(pending).toMatchObject({ product_id: 'p', media_urls: [], variant_id: null, order_id: null });
});

describe('a decision', () => {
  const decide = (review: ReviewRecord, status: 'approved' | 'rejected', reason: string | null, verified = false) =>
    decided(review, { status, reason, verified, now: NOW });

  test('that changes nothing leaves the review as it is', () => {
    const approved = decide(pending, 'approved', null);
    expect(decide(approved, 'approved', 'ignored')).toBe(approved);
    const rejected = decide(pending, 'rejected', 'Rude.');
    expect(decide(rejected, 'rejected', 'Rude.')).toBe(rejected);
    expect(decide(rejected, 'rejected', 'Off topic.')).toMatchObject({ rejection_reason: 'Off topic.' });
  });

  test('takes the reason away with the rejection, and tells when it was', () => {
    const rejected = decide(pending, 'rejected', 'Rude.');
    expect(rejected).toEqual({ ...pending, status: 'rejected', rejection_reason: 'Rude.', updated_at: NOW });
    expect(decide(rejected, 'approved', 'Rude.')).toMatchObject({ status: 'approved', rejection_reason: null });
  });

  test('never takes a purchase back that once counted', () => {
    const bought = decide(pending, 'approved', null, true);
    expect(bought.verified_purchase).toBe(true);
    expect(decide(bought, 'rejected', 'Rude.').verified_purchase).toBe(true);
  });
});
