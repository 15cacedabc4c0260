// Codes of gift cards, typed by people and found by their digest.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#runtime/process/seal.ts';

/** Crockford's base 32, without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 16;
const GROUP = 4;
const CODE = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`);

/** 80 random bits in four groups: `7K3M-9QTR-XW2B-H5ND`. */
export const makeCode = (): string => {
  // 32 divides 256, so every letter is equally likely.
  const letters = Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-');
};

export const readCode = (typed: string): string | null => {
  const letters = typed.replace(/[\s-]/g, '').toUpperCase().replace(/[IL]/g, '1').replace(/O/g, '0');
  return CODE.test(letters) ? letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-') : null;
};

export const codeHash = (code: string): Buffer => sha256(`gift card ${code}`);
