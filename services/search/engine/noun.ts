// Which word of a query names the kind of thing that is asked for: one that many products are by their categories and the
// heads of their names. "Mug" does in "nice mug" and in "mug for coffee"; what qualifies it may be missing, it may not.
import { QUALIFIERS } from '#services/search/text/qualifier.ts';
import { JOINING, STOP_WORDS } from '#services/search/text/stop_word.ts';
import type { QueryWord } from '#services/search/text/word.ts';
import type { Alternative } from './correction.ts';
import type { ProductIndex } from './product_index.ts';
import { kindTerm } from './weight.ts';

/** A word of the query with its spellings. */
interface Wanted {
  readonly alternatives: readonly Alternative[];
}

export interface Noun {
  /** Which want it is. */
  readonly at: number;
  /** The terms of the kinds that it names. */
  readonly kinds: readonly Alternative[];
}

/** A word names a kind if at least this share of the products that have it is of that kind. */
const SHARE_MIN = 1 / 20;
/** More spellings of one word are not looked at. */
const SPELLINGS_MAX = 8;

/** How many of the words come before what the thing is for, or comes with. */
export const thingEnd = (all: readonly QueryWord[], words: readonly QueryWord[]): number => {
  const end = all.findIndex(({ typed }, at) => at > 0 && STOP_WORDS.has(typed) && !JOINING.has(typed));
  if (end < 0) return words.length;
  const before = new Set(all.slice(0, end).map(({ typed }) => typed));
  const things = words.findIndex(({ typed }) => !before.has(typed));
  return things < 1 ? words.length : things;
};

/** The last of the first `end` wants that names a kind, else the last of all that does. */
export const nounOf = (index: ProductIndex, wants: readonly Wanted[], end: number): Noun | null => {
  const kinds = wants.map(({ alternatives }) => kindsOf(index, alternatives));
  const qualifies = wants.map(({ alternatives }) => QUALIFIERS.has(index.vocabulary.text(alternatives[0]!.term)));
  const last = (to: number, qualifying: boolean): number =>
    kinds.findLastIndex((found, at) => at < to && found.length > 0 && qualifies[at] === qualifying);
  // A table of glass is a table.
  const at = [last(end, false), last(kinds.length, false), last(end, true), last(kinds.length, true)].find(
    (at) => at >= 0,
  );
  return at === undefined ? null : { at, kinds: kinds[at]! };
};

const kindsOf = (index: ProductIndex, alternatives: readonly Alternative[]): Alternative[] => {
  const kinds: Alternative[] = [];
  for (const { term, factor } of alternatives.slice(0, SPELLINGS_MAX)) {
    const kind = index.vocabulary.find(kindTerm(index.vocabulary.text(term)));
    if (kind >= 0 && index.postings.count(kind) >= index.postings.count(term) * SHARE_MIN)
      kinds.push({ term: kind, factor });
  }
  return kinds;
};
