// Finds the head noun of a product name: "Gel Mouse Pad Blue" is a pad, "Laser mouse USB 1000 DPI" a mouse. Ignores
// numbers, attribute values and purposes that follow the noun.

import { fold } from '#values/fold.ts';
import { type Analysis, PLAIN } from './analysis.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’+#./-]*/gu;
const DIGIT = /\p{N}/u;
const NUMBER = /^[\p{N}.]+$/u;
const UNIT_LENGTH_MAX = 4;
const PHRASE_END = /[,;:|(–—]| - /u;
const VALUE_END = /[,;|/]/u;
const MAYBE = /\(\p{L}\)/gu;
/** Separates the kinds in a category's name, such as "Tablets & readers". */
const KINDS = /[,;|/&+>]| and /u;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** Returns the head noun in folded form; empty if the name consists of numbers and attribute values. */
export const headOf = (name: string, values: readonly string[], analysis: Analysis = PLAIN): string => {
  const said = phrasesOf(values);
  for (const phrase of fold(name).replace(MAYBE, '').split(PHRASE_END)) {
    const words = wordsOf(phrase);
    const filler = words.findIndex((word, at) => at > 0 && endsThing(word, analysis));
    let end = filler < 0 ? words.length : filler;
    for (let before = -1; before !== end; ) {
      before = end;
      end = withoutFigure(words, end);
      end = withoutValue(words, end, said);
      while (end > 0 && analysis.joining.has(words[end - 1]!)) end--;
    }
    if (end > 0) return words[analysis.nounFirst ? 0 : end - 1]!;
  }
  return '';
};

const endsThing = (word: string, { stopWords, joining }: Analysis): boolean =>
  word === 'w/' || (stopWords.has(word) && !joining.has(word));

const phrasesOf = (values: readonly string[]): ReadonlySet<string> => {
  const said = new Set<string>();
  for (const value of values) {
    for (const part of fold(value).split(VALUE_END)) {
      const words = wordsOf(part);
      if (words.length === 0 || words.length > VALUE_WORDS_MAX) continue;
      said.add(words.join(' '));
      for (let at = 0; at < words.length - 1; at++) said.add(words[at]!);
    }
  }
  return said;
};

const withoutFigure = (words: readonly string[], end: number): number => {
  if (end > 0 && DIGIT.test(words[end - 1]!)) return end - 1;
  const unit = end > 1 && NUMBER.test(words[end - 2]!) && words[end - 1]!.length <= UNIT_LENGTH_MAX;
  return unit ? end - 2 : end;
};

const VALUE_WORDS_MAX = 6;

const withoutValue = (words: readonly string[], end: number, said: ReadonlySet<string>): number => {
  for (let from = Math.max(0, end - VALUE_WORDS_MAX); from < end; from++)
    if (said.has(words.slice(from, end).join(' '))) return from;
  return end;
};

export const kindsOf = (category: string, analysis: Analysis = PLAIN): string[] =>
  category.split(KINDS).flatMap((kind) => headOf(kind, [], analysis) || []);
