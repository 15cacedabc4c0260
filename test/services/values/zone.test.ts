// Offsets of time zones, and the first moments of local days.
import { expect, test } from 'vitest';
import { dayIn, localDate, localTime, startOfDate } from '#values/zone.ts';

test.each([
  ['UTC', '2026-03-29T00:00:00Z', '2026-03-29T00:00:00Z'],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00Z'],
  ['Asia/Kathmandu', '2026-06-01T18:15:00Z', '2026-06-02T00:00:00Z'],
  ['America/St_Johns', '2026-06-01T02:30:00Z', '2026-06-01T00:00:00Z'],
  ['No/Such_Zone', '2026-06-01T02:30:00Z', '2026-06-01T02:30:00Z'],
])('in %s it is at %s %s', (zone, moment, local) => {
  expect(new Date(localTime(zone, Date.parse(moment)))).toEqual(new Date(local));
});

test.each([
  ['UTC', '2026-03-29', '2026-03-29T00:00:00Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z'],
  ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00Z'],
  ['Asia/Kathmandu', '2026-06-02', '2026-06-01T18:15:00Z'],
  // Clocks went from 23:59 to 01:00.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
  // Clocks went back from 24:00 to 23:00.
  ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'],
  // Clocks went back from 01:00 to 00:00, so midnight came twice.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
])('in %s %s begins at %s', (zone, date, moment) => {
  const start = startOfDate(zone, Date.parse(date));
  expect(new Date(start)).toEqual(new Date(moment));
  expect(localDate(zone, start)).toBe(Date.parse(date));
  expect(localDate(zone, start - 1)).toBeLessThan(Date.parse(date));
});

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
