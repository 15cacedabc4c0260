// Corrects a word: finds terms that differ by one edit, and splits two words typed without a space.
import { QUALIFIERS } from '#services/search/text/frequent_word.ts';
import { partLengthMin, WORD_LENGTH_MAX } from '#services/search/text/word.ts';
import { fillsPage, hasProducts, PAGE } from './presence.ts';
import type { ProductIndex } from './product_index.ts';

import { type Distance, NEAR } from './vocabulary.ts';
import { rarity } from './weight.ts';

const CANDIDATES_MAX = 24;
/**
 * Shorter words are not corrected, because one edit turns them into almost any other; short ones only by adding a
 * letter or transposing two.
 */
const CORRECTED_LENGTH_MIN = 2;
const ANY_LENGTH_MIN = 3;
/**
 * Words that may be typos even if products contain them: words of five or more characters, and shorter ones with a
 * digit, such as `1u5`.
 */
const POSSIBLE_TYPO = /^(?:.{5,}|(?=.*\d).{3,4})$/;
const NUMBER = /\d/;
/** Maximum factor of a corrected term, in 256ths of an exact term's impact. */
const CORRECTED = 205;
const SHARES = [256, 128, 64];

interface Candidate extends Alternative {
  readonly distance: Distance;
  readonly count: number;
}

/**
 * Treats a word as a possible typo if fewer products than one page contain it. For numbers, only products with a
 * prominent occurrence count, because many descriptions contain numbers by chance.
 */
export const mayBeTypo = (index: ProductIndex, typed: string, term: number): boolean =>
  NUMBER.test(typed) ? !fillsPage(index, term) : index.postings.count(term) < PAGE;

export const correctionsOf = (index: ProductIndex, typed: string): Candidate[] => candidatesOf(index, typed);

/**
 * Returns the terms one edit away; for a word that is unlikely to be a typo, only those with one letter more or two
 * transposed.
 */
export const alternativesOf = (index: ProductIndex, typed: string): Candidate[] =>
  candidatesOf(index, typed, !POSSIBLE_TYPO.test(typed));

const candidatesOf = (index: ProductIndex, typed: string, nearOnly = false): Candidate[] => {
  if (typed.length < CORRECTED_LENGTH_MIN || typed.length > WORD_LENGTH_MAX || QUALIFIERS.has(typed)) return [];
  const all = !nearOnly && typed.length >= ANY_LENGTH_MIN;
  const found: Candidate[] = [];
  // The factor grows with the square root of the term's rarity: a rare word distinguishes products better, but a
  // frequent one is more likely what the shopper meant.
  const rarest = rarity(1, index.size);
  const { postings } = index;
  index.vocabulary.eachEdit(typed, (term, distance) => {
    if ((distance !== NEAR && !all) || found.some((other) => other.term === term) || !hasProducts(index, term)) return;
    const count = postings.count(term);
    const share = Math.round(CORRECTED * Math.sqrt(rarity(count, index.size) / rarest));
    found.push({ term, distance, count, factor: Math.max(1, (share * SHARES[distance]!) >> 8) });
  });
  found.sort((a, b) => a.distance - b.distance || a.count - b.count || a.term - b.term);
  return found.slice(0, CANDIDATES_MAX);
};

export const likeliest = (candidates: readonly Candidate[]): number => {
  const chance = ({ count, distance }: Candidate): number => count * LIKELIHOOD_BY_DISTANCE[distance]!;
  return candidates.reduce((best, each) => (chance(each) > chance(best) ? each : best)).term;
};

const LIKELIHOOD_BY_DISTANCE = [64, 8, 1];

/** Returns the singulars of corrected plurals, with half the plural's factor. */
export const singularsOf = (index: ProductIndex, corrected: readonly Alternative[]): Alternative[] => {
  const known = new Set(corrected.map(({ term }) => term));
  return corrected.flatMap(({ term, factor }) => {
    const text = index.vocabulary.text(term);
    const { stem } = index.analysis;
    const singular = stem(text) === text ? -1 : index.vocabulary.find(stem(text));
    if (singular < 0 || known.has(singular)) return [];
    known.add(singular);
    return [{ term: singular, factor: factor >> 1 }];
  });
};

/** Maximum number of words that a shopper may have joined without spaces. */
const HALVES_MAX = 3;

export const split = (index: ProductIndex, typed: string, halvesMax = HALVES_MAX): readonly number[] | null => {
  if (typed.length > WORD_LENGTH_MAX * 2 || halvesMax < 2) return null;
  const lengthMin = partLengthMin(typed);
  let best: readonly number[] | null = null;
  let most = 0;
  for (let at = lengthMin; at <= typed.length - lengthMin; at++) {
    const head = known(index, typed.slice(0, at));
    const tail = head < 0 ? -1 : known(index, typed.slice(at));
    if (tail < 0) continue;
    const count = Math.min(index.postings.count(head), index.postings.count(tail));
    if (count > most) {
      most = count;
      best = [head, tail];
    }
  }
  if (best !== null) return best;
  for (let at = lengthMin; at <= typed.length - lengthMin; at++) {
    const head = known(index, typed.slice(0, at));
    const rest = head < 0 ? null : split(index, typed.slice(at), halvesMax - 1);
    if (rest !== null) return [head, ...rest];
  }
  return null;
};

const known = (index: ProductIndex, word: string): number => {
  for (const text of [word, index.analysis.stem(word)]) {
    const term = index.vocabulary.find(text);
    if (hasProducts(index, term)) return term;
  }
  return -1;
};

const LETTERS = /^\p{L}+$/u;

/** Factor of a joined term, in 256ths. Both typed words match the joined term, so each counts half. */
const HALF = 128;

export const joinedTerms = (index: ProductIndex, typed: readonly string[]): Alternative[][] => {
  const terms = typed.map((): Alternative[] => []);
  for (let from = 0; from < typed.length; from++) {
    let whole = typed[from]!;
    for (let to = from + 1; to < typed.length && to - from < HALVES_MAX; to++) {
      whole += typed[to]!;
      if (whole.length > WORD_LENGTH_MAX || !LETTERS.test(whole)) break;
      const term = index.vocabulary.find(index.analysis.stem(whole));
      if (hasProducts(index, term)) for (let at = from; at <= to; at++) terms[at]!.push({ term, factor: HALF });
    }
  }
  return terms;
};

export interface Alternative {
  readonly term: number;
  readonly factor: number;
}
