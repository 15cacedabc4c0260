// What a word may have been meant to be: terms one edit away, and two words without their space.
import { stem } from '#services/search/text/stem.ts';
import { WORD_LENGTH_MAX } from '#services/search/text/word.ts';
import { isThere } from './presence.ts';
import type { ProductIndex } from './product_index.ts';
import type { Alternative } from './query.ts';
import { rarity } from './weight.ts';

const NEIGHBOURS_MAX = 24;
/** Shorter words are too close to everything. */
const CORRECTED_LENGTH_MIN = 3;
/** Words so long, or as short as `1u5` with a digit in them, may be slips even where some product has them. */
export const DOUBTED = /^(?:.{5,}|(?=.*\d).{3,4})$/;

export const neighboursOf = (index: ProductIndex, typed: string, factor: number): Alternative[] => {
  if (typed.length < CORRECTED_LENGTH_MIN || typed.length > WORD_LENGTH_MAX) return [];
  const terms: number[] = [];
  index.vocabulary.eachNeighbour(typed, (term) => {
    if (!terms.includes(term) && isThere(index, term)) terms.push(term);
  });
  const { postings } = index;
  if (terms.length > NEIGHBOURS_MAX) {
    terms.sort((a, b) => postings.count(a) - postings.count(b) || a - b);
    terms.length = NEIGHBOURS_MAX;
  } else terms.sort((a, b) => a - b);
  // The want's weight is that of a term nearly nobody has; each alternative counts by its own rarity.
  const rarest = rarity(1, index.size);
  return terms.map((term) => ({
    term,
    factor: Math.max(1, Math.round((factor * rarity(postings.count(term), index.size)) / rarest)),
  }));
};

/** What the correction shows: of several the one in most products. */
export const likeliest = (index: ProductIndex, alternatives: readonly Alternative[]): number =>
  alternatives.reduce(
    (best, { term }) => (index.postings.count(term) > index.postings.count(best) ? term : best),
    alternatives[0]!.term,
  );

/** What a plural was corrected to is meant in the singular too, a little less. */
export const singularsOf = (index: ProductIndex, corrected: readonly Alternative[]): Alternative[] => {
  const known = new Set(corrected.map(({ term }) => term));
  return corrected.flatMap(({ term, factor }) => {
    const text = index.vocabulary.text(term);
    const singular = stem(text) === text ? -1 : index.vocabulary.find(stem(text));
    if (singular < 0 || known.has(singular)) return [];
    known.add(singular);
    return [{ term: singular, factor: factor >> 1 }];
  });
};

/** `laptopbag`: two words without their space. */
export const split = (index: ProductIndex, typed: string): readonly number[] | null => {
  let best: readonly number[] | null = null;
  let most = 0;
  if (typed.length > WORD_LENGTH_MAX * 2) return null;
  for (let at = 3; at <= typed.length - 3; at++) {
    const head = index.vocabulary.find(typed.slice(0, at));
    const tail = head < 0 ? -1 : index.vocabulary.find(typed.slice(at));
    if (tail < 0 || !isThere(index, head) || !isThere(index, tail)) continue;
    const count = Math.min(index.postings.count(head), index.postings.count(tail));
    if (count > most) {
      most = count;
      best = [head, tail];
    }
  }
  return best;
};
