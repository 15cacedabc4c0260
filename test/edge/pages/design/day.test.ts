// Days and local times of a zone as moments, also where its clocks change.
import { describe, expect, test } from 'vitest';
import { addDays, localMinute, momentAt, startOfDay } from '#edge/pages/design/day.ts';

const BERLIN = 'Europe/Berlin';

describe('local times', () => {
  test.each([
    ['2026-01-15T09:30', '2026-01-15T08:30:00.000Z'],
    ['2026-07-15T09:30', '2026-07-15T07:30:00.000Z'],
    ['2026-03-29T12:00', '2026-03-29T10:00:00.000Z'],
    ['2026-10-25T12:00', '2026-10-25T11:00:00.000Z'],
  ])('reads %s in Berlin, and writes it again', (minute, moment) => {
    expect(momentAt(minute, BERLIN)).toBe(moment);
    expect(localMinute(moment, BERLIN)).toBe(minute);
  });

  test.each(['', '2026-01-15', '2026-13-15T09:30', 'soon'])('takes %j for no time', (minute) => {
    expect(momentAt(minute, BERLIN)).toBe(null);
  });
});

describe('days', () => {
  test('begin at midnight of the zone on days when clocks change', () => {
    expect(startOfDay('2026-03-29', BERLIN)).toBe('2026-03-28T23:00:00.000Z');
    expect(startOfDay('2026-10-25', BERLIN)).toBe('2026-10-24T22:00:00.000Z');
    expect(startOfDay('2026-02-30T00', BERLIN)).toBe(null);
  });

  test('follow each other over the end of a month', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  });
});
