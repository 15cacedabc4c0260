// Conversions between currencies: exact, in order, with the endings of prices, and never free.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies, currencyOf } from '#values/currency.ts';
import {
  type Conversion,
  convert,
  convertBack,
  convertPrice,
  lowestPriceFor,
  type PriceEnding,
  parseEnding,
  parseRate,
  roundToEnding,
} from '#values/exchange.ts';
import { AMOUNT_MAX, minorMax } from '#values/money.ts';

const exchangeOf = (from: string, to: string, rate: number, ending: string | null = null): Conversion => ({
  from: currencyOf(from),
  to: currencyOf(to),
  rate: parseRate(rate)!,
  ending: ending === null ? null : parseEnding(ending, currencyOf(to))!,
});

describe('parseRate', () => {
  test.each([
    [0.92, { digits: 92n, decimals: 2 }],
    [150, { digits: 150n, decimals: 0 }],
    [1e-7, { digits: 1n, decimals: 7 }],
    [1.25e-8, { digits: 125n, decimals: 10 }],
    [999_999_999.5, { digits: 9_999_999_995n, decimals: 1 }],
  ])('reads %d as an exact decimal', (rate, expected) => {
    expect(parseRate(rate)).toEqual(expected);
  });

  test.each([0, -1, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e9, 1e12, 1e21, 1e-11, 0.12345678901])(
    'refuses %d',
    (rate) => {
      expect(parseRate(rate)).toBeNull();
    },
  );

  test('gives the number again', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 999_999_999, noNaN: true }), (any) => {
        const rate = Number(any.toPrecision(9));
        const read = parseRate(rate);
        if (read !== null) expect(Number(read.digits) / 10 ** read.decimals).toBeCloseTo(rate, 9);
      }),
    );
  });
});

describe('parseEnding', () => {
  test.each<[string, string, PriceEnding | null]>([
    ['0.99', 'EUR', { step: 100, offset: 99 }],
    ['0.9', 'EUR', { step: 100, offset: 90 }],
    ['0.990', 'KWD', { step: 1_000, offset: 990 }],
    ['1', 'EUR', { step: 100, offset: 0 }],
    ['50', 'JPY', { step: 50, offset: 0 }],
    ['0.99', 'JPY', null],
    ['0.995', 'EUR', null],
    ['4.99', 'EUR', null],
    ['0', 'EUR', null],
    ['10001', 'EUR', null],
  ])('reads %s in %s', (text, code, expected) => {
    expect(parseEnding(text, currencyOf(code))).toEqual(expected);
  });
});

test.each([
  [1240, '0.99', 1199],
  [1250, '0.99', 1299],
  [1249, '0.99', 1299],
  [3, '0.99', 99],
  [1250, '1', 1300],
  [1249, '1', 1200],
  [12, '1', 100],
  [1245, '0.90', 1290],
])('rounds %i cents to the ending %s as %i', (price, ending, expected) => {
  expect(roundToEnding(price, parseEnding(ending, currencyOf('EUR'))!)).toBe(expected);
});

test.each([
  ['USD', 'EUR', 0.92, 1999, 1839],
  ['USD', 'JPY', 151.37, 1999, 3026],
  ['USD', 'KWD', 0.307, 1999, 6137],
  ['JPY', 'USD', 0.0066, 3026, 1997],
  ['KWD', 'JPY', 493.1, 1, 0],
])('converts %s to %s at %d: %i becomes %i', (from, to, rate, amount, expected) => {
  expect(convert(amount, exchangeOf(from, to, rate))).toBe(expected);
});

const anyCurrency = fc.constantFrom(...currencies);
const anyRate = fc
  .double({ min: 1e-6, max: 100_000, noNaN: true })
  .map((rate) => Number(rate.toPrecision(7)))
  .filter((rate) => parseRate(rate) !== null);
const anyExchange = fc
  .record({
    from: anyCurrency,
    to: anyCurrency,
    rate: anyRate,
    ending: fc.constantFrom(null, '0.99', '0.95', '0.5', '1', '5', '100'),
  })
  .map(
    ({ from, to, rate, ending }): Conversion => ({
      from,
      to,
      rate: parseRate(rate)!,
      ending: ending === null ? null : parseEnding(ending, to),
    }),
  );
const anyPrice = fc.integer({ min: 1, max: 9_999_999 });

test('stays within half of the smallest unit', () => {
  fc.assert(
    fc.property(anyExchange, anyPrice, (exchange, price) => {
      const amount = convert(price, exchange);
      if (amount === null) return;
      const { from, to, rate } = exchange;
      const [scale, exact] = [
        10n ** BigInt(rate.decimals + from.exponent),
        BigInt(price) * rate.digits * 10n ** BigInt(to.exponent),
      ];
      const twiceOff = 2n * (BigInt(amount) * scale - exact);
      expect(twiceOff > -scale && twiceOff <= scale).toBe(true);
    }),
  );
});

test('converts a rounded amount back to within the worth of one smallest unit', () => {
  fc.assert(
    fc.property(anyExchange, anyPrice, (exchange, price) => {
      const there = convert(price, exchange);
      const back = there === null ? null : convertBack(there, exchange);
      if (back === null) return;
      const unit = convertBack(1, exchange) ?? AMOUNT_MAX;
      expect(Math.abs(back - price)).toBeLessThanOrEqual(unit / 2 + 1);
    }),
  );
});

test('never makes a price free, and ends it as told', () => {
  fc.assert(
    fc.property(anyExchange, anyPrice, (exchange, price) => {
      const converted = convertPrice(price, exchange);
      if (converted === null) return;
      expect(converted).toBeGreaterThan(0);
      expect(converted).toBeLessThanOrEqual(minorMax(exchange.to));
      if (exchange.ending) expect(converted % exchange.ending.step).toBe(exchange.ending.offset);
    }),
  );
  expect(convertPrice(0, exchangeOf('USD', 'EUR', 0.92, '0.99'))).toBe(0);
});

test('finds no price above the largest amount', () => {
  expect(convertPrice(9_999_999_999, exchangeOf('USD', 'VND', 25_000))).toBeNull();
  expect(convert(AMOUNT_MAX, exchangeOf('USD', 'VND', 25_000))).toBeNull();
});

test('keeps the order of prices', () => {
  fc.assert(
    fc.property(anyExchange, anyPrice, anyPrice, (exchange, a, b) => {
      const [low, high] = [convertPrice(Math.min(a, b), exchange), convertPrice(Math.max(a, b), exchange)];
      if (high !== null) expect(low).toBeLessThanOrEqual(high);
    }),
  );
});

test('finds the lowest price that reaches a converted one', () => {
  fc.assert(
    fc.property(anyExchange, anyPrice, (exchange, bound) => {
      const least = lowestPriceFor(bound, exchange);
      if (least === null) return;
      expect(convertPrice(least, exchange) ?? AMOUNT_MAX).toBeGreaterThanOrEqual(bound);
      if (least > 0) expect(convertPrice(least - 1, exchange)).toBeLessThan(bound);
    }),
  );
});
