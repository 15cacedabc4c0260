// Days of time zones.
import { expect, test } from 'vitest';
import { dayIn } from '#values/day.ts';

test.each([
  ['UTC', '2026-06-30T23:59:59.999Z', '2026-06-30'],
  ['Pacific/Auckland', '2026-06-30T11:59:59.999Z', '2026-06-30'],
  ['Pacific/Auckland', '2026-06-30T12:00:00Z', '2026-07-01'],
  ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
  ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08'],
  ['Asia/Kathmandu', '2026-01-01T18:15:00Z', '2026-01-02'],
  ['Nowhere/At_All', '2026-06-30T23:00:00Z', '2026-06-30'],
])('in %s, %s is in the day %s', (timezone, moment, day) => {
  expect(dayIn(timezone, new Date(moment))).toBe(day);
});
