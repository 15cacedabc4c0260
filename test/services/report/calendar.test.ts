// Intervals of a report: as long as the zone's own hours, days, weeks and months.
import { expect, test } from 'vitest';
import { boundariesOf, type IntervalName } from '#services/report/calendar.ts';
import { startOfDate } from '#values/zone.ts';

const HOUR_MS = 3_600_000;

/** The lengths of the intervals in hours, from the first day to the end of the last. */
const hoursOf = (zone: string, interval: IntervalName, first: string, last: string): number[] => {
  const end = startOfDate(zone, Date.parse(last) + 24 * HOUR_MS);
  const boundaries = boundariesOf(zone, interval, startOfDate(zone, Date.parse(first)), end, 1_000)!;
  return boundaries.slice(1).map((until, at) => (until - boundaries[at]!) / HOUR_MS);
};

test.each([
  ['UTC', '2026-03-28', '2026-03-30', [24, 24, 24]],
  ['Europe/Berlin', '2026-03-28', '2026-03-30', [24, 23, 24]],
  ['Europe/Berlin', '2026-10-24', '2026-10-26', [24, 25, 24]],
  ['Asia/Kathmandu', '2026-03-28', '2026-03-30', [24, 24, 24]],
  ['Australia/Lord_Howe', '2026-04-04', '2026-04-06', [24, 24.5, 24]],
  ['Australia/Lord_Howe', '2026-10-03', '2026-10-05', [24, 23.5, 24]],
  // Samoa crossed the date line and had no 30 December.
  ['Pacific/Apia', '2011-12-29', '2011-12-31', [24, 24]],
])('in %s the days from %s to %s have their own lengths', (zone, first, last, lengths) => {
  expect(hoursOf(zone, 'day', first, last)).toEqual(lengths);
});

test('a day on which clocks change has an hour less or more', () => {
  expect(hoursOf('Europe/Berlin', 'hour', '2026-03-29', '2026-03-29')).toEqual(Array(23).fill(1));
  expect(hoursOf('Europe/Berlin', 'hour', '2026-10-25', '2026-10-25')).toEqual(Array(25).fill(1));
});

test('hours begin at whole hours of the zone', () => {
  const from = Date.parse('2026-06-01T18:30:00Z');
  const boundaries = boundariesOf('Asia/Kathmandu', 'hour', from, from + 2 * HOUR_MS, 10)!;
  expect(boundaries.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
    '18:30',
    '19:15',
    '20:15',
    '20:30',
  ]);
});

test('weeks begin on Monday, months on the first, and the range cuts both', () => {
  expect(hoursOf('Europe/Berlin', 'week', '2026-10-21', '2026-11-03').map((hours) => hours / 24)).toEqual([
    5 + 1 / 24,
    7,
    2,
  ]);
  expect(hoursOf('UTC', 'month', '2028-01-31', '2028-03-01').map((hours) => hours / 24)).toEqual([1, 29, 1]);
});

test('more intervals than allowed are none', () => {
  const from = Date.parse('2026-01-01');
  expect(boundariesOf('UTC', 'day', from, Date.parse('2026-01-11'), 10)).toHaveLength(11);
  expect(boundariesOf('UTC', 'day', from, Date.parse('2026-01-12'), 10)).toBeNull();
});
