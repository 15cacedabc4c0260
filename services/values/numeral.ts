// Reads numerals by their text. A double holds about 16 digits, so a longer numeral may be read as a round number
// (19.99999999999999999 as 20, 1e-400 as 0). This parser returns the adjacent double for such a numeral, which is not
// round, so that checks of decimals, bounds and whole numbers judge the written value.

interface Decimal {
  /** Significant digits without leading and trailing zeros; empty for zero. */
  readonly digits: string;
  /** The value is 0.digits × 10^power. */
  readonly power: number;
}

/** A decimal with at most this many digits is read as a double that prints as the same decimal. */
const DIGITS_EXACT = 15;
const PLAIN = /^-?\d+(\.\d+)?$/;
const MAGNITUDE = /^-?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

const decimalOf = (numeral: string): Decimal => {
  const [, units = '', fraction = '', power = '0'] = MAGNITUDE.exec(numeral) ?? [];
  const written = units + fraction;
  let begin = 0;
  while (written[begin] === '0') begin++;
  let end = written.length;
  while (end > begin && written[end - 1] === '0') end--;
  const digits = written.slice(begin, end);
  return digits === '' ? { digits, power: 0 } : { digits, power: units.length - begin + Number(power) };
};

const isBelow = (a: Decimal, b: Decimal): boolean =>
  a.digits === '' || b.digits === ''
    ? a.digits < b.digits
    : a.power === b.power
      ? a.digits < b.digits
      : a.power < b.power;

const bits = new DataView(new ArrayBuffer(8));
const adjacentDouble = (value: number, towardsZero: boolean): number => {
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (towardsZero ? -1n : 1n));
  return bits.getFloat64(0);
};

const readNumeral = (numeral: string): number => {
  const value = Number(numeral);
  if (!Number.isFinite(value)) return value;
  const written = decimalOf(numeral);
  const read = decimalOf(String(value));
  if (read.digits.length > DIGITS_EXACT) return value;
  if (written.power === read.power && written.digits === read.digits) return value;
  return adjacentDouble(value, isBelow(written, read));
};

/**
 * Returns a finite number as it is, or the value of a plain decimal text (`12.50`; no exponent, base, plus sign or
 * blank); null for anything else.
 */
export const plainNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > 40 || !PLAIN.test(value)) return null;
  return readNumeral(value);
};

export const exactNumerals = (json: string): string =>
  json.replace(TOKEN, (token) => {
    if (token[0] === '"' || (token.length <= DIGITS_EXACT && !/[eE]/.test(token))) return token;
    const value = readNumeral(token);
    return Number.isFinite(value) && value !== Number(token) ? String(value) : token;
  });

const SUSPECT = /\d[\d.]{14}|\d[eE]/;

export const parseExact = (json: string): unknown => {
  const value: unknown = JSON.parse(json);
  return SUSPECT.test(json) ? JSON.parse(exactNumerals(json)) : value;
};
