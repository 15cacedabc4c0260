// A range is covered by few sums, exactly once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverRange, QUARTER_MS, startOfSpan } from '#services/report/span.ts';

const START = Date.parse('2024-01-01');
const QUARTERS = 3 * 366 * 96;

test('a range is months, then days, then quarter-hours', () => {
  const parts = coverRange(Date.parse('2026-01-30T22:45:00Z'), Date.parse('2026-04-02T03:15:00Z'));
  expect(
    parts.map(({ span, from, until }) => [span, new Date(from).toISOString(), new Date(until).toISOString()]),
  ).toEqual([
    ['quarter', '2026-01-30T22:45:00.000Z', '2026-01-31T00:00:00.000Z'],
    ['day', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['month', '2026-02-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['day', '2026-04-01T00:00:00.000Z', '2026-04-02T00:00:00.000Z'],
    ['quarter', '2026-04-02T00:00:00.000Z', '2026-04-02T03:15:00.000Z'],
  ]);
});

test('parts follow each other from start to end, begin and end at their spans, and are five at most', () => {
  fc.assert(
    fc.property(fc.nat(QUARTERS), fc.integer({ min: 1, max: QUARTERS }), (first, count) => {
      const from = START + first * QUARTER_MS;
      const until = from + count * QUARTER_MS;
      const parts = coverRange(from, until);
      expect([parts[0]!.from, parts.at(-1)!.until]).toEqual([from, until]);
      for (const [at, part] of parts.entries()) {
        if (at > 0) expect(part.from).toBe(parts[at - 1]!.until);
        expect(startOfSpan(part.span, part.from)).toBe(part.from);
        expect(startOfSpan(part.span, part.until)).toBe(part.until);
      }
      expect(parts.length).toBeLessThanOrEqual(5);
    }),
    { seed: Number(process.env.STOA_SEED ?? 20_261_128) },
  );
});
