// Converts amounts between currencies by an exact decimal rate, and rounds prices to endings such as x.99. Pure; amounts
// are in minor units of their currency.
import type { Currency } from './currency.ts';
import { AMOUNT_MAX, minorMax, toMinor } from './money.ts';

/** `digits / 10^decimals` major units of the other currency for one major unit of the store's. */
export interface ExchangeRate {
  readonly digits: bigint;
  readonly decimals: number;
}

/** Rates are below it. */
export const RATE_MAX = 1_000_000_000;
export const RATE_DECIMALS = 10;

const RATE_TEXT = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Reads the number's shortest decimal text, so that 0.92 is exactly 92/100. Null unless it is above 0, below a billion
 * and has at most ten decimals.
 */
export const parseRate = (rate: number): ExchangeRate | null => {
  if (!(rate > 0 && rate < RATE_MAX)) return null;
  const [, units = '', fraction = '', power = '0'] = RATE_TEXT.exec(String(rate))!;
  const decimals = fraction.length - Number(power);
  return decimals > RATE_DECIMALS ? null : { digits: BigInt(units + fraction), decimals };
};

const RATE_DIGITS = /^(\d+)(?:\.(\d+))?$/;

/** Returns the exact decimal, such as `0.92`. */
export const rateText = ({ digits, decimals }: ExchangeRate): string => {
  const text = String(digits).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};

export const rateOf = (text: string): ExchangeRate => {
  const [, units, fraction = ''] = RATE_DIGITS.exec(text) ?? [];
  if (units === undefined) throw new Error(`no exchange rate: ${text}`);
  return { digits: BigInt(units + fraction), decimals: fraction.length };
};

/** A conversion from the store's currency into another one. */
export interface Conversion {
  readonly from: Currency;
  readonly to: Currency;
  readonly rate: ExchangeRate;
  /** Ending of prices; null rounds to the minor unit. */
  readonly ending: PriceEnding | null;
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

const halfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

const amountOrNull = (amount: bigint): number | null => (amount > BigInt(AMOUNT_MAX) ? null : Number(amount));

/** Converts an amount of at least 0, rounded half up. Null above AMOUNT_MAX. */
export const convert = (amount: number, { from, to, rate }: Conversion): number | null =>
  amountOrNull(halfUp(BigInt(amount) * rate.digits * power(to.exponent), power(rate.decimals) * power(from.exponent)));

/** Converts an amount of at least 0, rounded down, so that value held in the store's currency never pays for more. */
export const convertDown = (amount: number, { from, to, rate }: Conversion): number | null =>
  amountOrNull((BigInt(amount) * rate.digits * power(to.exponent)) / (power(rate.decimals) * power(from.exponent)));

/** Converts an amount of the other currency into the store's. Null above AMOUNT_MAX. */
export const convertBack = (amount: number, { from, to, rate }: Conversion): number | null =>
  amountOrNull(halfUp(BigInt(amount) * power(rate.decimals) * power(from.exponent), rate.digits * power(to.exponent)));

/** Prices are `offset` more than a multiple of `step`, both in minor units: 99 and 100 for x.99, 0 and 100 for whole. */
export interface PriceEnding {
  readonly step: number;
  readonly offset: number;
}

const WHOLE_MAX = 10_000;

/**
 * Parses an ending in major units: below 1 the decimals of each price (`0.99`), otherwise the whole number of which each
 * price is a multiple (`1`, `50`). Null if the currency has fewer decimals, and for other numbers.
 */
export const parseEnding = (text: string, currency: Currency): PriceEnding | null => {
  const value = Number(text);
  const minor = toMinor(value, currency);
  if (minor === null || minor <= 0 || value > WHOLE_MAX) return null;
  const scale = 10 ** currency.exponent;
  if (minor < scale) return { step: scale, offset: minor };
  return minor % scale === 0 ? { step: minor, offset: 0 } : null;
};

/** Rounds a price above 0 to the nearest one with the ending, of two equally near ones to the higher. */
export const roundToEnding = (price: number, { step, offset }: PriceEnding): number => {
  const least = offset === 0 ? step : offset;
  if (price <= least) return least;
  return offset + Math.floor((2 * (price - offset) + step) / (2 * step)) * step;
};

/**
 * Converts a price and rounds it to the ending. Free stays free, and no other price becomes free. A higher price never
 * becomes lower than a lower one. Null above the largest amount.
 */
export const convertPrice = (price: number, exchange: Conversion): number | null => {
  if (price === 0) return 0;
  const exact = convert(price, exchange);
  if (exact === null) return null;
  const rounded = exchange.ending === null ? Math.max(1, exact) : roundToEnding(exact, exchange.ending);
  return rounded > minorMax(exchange.to) ? null : rounded;
};

/**
 * Returns the lowest price in the store's currency that converts to at least `price`. Null if none does. Filters by price
 * thereby select exactly the converted prices.
 */
export const lowestPriceFor = (price: number, exchange: Conversion): number | null => {
  const reaches = (own: number): boolean => (convertPrice(own, exchange) ?? Number.POSITIVE_INFINITY) >= price;
  let low = 0;
  let high = minorMax(exchange.from);
  if (!reaches(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Returns `whole × part / of`, rounded half up: exactly the whole if `part` is `of`. All are at least 0, `of` above 0. */
export const inProportion = (whole: number, part: number, of: number): number =>
  Number(halfUp(BigInt(whole) * BigInt(part), BigInt(of)));
