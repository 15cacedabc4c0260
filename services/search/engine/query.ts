// What a query's words mean in one index: exact terms, the beginnings of terms, or terms one edit away.
import { type QueryWord, queryWords } from '#services/search/text/word.ts';
import { alsoMeant, corrected, likeliest, meantOrBegun, singularsOf, split } from './correction.ts';
import { FEW, isThere } from './presence.ts';
import type { ProductIndex } from './product_index.ts';
import { rarity } from './weight.ts';

/** What stands behind so many characters of a query is not looked at. */
const LENGTH_MAX = 1_000;
/** Words of a query beyond these are not looked at. */
export const WORDS_MAX = 16;
/** Each has a bit. */
const WANTS_MAX = 31;
/** Pairs of characters of a run without spaces beyond these are not looked at. */
const PAIRS_MAX = 12;
const PREFIX_TERMS_MAX = 64;
/** In 256ths: an alternative counts so much of what an exact term would. */
export const WHOLE = 256;
const CONTINUED = 102;

export interface Alternative {
  readonly term: number;
  readonly factor: number;
}

/** One thing that a product should contain: any of the alternatives, the best of which counts. */
export interface Want {
  readonly weight: number;
  readonly alternatives: readonly Alternative[];
  /** About how many postings must be read. */
  readonly postings: number;
}

export interface Correction {
  readonly from: string;
  readonly to: string;
}

export interface Meaning {
  readonly wants: readonly Want[];
  readonly corrections: readonly Correction[];
  /** Whether the query had any words at all. */
  readonly spoken: boolean;
}

/** Said so often that they tell nothing of a product; looked for only where nothing else is. */
const FILLERS = new Set(
  'a an and are at by for from in is it of on or the to with de der die das und la le les des du'.split(' '),
);

export const understand = (index: ProductIndex, text: string): Meaning => {
  const all = queryWords(text.slice(0, LENGTH_MAX));
  const telling = all.filter(({ typed }, at) => at === all.length - 1 || !FILLERS.has(typed));
  const words = distinct(
    telling.length > 1 && FILLERS.has(telling[telling.length - 1]!.typed) ? telling.slice(0, -1) : telling,
  );
  const wants: Want[] = [];
  const corrections: Correction[] = [];
  for (const [at, word] of words.entries()) {
    const last = word.typed === all[all.length - 1]!.typed && at === words.length - 1;
    wants.push(...wantsOf(index, word, last, corrections));
  }
  return { wants: wants.slice(0, WANTS_MAX), corrections, spoken: all.length > 0 };
};

const distinct = (words: readonly QueryWord[]): QueryWord[] => {
  const seen = new Set<string>();
  const kept: QueryWord[] = [];
  for (const word of words) {
    if (seen.has(word.typed) || kept.length === WORDS_MAX) continue;
    seen.add(word.typed);
    kept.push(word);
  }
  return kept;
};

const wantsOf = (index: ProductIndex, word: QueryWord, last: boolean, corrections: Correction[]): Want[] => {
  const { typed, readings } = word;
  const meant = readings
    .map((reading) => reading.map((text) => index.vocabulary.find(text)))
    .find((terms) => terms.every((term) => isThere(index, term)));
  if (meant && (meant.length > 1 || word.unspaced)) {
    // Its parts may stand together by chance: what is nearly the whole of it follows.
    const near = word.whole ? corrected(index, typed) : [];
    return meant.slice(0, PAIRS_MAX).map((term) => exactly(index, term, near));
  }
  const exact = meant?.[0] ?? -1;
  const continued = last ? continuations(index, typed, exact) : [];
  if (exact >= 0) {
    const count = index.postings.count(exact);
    const written = index.vocabulary.find(typed);
    // A word may be a slip for another: where few have it, its neighbours follow.
    const near = count < FEW ? alsoMeant(index, typed) : [];
    const alternatives = [
      { term: exact, factor: WHOLE },
      // The plural as it was typed: whoever has it has the singular too.
      ...continued.filter((term) => term !== written).map((term) => ({ term, factor: CONTINUED })),
      ...near.filter(({ term }) => term !== exact && term !== written && !continued.includes(term)),
    ];
    return [wanted(index, alternatives, count)];
  }
  const count = countOf(index, continued);
  const beginnings = continued.map((term) => ({ term, factor: WHOLE }));
  if (count >= FEW) return [wanted(index, beginnings, count)];
  const near = word.unspaced ? [] : count > 0 ? meantOrBegun(index, typed) : corrected(index, typed);
  if (near.length > 0) {
    const known = new Set(continued);
    const others = near.filter(({ term }) => !known.has(term));
    if (count === 0) corrections.push({ from: typed, to: index.vocabulary.text(likeliest(index, others)) });
    return [wanted(index, [...beginnings, ...others, ...singularsOf(index, others)], Math.max(1, count))];
  }
  if (count > 0) return [wanted(index, beginnings, count)];
  const halves = split(index, typed);
  if (!halves) return [];
  corrections.push({ from: typed, to: halves.map((term) => index.vocabulary.text(term)).join(' ') });
  return halves.map((term) => exactly(index, term));
};

const exactly = (index: ProductIndex, term: number, near: readonly Alternative[] = []): Want =>
  wanted(index, [{ term, factor: WHOLE }, ...near], index.postings.count(term));

const wanted = (index: ProductIndex, alternatives: readonly Alternative[], count: number): Want => ({
  weight: rarity(count, index.size),
  alternatives,
  postings: alternatives.reduce((sum, { term }) => sum + index.postings.count(term), 0),
});

const countOf = (index: ProductIndex, terms: readonly number[]): number =>
  terms.reduce((sum, term) => sum + index.postings.count(term), 0);

/** Terms that begin like the text, those in most products first. */
const continuations = (index: ProductIndex, typed: string, exact: number): number[] => {
  const { vocabulary, postings } = index;
  const found: number[] = [];
  let size = 0;
  /** The count of the last one in, once there are enough. */
  let least = 0;
  vocabulary.eachWithPrefix(typed, (term) => {
    const count = postings.count(term);
    if (count <= least || term === exact || (count <= FEW && !isThere(index, term))) return;
    let at = size < PREFIX_TERMS_MAX ? size++ : PREFIX_TERMS_MAX - 1;
    for (; at > 0 && counts[at - 1]! < count; at--) {
      found[at] = found[at - 1]!;
      counts[at] = counts[at - 1]!;
    }
    found[at] = term;
    counts[at] = count;
    if (size === PREFIX_TERMS_MAX) least = counts[PREFIX_TERMS_MAX - 1]!;
  });
  return found;
};

/** By place among the continuations found. */
const counts = new Uint32Array(PREFIX_TERMS_MAX);
