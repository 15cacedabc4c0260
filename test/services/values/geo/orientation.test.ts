// Orientations where floating point fails, against integers of any size.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLeft, orientation } from '#values/geo/orientation.ts';

const SCALE = 2 ** 52;

/** Computes the same with doubles as exact integers. */
const exact = (...numbers: number[]): number => {
  const [ax, ay, bx, by, cx, cy] = numbers.map((number) => BigInt(number * SCALE)) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return turn > 0n ? 1 : turn < 0n ? -1 : 0;
};

describe('a point', () => {
  test.each([
    [0, 0, 1, 0, 0.5, 1, 1],
    [0, 0, 1, 0, 0.5, -1, -1],
    [0, 0, 3, 3, 1, 1, 0],
    [0, 0, 3, 3, 5, 5, 0],
    [2, 2, 2, 2, 7, 1, 0],
  ])('of the way from (%f, %f) to (%f, %f): (%f, %f) is on side %i', (ax, ay, bx, by, cx, cy, side) =>
    expect(Math.sign(orientation(ax, ay, bx, by, cx, cy)) + 0).toBe(side),
  );

  test('a hair beside a line is on its own side', () => {
    const hair = fc.integer({ min: -6, max: 6 }).map((steps) => steps * 2 ** -48);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), hair, hair, (at, dx, dy) => {
        // Near the line y = x, where the rounded determinant is meaningless.
        const line = [12, 12, 24, 24, 0.5 + at / 64 + dx, 0.5 + at / 64 + dy] as const;
        expect(Math.sign(orientation(...line)) + 0).toBe(exact(...line));
      }),
      { numRuns: 2_000 },
    );
  });

  test('anywhere is on the side that exact arithmetic says', () => {
    const coordinate = fc.integer({ min: -18_000_000, max: 18_000_000 }).map((number) => Math.fround(number / 1e5));
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate, (...line) => {
        expect(Math.sign(orientation(...line)) + 0).toBe(exact(...line));
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['rising', 0, 0, 2, 2, true],
  ['falling', 2, 0, 0, 2, false],
  ['upright', 1, 0, 1, 2, false],
  ['level', 0, 1, 2, 1, true],
])('on a %s edge itself, a hair above and to the right decides', (_name, ax, ay, bx, by, left) =>
  expect(isLeft(ax, ay, bx, by, 1, 1)).toBe(left),
);
