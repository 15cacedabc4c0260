// Percentages and rates as whole millionths, and exact parts of an amount by them: half up to the smallest unit.

/** All of it. */
export const WHOLE = 1_000_000;

/** Up to here the product of an amount and a share is exact. */
const FAST_MAX = Math.floor(Number.MAX_SAFE_INTEGER / WHOLE);

/**
 * A number, read by its decimal text, as a whole number of 10^-decimals, of which there are at most six: 0.16 of six is
 * 160,000. Null when it has more decimals, is not finite, or is not below a billion.
 */
export const toFixedPoint = (value: number, decimals: number): number | null => {
  if (!(Math.abs(value) < 1e9)) return null;
  const text = String(Math.abs(value));
  // Within these bounds only what is below a millionth is written with an exponent.
  if (text.includes('e')) return null;
  const [units = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return null;
  const result = Number(units) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'));
  return value < 0 ? -result : result;
};

/** The part of an amount that `millionths` of it are, half up. Neither is negative, the share at most a thousandfold. */
export const shareOf = (amount: number, millionths: number): number => {
  if (amount > FAST_MAX || millionths > WHOLE) return exactShare(amount, millionths);
  const product = amount * millionths;
  const rest = product % WHOLE;
  const quotient = (product - rest) / WHOLE;
  return rest * 2 >= WHOLE ? quotient + 1 : quotient;
};

const exactShare = (amount: number, millionths: number): number =>
  Number((2n * BigInt(amount) * BigInt(millionths) + BigInt(WHOLE)) / (2n * BigInt(WHOLE)));
