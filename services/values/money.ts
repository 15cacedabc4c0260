// Money: integers of a currency's smallest unit inside, decimal numbers of its major unit outside, never a float sum.
import type { Currency } from './currency.ts';

/** The largest amount a caller may name, in major units of any currency. */
export const MAJOR_MAX = 99_999_999.99;

/** The largest amount in minor units: up to here a double of at most four decimals has one decimal text of its own. */
export const AMOUNT_MAX = 999_999_999_999_999;

const SCALE = [1, 10, 100, 1_000, 10_000] as const;

const scaleOf = (currency: Currency): number => SCALE[currency.exponent]!;

/** The same in minor units, rounded down to whole ones. */
export const minorMax = (currency: Currency): number => Math.floor(MAJOR_MAX * scaleOf(currency));

const whole = (amount: number): number => {
  if (!Number.isInteger(amount) || Math.abs(amount) > AMOUNT_MAX) throw new RangeError(`no amount of money: ${amount}`);
  return amount;
};

/**
 * Minor units of a caller's number, by its decimal text: 19.99 is exactly 1999. Null when it is not finite, has more
 * decimals than the currency, or is beyond 99,999,999.99 either way. Within these bounds a number's text is the decimal of
 * `minor / scale` just where that quotient, correctly rounded, is the number: decimals so short have a double each.
 */
export const toMinor = (major: number, currency: Currency): number | null => {
  const amount = Math.abs(major);
  if (!(amount <= MAJOR_MAX)) return null;
  const scale = scaleOf(currency);
  const minor = Math.round(amount * scale);
  if (minor / scale !== amount) return null;
  return major < 0 ? -minor : minor;
};

/**
 * The number whose JSON text is the exact decimal. One division of two exact integers is correctly rounded, so it gives
 * the very double that the decimal text would be read as.
 */
export const toMajor = (minor: number, currency: Currency): number => whole(minor) / scaleOf(currency);

/**
 * Minor units of a number that `toMajor` gave, whatever its size: so far below one unit off that rounding is exact. For
 * what the house told itself; a caller's number is read by `toMinor`.
 */
export const fromMajor = (major: number, currency: Currency): number => whole(Math.round(major * scaleOf(currency)));

/** The amount with all of its currency's decimals, as feeds write it: `10.00`. */
export const majorText = (minor: number, currency: Currency): string =>
  toMajor(minor, currency).toFixed(currency.exponent);

export const sum = (amounts: Iterable<number>): number => {
  let total = 0;
  for (const amount of amounts) total += whole(amount);
  return whole(total);
};

/** The lowest of the amounts that exist; null when none does. */
export const lowest = (...amounts: readonly (number | null)[]): number | null => {
  let least: number | null = null;
  for (const amount of amounts) if (amount !== null && (least === null || amount < least)) least = amount;
  return least;
};

/**
 * Splits `total` in proportion to `weights` (integers, none negative) by largest remainder: the parts add up to the
 * total, none is more than one unit off its exact share, and of equal remainders the earlier line gets the unit.
 * Weights that are all zero count as equal.
 */
export const allocate = (total: number, weights: readonly number[]): number[] => {
  whole(total);
  if (weights.length === 0) {
    if (total !== 0) throw new RangeError('nothing to allocate to');
    return [];
  }
  if (total < 0) return allocate(-total, weights).map((part) => (part === 0 ? 0 : -part));
  for (const weight of weights) if (whole(weight) < 0) throw new RangeError(`negative weight: ${weight}`);
  const given = sum(weights);
  const weighing = given === 0 ? weights.map(() => 1) : weights;
  const divisor = given === 0 ? weights.length : given;
  const shares = weighing.map((weight, line) => {
    const { quotient, remainder } = divide(total, weight, divisor);
    return { line, quotient, remainder };
  });
  const parts = shares.map((share) => share.quotient);
  let left = total - sum(parts);
  shares.sort((a, b) => b.remainder - a.remainder || a.line - b.line);
  for (const share of shares) {
    if (left === 0) break;
    parts[share.line]! += 1;
    left -= 1;
  }
  return parts;
};

/** `a × b / divisor`, rounded down, with what is left over; exact whatever the size of the product. */
const divide = (a: number, b: number, divisor: number): { quotient: number; remainder: number } => {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) {
    const remainder = product % divisor;
    return { quotient: (product - remainder) / divisor, remainder };
  }
  const exact = BigInt(a) * BigInt(b);
  return { quotient: Number(exact / BigInt(divisor)), remainder: Number(exact % BigInt(divisor)) };
};

/**
 * The amount times a decimal rate (0.16 is 16 %), the rate taken by its decimal text, the result rounded half up to the
 * smallest unit. A negative amount mirrors the positive one, so that a refund takes back what was charged.
 */
export const multiplyRate = (amount: number, rate: number): number => {
  if (!Number.isFinite(rate)) throw new RangeError(`no rate: ${rate}`);
  const { digits, decimals } = decimalOf(Math.abs(rate));
  const scale = 10n ** BigInt(decimals);
  const product = BigInt(Math.abs(whole(amount))) * digits;
  const rounded = whole(Number((2n * product + scale) / (2n * scale)));
  return rounded !== 0 && amount < 0 !== rate < 0 ? -rounded : rounded;
};

/** A number that is not negative as `digits / 10^decimals`, from its shortest decimal text. */
const decimalOf = (value: number): { digits: bigint; decimals: number } => {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [units = '', fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(power);
  const digits = BigInt(units + fraction);
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
};
