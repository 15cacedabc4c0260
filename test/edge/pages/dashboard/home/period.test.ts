// Periods of Home: days of the store's time zone, and the time before up to the same time of day.
import { describe, expect, it } from 'vitest';
import { changeOf, dayIn, rangesOf } from '#edge/pages/dashboard/home/period.ts';
import { addDays } from '#edge/pages/design/day.ts';

describe('a period', () => {
  it('splits time into days of the time zone', () => {
    expect(dayIn('Africa/Nairobi', Date.parse('2026-01-31T21:30:00Z'))).toBe('2026-02-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  it('compares with as many days before, up to the same time of day', () => {
    const now = Date.parse('2026-01-31T09:30:00Z');
    expect(rangesOf(7, 'Africa/Nairobi', '2026-01-31T21:00:00.000Z', now)).toEqual({
      now: { from: '2026-01-25', to: '2026-01-31' },
      before: { from: '2026-01-18', to: '2026-01-24T09:30:00.000Z' },
    });
    expect(rangesOf(1, 'UTC', '2026-02-01T00:00:00.000Z', now)).toEqual({
      now: { from: '2026-01-31', to: '2026-01-31' },
      before: { from: '2026-01-30', to: '2026-01-30T09:30:00.000Z' },
    });
  });

  it('compares with whole days where the sandbox’s clock is ahead', () => {
    const now = Date.parse('2026-01-31T09:30:00Z');
    expect(rangesOf(1, 'UTC', '2026-02-11T00:00:00.000Z', now).before).toEqual({
      from: '2026-02-09',
      to: '2026-02-09',
    });
  });

  it('shows a change as a share, unless there was nothing before', () => {
    expect(changeOf(5, 4)).toBe(0.25);
    expect(changeOf(5, 0)).toBeNull();
  });
});
