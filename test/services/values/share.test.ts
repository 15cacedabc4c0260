// Millionths of amounts, against exact arithmetic.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOf, toFixedPoint, WHOLE } from '#values/share.ts';

test.each([
  [0.16, 6, 160_000],
  [0.08875, 6, 88_750],
  [10, 4, 100_000],
  [33.3333, 4, 333_333],
  [0.1 + 0.2, 6, null],
  [1e-6, 6, 1],
  [1e-7, 6, null],
  [0, 6, 0],
  [-0.5, 2, -50],
  [1e9, 2, null],
  [Number.NaN, 2, null],
  [Number.POSITIVE_INFINITY, 2, null],
])('%d of so many decimals (%d) is %s', (value, decimals, whole) => expect(toFixedPoint(value, decimals)).toBe(whole));

describe('a share', () => {
  test.each([
    [1_000, 100_000, 100],
    [5, 100_000, 1],
    [4, 100_000, 0],
    [15, 100_000, 2],
    [1, 500_000, 1],
    [999, WHOLE, 999],
    [100, 2 * WHOLE, 200],
  ])('of %d, %d millionths, is %d', (amount, millionths, part) => expect(shareOf(amount, millionths)).toBe(part));

  test('equals exact arithmetic rounded half up, for any size', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999_999_999), fc.nat(2 * WHOLE), (amount, millionths) => {
        const exact = (2n * BigInt(amount) * BigInt(millionths) + 1_000_000n) / 2_000_000n;
        expect(BigInt(shareOf(amount, millionths))).toBe(exact);
      }),
    );
  });
});
