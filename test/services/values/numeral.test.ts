// Numerals beyond a double's digits are never read as round numbers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { parseExact, plainNumber } from '#values/numeral.ts';

const dollar = currencyOf('USD');
const read = (numeral: string) => parseExact(`{"amount":${numeral}}`) as { amount: number };

describe('an amount', () => {
  test.each([
    '19.99999999999999999',
    '20.00000000000000001',
    '-19.99999999999999999',
    '1e-400',
    '-1e-400',
    '0.000000000000000000000000001e-400',
    '19.9900000000000000000001',
    '99999999.990000000000001',
    '1999999999999999999999e-20',
  ])('%s is no amount of dollars', (numeral) => {
    expect(toMinor(read(numeral).amount, dollar)).toBeNull();
    expect(Math.abs(read(numeral).amount - Number(numeral))).toBeLessThan(1e-7);
  });

  test.each([
    ['19.990000000000000000000000', 1_999],
    ['1.9990e1', 1_999],
    ['1999E-2', 1_999],
    ['0.0000000000000000000', 0],
    ['0e-400', 0],
    ['0.00', 0],
    ['99999999.99', 9_999_999_999],
  ])('%s is %i cents', (numeral, cents) => {
    expect(toMinor(read(numeral).amount, dollar)).toBe(cents);
  });

  test('equals its written decimal or is refused', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 32n), fc.integer({ min: 0, max: 30 }), (digits, decimals) => {
        const text = digits.toString().padStart(decimals + 1, '0');
        const numeral = decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
        const scale = 10n ** BigInt(decimals);
        const cents = (digits * 100n) % scale === 0n ? (digits * 100n) / scale : null;
        expect(toMinor(read(numeral).amount, dollar)).toBe(
          cents !== null && cents <= 9_999_999_999n ? Number(cents) : null,
        );
      }),
    );
  });
});

test('a fraction never becomes whole, and a bound never moves', () => {
  expect(Number.isInteger(read('2.00000000000000000001').amount)).toBe(false);
  expect(read('0.99999999999999999999').amount).toBeLessThan(1);
  expect(read('-0.99999999999999999999').amount).toBeGreaterThan(-1);
});

test('a numeral inside a string stays unchanged', () => {
  const value = { 'a 19.99999999999999999': 'b \\" 1e-400 "', c: ['19.99999999999999999', true, false, null] };
  expect(parseExact(JSON.stringify(value))).toEqual(value);
});

test('any JSON of doubles is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseExact(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['12.50', 12.5],
  ['0', 0],
  ['-3', -3],
  [16, 16],
  ['0x10', null],
  ['1e2', null],
  ['+5', null],
  [' 5', null],
  ['5 ', null],
  ['.5', null],
  ['5.', null],
  ['1,5', null],
  ['', null],
  ['Infinity', null],
  [Number.NaN, null],
  [true, null],
  [null, null],
  [[5], null],
])('%j is plainly %j', (value, number) => {
  expect(plainNumber(value)).toBe(number);
});
