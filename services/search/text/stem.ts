// One term for singular and plural in English and Arabic; other languages stay unchanged.
import { arabicStem, isArabic } from './arabic.ts';
import { singularOf } from './english_noun.ts';

const LETTERS = /^[a-z]+$/;

const isArabicLetter = (code: number): boolean => code >= 0x0621 && code <= 0x064a;

export const stem = (word: string): string => {
  if (word !== '' && isArabicLetter(word.charCodeAt(0)) && isArabic(word)) return arabicStem(word);
  return LETTERS.test(word) ? singularOf(word) : word;
};
