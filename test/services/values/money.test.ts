// Money: decimals in and out without loss, splits that add up, rounding half up.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies, currencyOf } from '#values/currency.ts';
import {
  AMOUNT_MAX,
  allocate,
  fromMajor,
  lowest,
  majorText,
  minorMax,
  multiplyRate,
  sum,
  toMajor,
  toMinor,
} from '#values/money.ts';

const anyCurrency = fc.constantFrom(...currencies);
const anyMinor = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 });

test.each(currencies.map((currency) => [currency.code, currency] as const))(
  'the most minor units of %s are as much as the most of its major ones',
  (_, currency) => {
    const most = minorMax(currency);
    expect(toMinor(toMajor(most, currency), currency)).toBe(most);
    expect(toMinor(toMajor(most + 1, currency), currency)).toBeNull();
  },
);

describe('toMinor', () => {
  test.each([
    [369.99, 'USD', 36999],
    [0.1, 'USD', 10],
    [0.29, 'USD', 29],
    [1.15, 'USD', 115],
    [0, 'USD', 0],
    [-0, 'USD', 0],
    [-5.5, 'USD', -550],
    [99_999_999.99, 'USD', 9_999_999_999],
    [1200, 'JPY', 1200],
    [1.234, 'KWD', 1234],
    [1.2345, 'CLF', 12345],
    [99_999_999.99, 'KWD', 99_999_999_990],
  ])('%d %s is %i', (major, code, minor) => {
    expect(toMinor(major, currencyOf(code))).toBe(minor);
  });

  test.each([
    [1.001, 'USD'],
    [0.1 + 0.2, 'USD'],
    [1e-7, 'CLF'],
    [5e-324, 'USD'],
    [0.5, 'JPY'],
    [1.2345, 'KWD'],
    [100_000_000, 'USD'],
    [-100_000_000, 'USD'],
    [1e21, 'USD'],
    [Number.NaN, 'USD'],
    [Number.POSITIVE_INFINITY, 'USD'],
  ])('%d %s is no amount', (major, code) => {
    expect(toMinor(major, currencyOf(code))).toBeNull();
  });

  test('goes by the decimal text of a number', () => {
    const anyMajor = fc.oneof(
      fc.double({ min: -1e8, max: 1e8, noNaN: true }),
      fc.double({ min: -1e-3, max: 1e-3, noNaN: true }),
      fc
        .tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 8 }))
        .map(([n, tens]) => n / 10 ** tens),
    );
    fc.assert(
      fc.property(anyMajor, anyCurrency, (major, currency) => {
        const decimal = /^(\d+)(?:\.(\d+))?$/.exec(String(Math.abs(major)));
        const fraction = decimal?.[2] ?? '';
        const short = decimal && fraction.length <= currency.exponent && Math.abs(major) <= 99_999_999.99;
        const minor = short ? Number(`${decimal[1]}${fraction.padEnd(currency.exponent, '0')}`) : null;
        expect(toMinor(major, currency)).toBe(minor && major < 0 ? -minor : minor);
      }),
      { numRuns: 2_000 },
    );
  });

  test('undoes toMajor, and the JSON text between them is the exact decimal', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        const major = toMajor(minor, currency);
        const digits = String(Math.abs(minor)).padStart(currency.exponent + 1, '0');
        const cut = digits.length - currency.exponent;
        const fraction = digits.slice(cut).replace(/0+$/, '');
        const exact = `${minor < 0 ? '-' : ''}${digits.slice(0, cut)}${fraction === '' ? '' : `.${fraction}`}`;
        expect(JSON.stringify(major)).toBe(exact);
        if (Math.abs(major) <= 99_999_999.99) expect(toMinor(major, currency)).toBe(minor);
      }),
    );
  });
});

describe('toMajor', () => {
  test.each([0.5, Number.NaN, 1e15, Number.POSITIVE_INFINITY])('%d minor units are a fault', (minor) => {
    expect(() => toMajor(minor, currencyOf('USD'))).toThrow(RangeError);
  });
});

describe('fromMajor', () => {
  test('undoes toMajor, up to the largest amount there is', () => {
    const amounts = fc.oneof(anyMinor, fc.integer({ min: AMOUNT_MAX - 1_000_000, max: AMOUNT_MAX }));
    fc.assert(
      fc.property(amounts, anyCurrency, (minor, currency) => {
        expect(fromMajor(toMajor(minor, currency), currency)).toBe(minor);
      }),
    );
  });
});

describe('majorText', () => {
  test.each([
    [1000, 'USD', '10.00'],
    [5, 'USD', '0.05'],
    [1200, 'JPY', '1200'],
    [1234, 'KWD', '1.234'],
    [-5, 'USD', '-0.05'],
  ])('%i of %s reads %s', (minor, code, text) => {
    expect(majorText(minor, currencyOf(code))).toBe(text);
  });
});

describe('sum and lowest', () => {
  test('a sum is exact', () => {
    expect(sum([10, 20, -5])).toBe(25);
    expect(sum([])).toBe(0);
  });
  test('a sum that leaves the exact range is a fault', () => {
    expect(() => sum([999_999_999_999_999, 1])).toThrow(RangeError);
  });
  test('the lowest passes over what does not exist', () => {
    expect(lowest(1000, null, 900)).toBe(900);
    expect(lowest(null, null)).toBeNull();
  });
});

describe('allocate', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [5, [3, 7], [2, 3]],
    [1, [1, 1], [1, 0]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [10, [0, 0, 0], [4, 3, 3]],
    [10, [0, 5], [0, 10]],
    [0, [], []],
  ])('%i over %j is %j', (total, weights, parts) => {
    expect(allocate(total, weights)).toEqual(parts);
  });

  test('adds up to the total, each part within one unit of its exact share', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 9_999_999_999 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), weights, (total, given) => {
        const parts = allocate(total, given);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(total);
        const all = BigInt(given.reduce((a, b) => a + b, 0));
        for (const [line, part] of parts.entries()) {
          const share =
            all === 0n ? [BigInt(total), BigInt(given.length)] : [BigInt(total) * BigInt(given[line]!), all];
          const off = BigInt(part) * share[1]! - share[0]!;
          expect(off > -share[1]! && off < share[1]!).toBe(true);
        }
      }),
    );
  });

  test('a negative weight and a total without lines are faults', () => {
    expect(() => allocate(10, [1, -1])).toThrow(RangeError);
    expect(() => allocate(10, [])).toThrow(RangeError);
  });
});

describe('multiplyRate', () => {
  test.each([
    [1000, 0.16, 160],
    [50, 0.01, 1],
    [49, 0.01, 0],
    [1250, 0.075, 94],
    [-50, 0.01, -1],
    [1005, 0.1, 101],
    [100, 0, 0],
    [100, 1, 100],
    [100, 1e-7, 0],
    [9_999_999_999, 1, 9_999_999_999],
    [3, 0.5, 2],
  ])('%i at %d is %i', (amount, rate, result) => {
    expect(multiplyRate(amount, rate)).toBe(result);
  });

  test('rounds half up to a whole unit', () => {
    const tenThousandths = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), tenThousandths, (amount, rate) => {
        const result = BigInt(multiplyRate(amount, rate / 10_000));
        const twiceOff = 2n * (BigInt(amount) * BigInt(rate) - result * 10_000n);
        expect(twiceOff >= -10_000n && twiceOff < 10_000n).toBe(true);
      }),
    );
  });

  test('mirrors at zero', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999_999 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (amount, rate) => {
          expect(multiplyRate(-amount, rate) + multiplyRate(amount, rate)).toBe(0);
        },
      ),
    );
  });
});
