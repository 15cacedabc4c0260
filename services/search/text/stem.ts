// One term for a word's singular and plural in English and Arabic; nothing else is cut off, so that other languages are
// left alone.
import { arabicStem, isArabic } from './arabic.ts';
import { singularOf } from './english_noun.ts';

const LETTERS = /^[a-z]+$/;

const isArabicLetter = (code: number): boolean => code >= 0x0621 && code <= 0x064a;

/** `batteries` → `battery`, `knives` → `knife`; short words and numbers stay as they are. */
export const stem = (word: string): string => {
  if (word !== '' && isArabicLetter(word.charCodeAt(0)) && isArabic(word)) return arabicStem(word);
  return LETTERS.test(word) ? singularOf(word) : word;
};
