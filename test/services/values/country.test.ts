// Countries: the codes of ISO 3166-1 in any letter case, and nothing else.

import { describe, expect, test } from 'vitest';
import { countries, parseCountry } from '#values/country.ts';

describe('countries', () => {
  test.each([
    ['KE', 'KE'],
    ['ke', 'KE'],
    ['gB', 'GB'],
    ['AX', 'AX'],
    ['ZW', 'ZW'],
  ])('%s is %s', (text, code) => {
    expect(parseCountry(text)).toBe(code);
  });

  test.each(['', 'K', 'KEN', 'UK', 'EU', 'XK', 'ZZ', 'K1', ' KE', 'ſe'])('%j is no country', (text) => {
    expect(parseCountry(text)).toBeNull();
  });

  test('the standard assigns 249 codes', () => {
    expect(countries.size).toBe(249);
    expect([...countries]).toEqual([...countries].sort());
  });
});
