// One term for a word's singular and plural in English and Arabic; nothing else is cut off, so that other languages are
// left alone.
import { arabicStem, isArabic } from './arabic.ts';

const LETTERS = /^[a-z]+$/;

const isArabicLetter = (code: number): boolean => code >= 0x0621 && code <= 0x064a;

/** `batteries` → `battery`, `cases` → `case`, `boxes` → `box`; short words and numbers stay as they are. */
export const stem = (word: string): string => {
  const end = word.length;
  if (end > 0 && isArabicLetter(word.charCodeAt(0)) && isArabic(word)) return arabicStem(word);
  if (end < 4 || word.charCodeAt(end - 1) !== 115 || !LETTERS.test(word)) return word;
  const before = word[end - 2]!;
  if (before === 's' || before === 'u' || before === 'i') return word;
  if (before === 'e') {
    const third = word[end - 3]!;
    if (third === 'i') return end > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
    if (third === 'x' || third === 'z' || word.endsWith('sses') || word.endsWith('ches') || word.endsWith('shes'))
      return word.slice(0, -2);
  }
  return word.slice(0, -1);
};
