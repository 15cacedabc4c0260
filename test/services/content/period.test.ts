// The days that an analytics query covers.
import { describe, expect, test } from 'vitest';
import { readPeriod } from '#services/content/period.ts';

const NOW = new Date('2026-06-30T23:59:59.999Z');

describe('a period', () => {
  test.each([
    [undefined, undefined, '2026-06-01', '2026-06-30'],
    ['2026-06-30', undefined, '2026-06-30', '2026-06-30'],
    [undefined, '2026-03-01', '2026-01-31', '2026-03-01'],
    ['2025-07-01', '2026-06-30T12:00:00Z', '2025-07-01', '2026-06-30'],
    ['2026-01-01T01:00:00+02:00', '2026-01-02', '2025-12-31', '2026-01-02'],
  ])('from %s to %s is %s to %s', (from, to, first, last) => {
    expect(readPeriod(from, to, NOW, 'UTC')).toEqual({ from: first, to: last });
  });

  test('ends today and converts times in the store’s time zone', () => {
    const moment = '2026-06-30T23:30:00Z';
    expect(readPeriod(moment, undefined, NOW, 'Pacific/Auckland')).toEqual({ from: '2026-07-01', to: '2026-07-01' });
    expect(readPeriod(moment, undefined, NOW, 'America/New_York')).toEqual({ from: '2026-06-30', to: '2026-06-30' });
  });

  test.each([
    ['yesterday', undefined, 'from'],
    ['2026-02-30', undefined, 'from'],
    [undefined, '2026-6-1', 'to'],
    ['2026-06-02', '2026-06-01', 'from'],
    ['2025-06-29', '2026-06-30', 'from'],
  ])('from %s to %s is refused at %s', (from, to, param) => {
    expect(readPeriod(from, to, NOW, 'UTC')).toMatchObject({ code: 'invalid_request', extra: { param } });
  });
});
