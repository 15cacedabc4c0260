// A range is covered by few sums, exactly once where additions and subtractions are taken together.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverRange, QUARTER_MS, type SpanPart, startOfSpan } from '#services/report/span.ts';

const START = Date.parse('2024-01-01');
const QUARTERS = 3 * 366 * 96;
const DAY_MS = 86_400_000;

const shown = (parts: readonly SpanPart[]): [string, string, string][] =>
  parts.map(({ span, from, until, sign }) => [
    `${sign > 0 ? '+' : '-'} ${span}`,
    new Date(from).toISOString().slice(0, 16),
    new Date(until).toISOString().slice(0, 16),
  ]);
const cover = (from: string, until: string) => shown(coverRange(Date.parse(from), Date.parse(until)));

test('a range starts from the nearest month and day, and adds what lies before', () => {
  expect(cover('2026-01-30T22:45:00Z', '2026-04-02T03:15:00Z')).toEqual([
    ['+ quarter', '2026-01-30T22:45', '2026-01-31T00:00'],
    ['+ day', '2026-01-31T00:00', '2026-02-01T00:00'],
    ['+ month', '2026-02-01T00:00', '2026-04-01T00:00'],
    ['+ day', '2026-04-01T00:00', '2026-04-02T00:00'],
    ['+ quarter', '2026-04-02T00:00', '2026-04-02T03:15'],
  ]);
});

test('a range takes away what the nearest month and day have too much', () => {
  expect(cover('2026-01-03T05:00:00Z', '2026-03-29T18:15:00Z')).toEqual([
    ['- quarter', '2026-01-03T00:00', '2026-01-03T05:00'],
    ['- day', '2026-01-01T00:00', '2026-01-03T00:00'],
    ['+ month', '2026-01-01T00:00', '2026-04-01T00:00'],
    ['- day', '2026-03-30T00:00', '2026-04-01T00:00'],
    ['- quarter', '2026-03-29T18:15', '2026-03-30T00:00'],
  ]);
});

test('days of a zone meet at a part that one adds and the other takes away', () => {
  const [first, second] = [
    cover('2026-01-01T18:15:00Z', '2026-01-02T18:15:00Z'),
    cover('2026-01-02T18:15:00Z', '2026-01-03T18:15:00Z'),
  ];
  expect(first.at(-1)).toEqual(['- quarter', '2026-01-02T18:15', '2026-01-03T00:00']);
  expect(second[0]).toEqual(['+ quarter', '2026-01-02T18:15', '2026-01-03T00:00']);
});

test('parts add up to each quarter-hour of the range once, begin and end at their spans, and read few sums', () => {
  fc.assert(
    fc.property(fc.nat(QUARTERS), fc.integer({ min: 1, max: QUARTERS }), (first, count) => {
      const from = START + first * QUARTER_MS;
      const until = from + count * QUARTER_MS;
      const parts = coverRange(from, until);
      const changes = new Map<number, number>();
      const change = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
      for (const { span, sign, ...part } of parts) {
        expect(startOfSpan(span, part.from)).toBe(part.from);
        expect(startOfSpan(span, part.until)).toBe(part.until);
        change(part.from, sign);
        change(part.until, -sign);
      }
      expect([...changes].filter(([, by]) => by !== 0).sort(([a], [b]) => a - b)).toEqual([
        [from, 1],
        [until, -1],
      ]);
      expect(parts.length).toBeLessThanOrEqual(5);
      const read = (span: string) =>
        parts.filter((part) => part.span === span).reduce((sum, part) => sum + part.until - part.from, 0);
      expect(read('quarter')).toBeLessThanOrEqual(DAY_MS);
      expect(read('day')).toBeLessThanOrEqual(31 * DAY_MS);
    }),
    { seed: Number(process.env.STOA_SEED ?? 20_261_128) },
  );
});
