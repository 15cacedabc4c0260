// Windows are fixed and in UTC: the minute, the quarter, the hour, the day and the month.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCOPES, windowAt } from '#values/window.ts';

const at = (text: string): number => Date.parse(text) / 1_000;
const NOW = Date.parse('2026-11-21T09:47:31.500Z');

test.each([
  ['auth_minute', '2026-11-21T09:47:00Z', '2026-11-21T09:48:00Z'],
  ['reset_address', '2026-11-21T09:45:00Z', '2026-11-21T10:00:00Z'],
  ['reset_pair', '2026-11-21T09:45:00Z', '2026-11-21T10:00:00Z'],
  ['key_hour', '2026-11-21T09:00:00Z', '2026-11-21T10:00:00Z'],
  ['network_hour', '2026-11-21T09:00:00Z', '2026-11-21T10:00:00Z'],
  ['payment_hour', '2026-11-21T09:00:00Z', '2026-11-21T10:00:00Z'],
  ['review_hour', '2026-11-21T09:00:00Z', '2026-11-21T10:00:00Z'],
  ['key_day', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'],
  ['month', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
] as const)('%s is open from %s to %s', (scope, start, end) => {
  expect(windowAt(scope, NOW)).toEqual({ start: at(start), end: at(end) });
});

test('a year ends with its last month', () => {
  expect(windowAt('month', Date.parse('2026-12-31T23:59:59.999Z'))).toEqual({
    start: at('2026-12-01T00:00:00Z'),
    end: at('2027-01-01T00:00:00Z'),
  });
});

test('every moment is in exactly one window, and the next begins where it ends', () => {
  const moment = fc.date({ min: new Date('2020-01-01Z'), max: new Date('2040-01-01Z'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...SCOPES), moment, (scope, date) => {
      const { start, end } = windowAt(scope, date.getTime());
      expect(start * 1_000).toBeLessThanOrEqual(date.getTime());
      expect(end * 1_000).toBeGreaterThan(date.getTime());
      expect(windowAt(scope, end * 1_000).start).toBe(end);
      expect(windowAt(scope, end * 1_000 - 1)).toEqual({ start, end });
    }),
  );
});
