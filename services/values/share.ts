// Computes exact shares of an amount, rounded half up to the minor unit. Percentages and rates are whole millionths.

export const WHOLE = 1_000_000;

/** The largest amount whose product with a share of at most 100 % is exact in a double. */
const FAST_MAX = Math.floor(Number.MAX_SAFE_INTEGER / WHOLE);

/**
 * Converts a number by its decimal text to a whole number of 10^-decimals, for at most six decimals: 0.16 gives
 * 160,000. Null when the number has more decimals, is not finite, or is a billion or more.
 */
export const toFixedPoint = (value: number, decimals: number): number | null => {
  if (!(Math.abs(value) < 1e9)) return null;
  const text = String(Math.abs(value));
  // Below a billion, only values below a millionth print with an exponent.
  if (text.includes('e')) return null;
  const [units = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return null;
  const result = Number(units) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'));
  return value < 0 ? -result : result;
};

/** Returns `millionths` of an amount, rounded half up. Both are ≥ 0, and the share is at most 1,000 times the whole. */
export const shareOf = (amount: number, millionths: number): number => {
  if (amount > FAST_MAX || millionths > WHOLE) return exactShare(amount, millionths);
  const product = amount * millionths;
  const rest = product % WHOLE;
  const quotient = (product - rest) / WHOLE;
  return rest * 2 >= WHOLE ? quotient + 1 : quotient;
};

const exactShare = (amount: number, millionths: number): number =>
  Number((2n * BigInt(amount) * BigInt(millionths) + BigInt(WHOLE)) / (2n * BigInt(WHOLE)));
