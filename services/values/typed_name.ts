// Text that people type, in the one spelling of all that mean the same: names, e-mail addresses, promotion codes, postcodes.
/** What stands in or before a postcode and is no part of it: blanks, hyphens of any script, marks of the post, invisible characters. */
const NO_PART = /[\s\p{Pd}\p{Cf}\u2212\u30fc\u3012\u3020]+/gu;
const PLAIN = /^[0-9A-Z]*$/;

/** Digits of a script are consecutive, zero first. */
const plainDigit = (digit: string): string => {
  const point = digit.codePointAt(0)!;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(point - zero);
};

/** Upper case, half width, ASCII digits, without blanks and hyphens. */
export const plainPostcode = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(NO_PART, '')
        .replace(/(?![0-9])\p{Nd}/gu, plainDigit)
        .toUpperCase();

/** For storing and comparing codes, which ignore letter case and surrounding blanks. */
export const normalCode = (code: string): string => code.normalize('NFC').trim().toUpperCase();

/** NFC and lower case: `José@Example.com` however it was typed. */
export const normalEmail = (email: string): string => email.normalize('NFC').toLowerCase().normalize('NFC');

/** For storing: trimmed, in NFC. */
export const typedName = (text: string): string => text.normalize('NFC').trim();

/** For comparing: ignores letter case. */
export const nameKey = (text: string): string => typedName(text).toLowerCase();
