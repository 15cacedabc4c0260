// The schedule of retries: late by a twentieth at most, never early, and over after the seventh.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RETRY_DELAYS_MS, retryDelayMs } from '#runtime/outbound/retry.ts';

test('follows the documented schedule', () => {
  const minutes = RETRY_DELAYS_MS.map((ms) => ms / 60_000);
  expect(minutes).toEqual([1, 5, 30, 2 * 60, 8 * 60, 24 * 60, 48 * 60]);
});

test('delays by a twentieth at most, and never early', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (step, chance) => {
      const delay = retryDelayMs(step, chance)!;
      const least = RETRY_DELAYS_MS[step - 1]!;
      expect(delay).toBeGreaterThanOrEqual(least);
      expect(delay).toBeLessThanOrEqual(least * 1.05);
    }),
  );
});

test('ends after the eighth attempt', () => {
  expect([retryDelayMs(7, 0), retryDelayMs(8, 0), retryDelayMs(9, 1)]).toEqual([48 * 3_600_000, null, null]);
});
