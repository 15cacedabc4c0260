// What a word may have been meant to be: terms one edit away, and two words without their space.
import { QUALIFIERS } from '#services/search/text/qualifier.ts';
import { stem } from '#services/search/text/stem.ts';
import { partLengthMin, WORD_LENGTH_MAX } from '#services/search/text/word.ts';
import { fillsPage, isThere, PAGE } from './presence.ts';
import type { ProductIndex } from './product_index.ts';

import { type Distance, NEAR } from './vocabulary.ts';
import { rarity } from './weight.ts';

const NEIGHBOURS_MAX = 24;
/** Shorter words are too close to everything. */
const CORRECTED_LENGTH_MIN = 2;
/** Of words shorter than this only what is nearest: the others have hardly a letter in common. */
const ANY_LENGTH_MIN = 3;
/** Words so long, or as short as `1u5` with a digit in them, may be slips even where some product has them. */
const DOUBTED = /^(?:.{5,}|(?=.*\d).{3,4})$/;
const NUMBER = /\d/;
/** In 256ths: a correction counts so much of what an exact term would; */
const CORRECTED = 205;
/** one that is farther, so much of it, by its distance. */
const SHARES = [256, 128, 64];

/** A term that one slip makes of a word. */
interface Neighbour extends Alternative {
  readonly distance: Distance;
  /** How many products have it. */
  readonly count: number;
}

/**
 * Whether a word that some product has may be a slip for another: where those that have it fill no page. A number stands in
 * many a description by chance: there those count that say it loudly.
 */
export const mayBeSlip = (index: ProductIndex, typed: string, term: number): boolean =>
  NUMBER.test(typed) ? !fillsPage(index, term) : index.postings.count(term) < PAGE;

/** What was meant by a word that no product has. */
export const corrected = (index: ProductIndex, typed: string): Neighbour[] => neighboursOf(index, typed);

/** What may have been meant by a word that few products have: for a short one only what is nearest. */
export const alsoMeant = (index: ProductIndex, typed: string): Neighbour[] =>
  neighboursOf(index, typed, !DOUBTED.test(typed));

/** Those in the fewest products first, of as many as there may be. */
const neighboursOf = (index: ProductIndex, typed: string, nearOnly = false): Neighbour[] => {
  if (typed.length < CORRECTED_LENGTH_MIN || typed.length > WORD_LENGTH_MAX || QUALIFIERS.has(typed)) return [];
  const all = !nearOnly && typed.length >= ANY_LENGTH_MIN;
  const found: Neighbour[] = [];
  // The want's weight is that of a term that nearly no product has. A rarer word tells more of a product, but a frequent one is
  // likelier to be meant: each counts by the root of its own rarity.
  const rarest = rarity(1, index.size);
  const { postings } = index;
  index.vocabulary.eachNeighbour(typed, (term, distance) => {
    if ((distance !== NEAR && !all) || found.some((other) => other.term === term) || !isThere(index, term)) return;
    const count = postings.count(term);
    const share = Math.round(CORRECTED * Math.sqrt(rarity(count, index.size) / rarest));
    found.push({ term, distance, count, factor: Math.max(1, (share * SHARES[distance]!) >> 8) });
  });
  found.sort((a, b) => a.distance - b.distance || a.count - b.count || a.term - b.term);
  return found.slice(0, NEIGHBOURS_MAX);
};

/** What the correction shows: of several the one in most products. */
export const likeliest = (neighbours: readonly Neighbour[]): number => {
  const chance = ({ count, distance }: Neighbour): number => count * CHANCES[distance]!;
  return neighbours.reduce((best, each) => (chance(each) > chance(best) ? each : best)).term;
};

/** So many times as likely as the strangest is a slip, by its distance. */
const CHANCES = [64, 8, 1];

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

/** Words written together are at most so many. */
const HALVES_MAX = 3;

/** `laptopbag`: words without their space, as few as may be. */
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

/** The term of a word as it is written or in the singular; −1 where no product has it. */
const known = (index: ProductIndex, word: string): number => {
  for (const text of [word, stem(word)]) {
    const term = index.vocabulary.find(text);
    if (isThere(index, term)) return term;
  }
  return -1;
};

const LETTERS = /^\p{L}+$/u;

/** In 256ths: the two of them that find one word count as that word once. */
const HALF = 128;

/** `back pack`: what each word of a query is when it is written together with those beside it. */
export const joined = (index: ProductIndex, typed: readonly string[]): Alternative[][] => {
  const terms = typed.map((): Alternative[] => []);
  for (let from = 0; from < typed.length; from++) {
    let whole = typed[from]!;
    for (let to = from + 1; to < typed.length && to - from < HALVES_MAX; to++) {
      whole += typed[to]!;
      if (whole.length > WORD_LENGTH_MAX || !LETTERS.test(whole)) break;
      const term = index.vocabulary.find(stem(whole));
      if (isThere(index, term)) for (let at = from; at <= to; at++) terms[at]!.push({ term, factor: HALF });
    }
  }
  return terms;
};

export interface Alternative {
  readonly term: number;
  readonly factor: number;
}
