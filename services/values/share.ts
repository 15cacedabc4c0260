// Computes shares of amounts in whole millionths, rounded half up to the minor unit.

export const WHOLE = 1_000_000;

/** Up to here the product of amount and share is exact. */
const FAST_MAX = Math.floor(Number.MAX_SAFE_INTEGER / WHOLE);

/**
 * A number by its decimal text, as an integer of 10^-decimals, at most six: 0.16 of six is 160,000. Null with more
 * decimals, or from a billion up.
 */
export const toFixedPoint = (value: number, decimals: number): number | null => {
  if (!(Math.abs(value) < 1e9)) return null;
  const text = String(Math.abs(value));
  // Within these bounds only numbers below a millionth have an exponent.
  if (text.includes('e')) return null;
  const [units = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return null;
  const result = Number(units) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'));
  return value < 0 ? -result : result;
};

/** Neither is negative; the share is at most a thousandfold. */
export const shareOf = (amount: number, millionths: number): number => {
  if (amount > FAST_MAX || millionths > WHOLE) return exactShare(amount, millionths);
  const product = amount * millionths;
  const rest = product % WHOLE;
  const quotient = (product - rest) / WHOLE;
  return rest * 2 >= WHOLE ? quotient + 1 : quotient;
};

const exactShare = (amount: number, millionths: number): number =>
  Number((2n * BigInt(amount) * BigInt(millionths) + BigInt(WHOLE)) / (2n * BigInt(WHOLE)));
