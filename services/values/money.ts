// Computes with money as integers of minor units; callers see decimals of the major unit. Never sums floats.
import type { Currency } from './currency.ts';

/** The largest amount that a caller may send, in major units of any currency. */
export const MAJOR_MAX = 99_999_999.99;

/**
 * The largest amount in minor units. Up to this amount, different decimals of at most four places are different
 * doubles.
 */
export const AMOUNT_MAX = 999_999_999_999_999;

const SCALE = [1, 10, 100, 1_000, 10_000] as const;

const scaleOf = (currency: Currency): number => SCALE[currency.exponent]!;

export const minorMax = (currency: Currency): number => Math.floor(MAJOR_MAX * scaleOf(currency));

const whole = (amount: number): number => {
  if (!Number.isInteger(amount) || Math.abs(amount) > AMOUNT_MAX) throw new RangeError(`no amount of money: ${amount}`);
  return amount;
};

/**
 * Converts a caller's number to minor units by its decimal text: 19.99 is exactly 1999. Null when the number is not
 * finite, has more decimals than the currency, or exceeds 99,999,999.99. Within these bounds the conversion is exact if
 * `minor / scale` gives the number again.
 */
export const toMinor = (major: number, currency: Currency): number | null => {
  const amount = Math.abs(major);
  if (!(amount <= MAJOR_MAX)) return null;
  const scale = scaleOf(currency);
  const minor = Math.round(amount * scale);
  if (minor / scale !== amount) return null;
  return major < 0 ? -minor : minor;
};

/** Returns the number whose JSON text is the exact decimal: dividing two exact integers rounds correctly. */
export const toMajor = (minor: number, currency: Currency): number => whole(minor) / scaleOf(currency);

export const fromMajor = (major: number, currency: Currency): number => whole(Math.round(major * scaleOf(currency)));

export const majorText = (minor: number, currency: Currency): string =>
  toMajor(minor, currency).toFixed(currency.exponent);

export const sum = (amounts: Iterable<number>): number => {
  let total = 0;
  for (const amount of amounts) total += whole(amount);
  return whole(total);
};

export const lowest = (...amounts: readonly (number | null)[]): number | null => {
  let least: number | null = null;
  for (const amount of amounts) if (amount !== null && (least === null || amount < least)) least = amount;
  return least;
};

/**
 * Splits `total` in proportion to non-negative integer weights by the largest-remainder method: the shares sum to the
 * total, and none is off by more than one unit. Among equal remainders the earlier gets the unit. Weights that are all
 * zero count as equal.
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

/** Returns `a × b / divisor` rounded down, and the remainder; exact for products of any size. */
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
 * Multiplies by a rate (0.16 is 16 %) taken by its decimal text, and rounds half up to the minor unit. Negative amounts
 * are rounded like positive ones, so that a refund reverses a charge.
 */
export const multiplyRate = (amount: number, rate: number): number => {
  if (!Number.isFinite(rate)) throw new RangeError(`no rate: ${rate}`);
  const { digits, decimals } = decimalOf(Math.abs(rate));
  const scale = 10n ** BigInt(decimals);
  const product = BigInt(Math.abs(whole(amount))) * digits;
  const rounded = whole(Number((2n * product + scale) / (2n * scale)));
  return rounded !== 0 && amount < 0 !== rate < 0 ? -rounded : rounded;
};

const decimalOf = (value: number): { digits: bigint; decimals: number } => {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [units = '', fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(power);
  const digits = BigInt(units + fraction);
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
};
