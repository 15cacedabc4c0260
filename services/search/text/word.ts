// Splits texts into words: a document's into every form that queries may use, a query's as typed.

import { fold } from '#values/fold.ts';
import { type Analysis, PLAIN as PLAIN_ANALYSIS } from './analysis.ts';
import { DIGIT, emojiAt, JOINER, kindOf, LETTER, SEPARATOR, UNSPACED } from './character.ts';
import { compoundPairs, eachCompoundEnd } from './compound.ts';
import { isUnit, unitOf } from './unit.ts';

/** Longer words are cut, because they would enlarge the vocabulary without being searched. */
export const WORD_LENGTH_MAX = 40;
const PIECES_MAX = 5;

/** A word with joiners and its pieces: `usb-c` has `usb` and `c`. A word without joiners is its only piece. */
export interface Compound {
  readonly pieces: readonly string[];
  readonly inches: boolean;
  readonly unspaced: boolean;
  /** Whether a slash separates the pieces, which then are words too. */
  readonly slashed: boolean;
  /** Parts before and after apostrophes, such as `l` and `oreal`. */
  readonly elided: readonly string[];
}

const PLAIN = { inches: false, unspaced: false, slashed: false, elided: [] };

const QUOTE = 34;
const APOSTROPHE = 39;
const DOT = 46;
const COMMA = 44;
const SLASH = 47;

const digitAt = (text: string, at: number): boolean => at < text.length && kindOf(text.charCodeAt(at)) === DIGIT;
const alphanumericAt = (text: string, at: number): boolean => {
  if (at >= text.length) return false;
  const kind = kindOf(text.charCodeAt(at));
  return kind === LETTER || kind === DIGIT;
};

const eachCompound = (text: string, take: (compound: Compound) => void): void => {
  const end = text.length;
  let at = 0;
  while (at < end) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === SEPARATOR || kind === JOINER) {
      const emoji = kind === SEPARATOR ? emojiAt(text, at) : '';
      if (emoji !== '') take({ ...PLAIN, pieces: [emoji] });
      at += emoji.length || 1;
      continue;
    }
    if (kind === UNSPACED) {
      const start = at;
      while (at < end && kindOf(text.charCodeAt(at)) === UNSPACED) at++;
      take({ ...PLAIN, pieces: [text.slice(start, at)], unspaced: true });
      continue;
    }
    at = readCompound(text, at, take);
  }
};

const readCompound = (text: string, start: number, take: (compound: Compound) => void): number => {
  const pieces: string[] = [];
  const elided: string[] = [];
  let piece = '';
  let slashed = false;
  let from = start;
  let at = start;
  for (;;) {
    while (alphanumericAt(text, at)) at++;
    piece += text.slice(from, at);
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (kindOf(code) !== JOINER || !alphanumericAt(text, at + 1)) break;
    slashed ||= code === SLASH;
    const between = digitAt(text, at - 1) && digitAt(text, at + 1);
    // Reads 15.6 and 15,6 as the same number, 1,000 as 1000, and women's as womens.
    if (code === COMMA && !between) break;
    if (between && code === COMMA) piece += thousands(text, at) ? '' : '.';
    else if (between && code === DOT) piece += '.';
    else if (code === APOSTROPHE) elided.push(text.slice(from, at));
    else {
      pieces.push(piece);
      piece = '';
    }
    at++;
    from = at;
  }
  if (elided.length > 0) elided.push(text.slice(from, at));
  // Adds signs that follow a letter, so that `c++` and `c#` differ from `c`.
  const signs = LETTER_LAST.test(piece) ? signsAt(text, at) : '';
  at += signs.length;
  pieces.push(piece + signs);
  const inches = at < text.length && text.charCodeAt(at) === QUOTE && digitAt(text, at - 1);
  const cut = (parts: readonly string[]) => parts.map((each) => each.slice(0, WORD_LENGTH_MAX));
  take({ pieces: cut(pieces), inches, unspaced: false, slashed, elided: cut(withoutEnding(elided)) });
  return at;
};

/** Drops a single letter after an apostrophe, as in `women's`, because it is not a word. */
const withoutEnding = (parts: readonly string[]): readonly string[] =>
  parts.length > 1 && parts[parts.length - 1]!.length === 1 ? parts.slice(0, -1) : parts;

const LETTER_LAST = /\p{L}\d*$/u;
const SIGNS = /(?:\+\+|#)(?![\p{L}\p{N}+#])/uy;

const signsAt = (text: string, at: number): string => {
  SIGNS.lastIndex = at;
  return SIGNS.exec(text)?.[0] ?? '';
};

const thousands = (text: string, at: number): boolean =>
  digitAt(text, at + 1) && digitAt(text, at + 2) && digitAt(text, at + 3) && !alphanumericAt(text, at + 4);

const NUMBER = /^\d+(?:\.\d+)?/;
const SPLIT = /^(?:([^\d.]{2,})(\d[\d.]*)|(\d[\d.]*)([^\d.]{2,}))$/;

const DIGITS = /^\d+$/;
const MIXED = /^(?=.*\d)(?=.*[^\d])/;

const measureOf = (piece: string): { number: string; unit: string } | null => {
  const number = NUMBER.exec(piece)?.[0];
  if (number === undefined || number.length === piece.length) return null;
  const unit = unitOf(piece.slice(number.length));
  return unit === null ? null : { number, unit };
};

const isNumber = (piece: string): boolean => NUMBER.exec(piece)?.[0] === piece;

/** Returns whether the joined pieces are a name. Numbers with slashes are not: `10/100` must not match 10100. */
const isName = (whole: string, slashed: boolean): boolean => !(slashed && DIGITS.test(whole));

/**
 * Kinds of a term: a word as it occurs in the text, another form of it, or a part such as `lp` and `811` of `lp811`.
 */
export const OWN = 0;
export const FORM = 1;
export const PART = 2;
export type WordKind = typeof OWN | typeof FORM | typeof PART;
export type TakeTerm = (term: string, kind: WordKind) => void;

export const eachTerm = (text: string, take: TakeTerm, analysis: Analysis = PLAIN_ANALYSIS): void => {
  let number = '';
  eachCompound(fold(text), ({ pieces, inches, unspaced, slashed, elided }) => {
    if (unspaced) {
      number = '';
      return eachGram(pieces[0]!, take);
    }
    for (const piece of pieces) eachForm(piece, take, analysis);
    for (const part of elided) takeForms(part, take, PART, analysis);
    if (pieces.length > 1 && pieces.length <= PIECES_MAX) {
      const whole = pieces.join('');
      if (whole.length <= WORD_LENGTH_MAX && isName(whole, slashed)) takeForms(whole, take, FORM, analysis);
    }
    const last = pieces[pieces.length - 1]!;
    // Adds the joined form: `256 GB` equals `256gb`; `15.6 inch` and `15.6"` equal `15.6in`.
    if (number !== '' && isUnit(pieces[0]!)) take(number + unitOf(pieces[0]!), FORM);
    if (pieces.length > 1 && isUnit(last) && isNumber(pieces[pieces.length - 2]!))
      take(pieces[pieces.length - 2]! + unitOf(last), FORM);
    if (inches && isNumber(last)) take(`${last}in`, FORM);
    number = isNumber(last) ? last : '';
  });
};

const eachForm = (piece: string, take: TakeTerm, analysis: Analysis): void => {
  const bare = bareOf(piece);
  if (bare !== piece) {
    take(piece, OWN);
    takeForms(bare, take, PART, analysis);
    return;
  }
  const measure = measureOf(piece);
  if (measure) {
    take(measure.number + measure.unit, OWN);
    take(measure.number, PART);
    take(measure.unit, PART);
    // Adds the measure as written, so that typos can be corrected to it.
    if (piece !== measure.number + measure.unit) take(piece, FORM);
    return;
  }
  takeForms(piece, take, OWN, analysis);
  if (analysis.compounds) eachCompoundEnd(piece, (end) => takeForms(end, take, PART, analysis));
  if (HANGUL.test(piece)) eachEnd(piece, take);
  // Adds parts such as `k1400` of `k1400.001`, because shoppers search for these.
  if (piece.includes('.')) for (const part of piece.split('.')) if (MIXED.test(part)) take(part, PART);
  const parts = SPLIT.exec(piece);
  if (!parts) return;
  const [, head = parts[3]!, tail = parts[4]!] = parts;
  takeForms(head, take, PART, analysis);
  takeForms(tail, take, PART, analysis);
};

/** Korean nouns, which may be written together or separately. */
const HANGUL = /^[\uac00-\ud7a3]{3,}$/;
const HANGUL_LENGTH_MIN = 2;

/**
 * Takes every ending of a Korean noun, so that a search for the second half of a compound finds it; prefix search finds
 * the first half.
 */
const eachEnd = (piece: string, take: TakeTerm): void => {
  for (let at = 1; at <= piece.length - HANGUL_LENGTH_MIN; at++) take(piece.slice(at), PART);
};

export const partLengthMin = (word: string): number => (HANGUL.test(word) ? HANGUL_LENGTH_MIN : 3);

const bareOf = (piece: string): string => {
  let end = piece.length;
  while (end > 1 && '+#'.includes(piece[end - 1]!)) end--;
  return piece.slice(0, end);
};

const takeForms = (word: string, take: TakeTerm, kind: WordKind, { stem }: Analysis): void => {
  take(word, kind);
  const singular = stem(word);
  if (singular !== word) take(singular, kind === OWN ? FORM : kind);
};

/** Takes single characters and pairs of adjacent ones, so that any part of the run can be found. */
const eachGram = (run: string, take: TakeTerm): void => {
  for (let at = 0; at < run.length; at++) {
    take(run[at]!, OWN);
    if (at + 1 < run.length) take(run.slice(at, at + 2), FORM);
  }
};

/** A word of a query, with alternative readings: the first whose terms all exist in the index is used. */
export interface QueryWord {
  readonly typed: string;
  readonly readings: readonly (readonly string[])[];
  readonly unspaced?: boolean;
  /** Whether the word was typed without spaces and may be a name, such as `lp811` or `tk-330`. */
  readonly whole?: boolean;
  readonly parts?: readonly QueryWord[];
}

export const queryWords = (text: string, analysis: Analysis = PLAIN_ANALYSIS): QueryWord[] => {
  const { stem } = analysis;
  const words: QueryWord[] = [];
  let number = '';
  eachCompound(fold(text), ({ pieces, inches, unspaced, slashed, elided }) => {
    if (unspaced) {
      const run = pieces[0]!;
      const grams = run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
      words.push({ typed: run, readings: [grams], unspaced: true });
      number = '';
      return;
    }
    const last = pieces[pieces.length - 1]!;
    if (number !== '' && pieces.length === 1 && isUnit(last)) {
      const unit = unitOf(last)!;
      words[words.length - 1] = { typed: `${number} ${last}`, readings: [[number + unit], [number, unit]] };
      number = '';
      return;
    }
    const word = wordOf(pieces, analysis, inches, slashed);
    // Ignores single letters before an apostrophe, such as the `l` of `l'olive`.
    const parts = elided.filter((part) => part.length > 1).map((part) => stem(part));
    words.push(parts.length > 0 ? { ...word, readings: [...word.readings, parts] } : word);
    number = pieces.length === 1 && isNumber(last) && !inches ? last : '';
  });
  return words;
};

const wordOf = (pieces: readonly string[], analysis: Analysis, inches = false, slashed = false): QueryWord => {
  const { stem } = analysis;
  const typed = pieces.join('');
  const last = pieces[pieces.length - 1]!;
  if (inches && isNumber(last) && pieces.length === 1) {
    return { typed, readings: [[`${last}in`], [last]] };
  }
  const single = pieces.length === 1 ? measureOf(typed) : null;
  if (single) {
    return { typed, readings: [[single.number + single.unit], [single.number, single.unit]], whole: true };
  }
  if (pieces.length > 1) {
    const own = [stem(typed)];
    const separate = pieces.map((piece) => stem(piece));
    const whole = isName(typed, slashed);
    const readings = slashed ? (whole ? [separate, own] : [separate]) : [own, separate];
    return { typed, readings, whole, parts: pieces.map((piece) => wordOf([piece], analysis)) };
  }
  const bare = bareOf(typed);
  if (bare !== typed) return { typed, readings: [[typed], [stem(bare)]] };
  const readings: string[][] = [[stem(typed)]];
  const parts = SPLIT.exec(typed);
  if (parts) readings.push([stem(parts[1] ?? parts[3]!), stem(parts[2] ?? parts[4]!)]);
  if (analysis.compounds) for (const pair of compoundPairs(typed)) readings.push(pair.map((part) => stem(part)));
  return { typed, readings, whole: true };
};
