// Normalises texts that people type or other systems send: names, e-mail addresses, promotion codes, postcodes, product
// numbers.

/** Characters that are dropped from a postcode: blanks, hyphens of any script, postal marks, invisible characters. */
const NO_PART = /[\s\p{Pd}\p{Cf}\u2212\u30fc\u3012\u3020]+/gu;
const PLAIN = /^[0-9A-Z]*$/;

/** Converts a decimal digit of any script to ASCII. Each script's digits are consecutive and start with zero. */
const plainDigit = (digit: string): string => {
  const point = digit.codePointAt(0)!;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(point - zero);
};

export const plainPostcode = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(NO_PART, '')
        .replace(/(?![0-9])\p{Nd}/gu, plainDigit)
        .toUpperCase();

export const normalCode = (code: string): string => code.normalize('NFC').trim().toUpperCase();

export const normalEmail = (email: string): string => email.normalize('NFC').toLowerCase().normalize('NFC');

export const typedName = (text: string): string => text.normalize('NFC').trim();

export const nameKey = (text: string): string => typedName(text).toLowerCase();

/**
 * Returns at most `lengthMax` characters of a text; empty for other types. Removes NUL and replaces lone surrogates,
 * which databases reject and truncation may cause.
 */
export const externalText = (value: unknown, lengthMax: number): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, lengthMax).toWellFormed() : '';

const LOOKS = /^[0-9][0-9 -]{5,18}[0-9Xx]$/;

export const looksLikeGtin = (text: string): boolean => LOOKS.test(text);

export const validGtin = (text: string | null): string | null => (text !== null && looksLikeGtin(text) ? text : null);
