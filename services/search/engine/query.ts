// Interprets a query's words in one index: as exact terms, as prefixes, or as terms one edit away.

import { type QueryWord, queryWords } from '#services/search/text/word.ts';
import type { Alternative } from './correction.ts';
import { alternativesOf, correctionsOf, joinedTerms, likeliest, mayBeTypo, singularsOf, split } from './correction.ts';
import { type Noun, nounOf, thingEnd } from './noun.ts';
import { FEW, hasProducts } from './presence.ts';
import type { ProductIndex } from './product_index.ts';
import { rarity } from './weight.ts';

const LENGTH_MAX = 1_000;
export const WORDS_MAX = 16;
/** A mask of terms has one bit each in a 32-bit integer. */
const TERMS_MAX = 31;
const PAIRS_MAX = 12;
const PREFIX_TERMS_MAX = 64;
/** Shorter prefixes are not expanded, because nearly everything matches them. */
const PREFIX_LENGTH_MIN = 3;
/** Factor of an exact term, in 256ths; alternatives have lower factors. */
export const WHOLE = 256;

/** A required term with alternatives; of those that a product contains, the best counts. */
export interface QueryTerm {
  readonly weight: number;
  readonly alternatives: readonly Alternative[];
}

export interface Correction {
  readonly from: string;
  readonly to: string;
}

export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  readonly noun: Noun | null;
  readonly corrections: readonly Correction[];
}

export const parseQuery = (index: ProductIndex, text: string): ParsedQuery => {
  const { stopWords } = index.analysis;
  const all = queryWords(text.slice(0, LENGTH_MAX), index.analysis);
  const telling = all.filter(({ typed }, at) => at === all.length - 1 || !stopWords.has(typed));
  const words = distinct(
    telling.length > 1 && stopWords.has(telling[telling.length - 1]!.typed) ? telling.slice(0, -1) : telling,
  );
  const terms: QueryTerm[] = [];
  const corrections: Correction[] = [];
  const thing = thingEnd(all, words, index.analysis);
  let phrases = 0;
  const together = joinedTerms(
    index,
    words.map(({ typed }) => typed),
  );
  for (let at = 0; at < words.length; at++) {
    const last = at === words.length - 1 && words[at]!.typed === all[all.length - 1]!.typed;
    addTerms(index, words[at]!, last, terms, corrections, together[at]);
    if (at < thing) phrases = terms.length;
  }
  if (terms.length > TERMS_MAX) terms.length = TERMS_MAX;
  return {
    terms,
    noun: words.length > 1 ? nounOf(index, terms, phrases) : null,
    corrections,
  };
};

const distinct = (words: readonly QueryWord[]): QueryWord[] => {
  const distinctWords: QueryWord[] = [];
  for (const word of words) {
    if (distinctWords.length === WORDS_MAX) break;
    if (!distinctWords.some(({ typed }) => typed === word.typed)) distinctWords.push(word);
  }
  return distinctWords;
};

const addTerms = (
  index: ProductIndex,
  word: QueryWord,
  last: boolean,
  terms: QueryTerm[],
  corrections: Correction[],
  together: readonly Alternative[] = [],
): void => {
  const { typed } = word;
  const meant = termsOfReading(index, word);
  if (meant !== null && (meant.length > 1 || word.unspaced)) {
    // For a word typed without spaces, includes terms one edit from the whole word, because its parts may occur
    // together by chance.
    const near = word.whole ? correctionsOf(index, typed) : [];
    for (const term of meant.slice(0, PAIRS_MAX)) terms.push(termOnly(index, term, near));
    return;
  }
  if (meant === null && word.parts !== undefined && !word.whole) {
    addParts(index, word.parts, last, terms, corrections);
    return;
  }
  if (meant !== null) {
    terms.push(exactTerm(index, typed, meant[0]!, last, together));
    return;
  }
  const alternatives: Alternative[] = [];
  const bytes = Buffer.byteLength(typed);
  let count = 0;
  const size = last ? findPrefixTerms(index, typed, -1) : 0;
  for (let at = 0; at < size; at++) {
    count += counts[at]!;
    alternatives.push(prefixAlternative(index, bytes, prefixTerms[at]!));
  }
  addAll(alternatives, together);
  for (const { term } of together) count += index.postings.count(term);
  if (together.length === 0 && !word.unspaced && (count === 0 || typed.length >= PREFIX_LENGTH_MIN)) {
    const others = correctionsOf(index, typed).filter(({ term }) => !isAmong(alternatives, term));
    if (count === 0 && others.length > 0)
      corrections.push({ from: typed, to: index.vocabulary.text(likeliest(others)) });
    alternatives.push(...others, ...singularsOf(index, others));
  }
  if (alternatives.length > 0) {
    terms.push(queryTerm(index, alternatives, Math.max(1, count)));
    return;
  }
  if (word.parts !== undefined) {
    addParts(index, word.parts, last, terms, corrections);
    return;
  }
  const halves = split(index, typed);
  if (!halves) return;
  corrections.push({ from: typed, to: halves.map((term) => index.vocabulary.text(term)).join(' ') });
  for (const term of halves) terms.push(termOnly(index, term));
};

const exactTerm = (
  index: ProductIndex,
  typed: string,
  exact: number,
  last: boolean,
  together: readonly Alternative[],
): QueryTerm => {
  const alternatives: Alternative[] = [{ term: exact, factor: WHOLE }];
  const written = index.vocabulary.find(typed);
  if (last) {
    const bytes = Buffer.byteLength(typed);
    const size = findPrefixTerms(index, typed, exact);
    for (let at = 0; at < size; at++)
      if (prefixTerms[at] !== written) alternatives.push(prefixAlternative(index, bytes, prefixTerms[at]!));
  }
  if (mayBeTypo(index, typed, exact)) {
    for (const near of alternativesOf(index, typed))
      if (near.term !== written && !isAmong(alternatives, near.term)) alternatives.push(near);
  }
  addAll(alternatives, together);
  return queryTerm(index, alternatives, index.postings.count(exact));
};

const addParts = (
  index: ProductIndex,
  parts: readonly QueryWord[],
  last: boolean,
  terms: QueryTerm[],
  corrections: Correction[],
): void => {
  const end = Math.min(parts.length, PAIRS_MAX);
  for (let at = 0; at < end; at++) addTerms(index, parts[at]!, last && at === parts.length - 1, terms, corrections);
};

const termsOfReading = (index: ProductIndex, { readings }: QueryWord): number[] | null => {
  for (const reading of readings) {
    const terms: number[] = [];
    for (const text of reading) {
      const term = index.vocabulary.find(text);
      if (!hasProducts(index, term)) break;
      terms.push(term);
    }
    if (terms.length === reading.length) return terms;
  }
  return null;
};

const isAmong = (alternatives: readonly Alternative[], term: number): boolean => {
  for (let at = 0; at < alternatives.length; at++) if (alternatives[at]!.term === term) return true;
  return false;
};

const addAll = (alternatives: Alternative[], more: readonly Alternative[]): void => {
  for (const each of more) if (!isAmong(alternatives, each.term)) alternatives.push(each);
};

const termOnly = (index: ProductIndex, term: number, near: readonly Alternative[] = []): QueryTerm =>
  queryTerm(index, [{ term, factor: WHOLE }, ...near], index.postings.count(term));

const queryTerm = (index: ProductIndex, alternatives: readonly Alternative[], count: number): QueryTerm => ({
  weight: rarity(count, index.size),
  alternatives,
});

const prefixAlternative = ({ vocabulary }: ProductIndex, bytes: number, term: number): Alternative => ({
  term,
  factor: Math.max(1, Math.round((WHOLE * bytes) / vocabulary.length(term))),
});

const prefixTerms = new Uint32Array(PREFIX_TERMS_MAX);
const counts = new Uint32Array(PREFIX_TERMS_MAX);

const findPrefixTerms = (index: ProductIndex, typed: string, exact: number): number => {
  const { vocabulary, postings } = index;
  let size = 0;
  let least = 0;
  vocabulary.eachWithPrefix(typed, (term) => {
    const count = postings.count(term);
    if (count <= least || term === exact || (count <= FEW && !hasProducts(index, term))) return;
    let at = size < PREFIX_TERMS_MAX ? size++ : PREFIX_TERMS_MAX - 1;
    for (; at > 0 && counts[at - 1]! < count; at--) {
      prefixTerms[at] = prefixTerms[at - 1]!;
      counts[at] = counts[at - 1]!;
    }
    prefixTerms[at] = term;
    counts[at] = count;
    if (size === PREFIX_TERMS_MAX) least = counts[PREFIX_TERMS_MAX - 1]!;
  });
  return size;
};
