// Codes of gift cards: people type them, and a digest finds their card.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#runtime/process/seal.ts';

/** Crockford's base 32, which leaves out letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 16;
const GROUP = 4;
const CODE = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`);

/** Returns 80 random bits as four groups of letters, for example `7K3M-9QTR-XW2B-H5ND`. */
export const makeCode = (): string => {
  // The remainder is unbiased, because 256 is a multiple of 32.
  const letters = Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-');
};

const ENDING = new RegExp(`^[${ALPHABET}]{1,${GROUP}}$`);

const readLetters = (typed: string): string =>
  typed.replace(/[\s-]/g, '').toUpperCase().replace(/[IL]/g, '1').replace(/O/g, '0');

/** Returns the last one to four letters of a code; null if the text is none. */
export const readEnding = (typed: string): string | null => {
  const letters = readLetters(typed);
  return ENDING.test(letters) ? letters : null;
};

export const readCode = (typed: string): string | null => {
  const letters = readLetters(typed);
  return CODE.test(letters) ? letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-') : null;
};

export const codeHash = (code: string): Buffer => sha256(`gift card ${code}`);
