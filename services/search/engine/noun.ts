// The head noun of a query: the word that names the requested kind, as "mug" in "nice mug" and "mug for coffee". A
// product need not match the noun's qualifiers, but must be of the noun's kind.
import type { Analysis } from '#services/search/text/analysis.ts';
import { QUALIFIERS } from '#services/search/text/frequent_word.ts';
import type { QueryWord } from '#services/search/text/word.ts';
import type { Alternative } from './correction.ts';
import type { ProductIndex } from './product_index.ts';
import { KIND } from './weight.ts';

interface TermSpellings {
  readonly alternatives: readonly Alternative[];
}

export interface Noun {
  readonly at: number;
  readonly kinds: readonly Alternative[];
}

/** A word such as `lamp` names a kind of product if at least this share of the products that contain it are of that kind. */
const SHARE_MIN = 1 / 20;
const SPELLINGS_MAX = 8;

/** Returns the number of words before a purpose or accessory, which follows a word such as "for" or "with". */
export const thingEnd = (
  all: readonly QueryWord[],
  words: readonly QueryWord[],
  { stopWords, joining }: Analysis,
): number => {
  const end = all.findIndex(({ typed }, at) => at > 0 && stopWords.has(typed) && !joining.has(typed));
  if (end < 0) return words.length;
  const before = new Set(all.slice(0, end).map(({ typed }) => typed));
  const things = words.findIndex(({ typed }) => !before.has(typed));
  return things < 1 ? words.length : things;
};

/**
 * Returns the last term before `end` that names a kind, else the last such term of all. A material counts only as a
 * qualifier, so that a glass table is a table.
 */
export const nounOf = (index: ProductIndex, terms: readonly TermSpellings[], end: number): Noun | null => {
  const qualifying: Noun[] = [];
  const before = Math.min(end, terms.length);
  for (const at of [...countDown(0, before), ...countDown(before, terms.length)]) {
    const { alternatives } = terms[at]!;
    const kinds = kindsOf(index, alternatives);
    if (kinds.length === 0) continue;
    if (!QUALIFIERS.has(index.vocabulary.text(alternatives[0]!.term))) return { at, kinds };
    qualifying.push({ at, kinds });
  }
  return qualifying[0] ?? null;
};

const countDown = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, at) => end - 1 - at);

const kindsOf = (index: ProductIndex, alternatives: readonly Alternative[]): Alternative[] => {
  const kinds: Alternative[] = [];
  for (const { term, factor } of alternatives.slice(0, SPELLINGS_MAX)) {
    const kind = index.vocabulary.findPrefixed(KIND, term);
    if (kind >= 0 && index.postings.count(kind) >= index.postings.count(term) * SHARE_MIN)
      kinds.push({ term: kind, factor });
  }
  return kinds;
};
