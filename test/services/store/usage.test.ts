// Usage: months as they are called.
import { expect, test } from 'vitest';
import { monthName } from '#services/store/usage.ts';

test('a month is named by year and month, in UTC', () => {
  expect(monthName(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  expect(monthName(Date.parse('2026-12-01T00:00:00.000Z'))).toBe('2026-12');
});
