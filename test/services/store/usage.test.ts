// Usage: fixed windows in UTC.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monthName, SCOPES, windowStart } from '#services/store/usage.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

describe('windows', () => {
  test.each([
    ['key_hour', '2026-11-21T09:59:59.999Z', '2026-11-21T09:00:00Z'],
    ['network_hour', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00Z'],
    ['key_day', '2026-11-21T23:59:59.999Z', '2026-11-21T00:00:00Z'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-11-01T00:00:00Z'],
    ['month', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00Z'],
    ['month', '2024-02-29T12:00:00.000Z', '2024-02-01T00:00:00Z'],
  ] as const)('%s at %s began at %s', (scope, now, start) => {
    expect(windowStart(scope, Date.parse(now))).toBe(seconds(start));
  });

  test('never begin in the future, and all moments of a window agree on it', () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(moment, fc.constantFrom(...SCOPES), (now, scope) => {
        const start = windowStart(scope, now);
        expect(start * 1000).toBeLessThanOrEqual(now);
        expect(windowStart(scope, start * 1000)).toBe(start);
      }),
    );
  });

  test('a month is named by year and month', () => {
    expect(monthName(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  });
});
