// Currencies: codes in any letter case, decimals as ISO 4217 has them.

import { describe, expect, test } from 'vitest';
import { currencies, currencyOf, parseCurrency } from '#values/currency.ts';

describe('currencies', () => {
  test.each([
    ['USD', 2],
    ['KES', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['MGA', 2],
    ['JPY', 0],
    ['UGX', 0],
    ['ISK', 0],
    ['XOF', 0],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
  ])('%s has %i decimals', (code, exponent) => {
    expect(currencyOf(code).exponent).toBe(exponent);
  });

  test.each(['usd', 'USD', 'uSd'])('%s is the US dollar', (text) => {
    expect(parseCurrency(text)).toMatchObject({ code: 'USD', symbol: '$' });
  });

  test.each(['', 'US', 'USDD', 'XXX', 'XAU', 'ZZZ', ' USD', 'USD ', 'uſd', '€'])('%j is no currency', (text) => {
    expect(parseCurrency(text)).toBeNull();
  });

  test('an unknown stored code is a fault', () => {
    expect(() => currencyOf('ZZZ')).toThrow('ZZZ');
  });

  test('each code stands in the table once, in order, with a name and a symbol', () => {
    const codes = currencies.map((currency) => currency.code);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const currency of currencies) {
      expect(currency.code).toMatch(/^[A-Z]{3}$/);
      expect(currency.name).not.toBe('');
      expect(currency.symbol).not.toBe('');
      expect([0, 2, 3, 4]).toContain(currency.exponent);
    }
  });
});
