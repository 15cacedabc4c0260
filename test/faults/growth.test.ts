// Checks a series by its slope, and by its bounds at all times.
import { expect, test } from 'vitest';
import { growthOf, type Sample } from './growth.ts';

const series = (value: (at: number) => number, count = 60): Sample[] =>
  Array.from({ length: count }, (_, at) => ({ hours: at / 30, value: value(at) }));

test.each<[what: string, value: (at: number) => number, slope: number, within: boolean]>([
  ['flat', () => 100, 0, true],
  ['a saw that comes back', (at) => 100 + (at % 5), 0, true],
  ['warm after its first minutes', (at) => (at < 8 ? 10 * at : 100), 0, true],
  ['a leak', (at) => 100 + at, 30, false],
  ['falling', (at) => 1_000 - at, -30, true],
])('%s is told by its slope', (_, value, slope, within) => {
  const growth = growthOf(series(value), { shareAnHour: 0.05 });
  expect(Math.abs(growth.slopeAnHour - slope)).toBeLessThan(2);
  expect(growth.within).toBe(within);
});

test('a bound holds whenever', () => {
  expect(
    growthOf(
      series((at) => (at === 3 ? 500 : 1)),
      { max: 400 },
    ).within,
  ).toBe(false);
  expect(growthOf([], { max: 1, shareAnHour: 0 }).within).toBe(true);
});
