// Matches products that contain all terms of a query, or most terms if too few products contain all. Sets are computed
// 32 docIds at a time; scores are calculated only for candidates of the page.

import { Accumulator } from './accumulator.ts';
import { IMPACT_MASK } from './dense_posting.ts';
import { DocIdSet, WORD_MASK, WORD_SHIFT, wordsFor } from './doc_id_set.ts';
import type { ProductIndex } from './product_index.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';

/** With fewer full matches than this, products also match that contain terms with half of the query's total weight. */
const ENOUGH = 10;

const EIGHTHS = 8;
/**
 * If the query names a kind of product, the scores of products of other kinds are multiplied by this many eighths. The
 * second value is for products that match only some terms.
 */
const OTHER_KIND = 7;
const OTHER_KIND_RELAXED = 3;

/** Values of the first page that later pages reuse, so that the order is stable while products change. */
export interface Pins {
  readonly weights: readonly number[];
  readonly relaxed: boolean;
}

export type Score = (at: number) => number;

export interface Matches {
  readonly set: DocIdSet;
  readonly score: Score;
  /** Upper bound of the scores of 32 docIds; null if unknown. */
  readonly bound: Score | null;
  readonly pins: Pins;
  readonly scoreMax: number;
}

/** Shared by all indexes, because the process runs one query at a time. */
const matched = new DocIdSet();
const accumulators: Accumulator[] = [];
let termCount = 0;
const kind = new Accumulator();
let otherKind = EIGHTHS;

const score = (docId: number): number => {
  const word = docId >>> WORD_SHIFT;
  const bit = 1 << (docId & WORD_MASK);
  let sum = 0;
  let missing = 0;
  for (let at = 0; at < termCount; at++) {
    const accumulator = accumulators[at]!;
    if ((accumulator.bits[word]! & bit) === 0) missing++;
    else sum += accumulator.impact(docId, word, bit) * accumulator.weight;
  }
  const own = sum >> missing;
  return otherKind < EIGHTHS && (kind.bits[word]! & bit) === 0 ? (own * otherKind) >> 3 : own;
};

const bound = (word: number): number => {
  let sum = 0;
  let missing = 0;
  for (let at = 0; at < termCount; at++) {
    const { bits, blockMax, weight } = accumulators[at]!;
    if (bits[word] === 0) missing++;
    else sum += blockMax[word]! * weight;
  }
  const own = sum >> missing;
  return otherKind < EIGHTHS && kind.bits[word] === 0 ? (own * otherKind) >> 3 : own;
};

const find = (index: ProductIndex, terms: readonly QueryTerm[]): void => {
  matched.begin(wordsFor(index.docIdLimit));
  while (accumulators.length < terms.length) accumulators.push(new Accumulator());
  for (let at = 0; at < terms.length; at++) accumulators[at]!.accumulate(index, terms[at]!.alternatives);
  termCount = terms.length;
};

const visibleOf = (index: ProductIndex, everything: boolean): Int32Array => (everything ? index.live : index.active);

export const match = (
  index: ProductIndex,
  { terms, noun }: ParsedQuery,
  everything: boolean,
  pins: Pins | null,
): Matches => {
  find(index, terms);
  const weights = pins?.weights ?? terms.map(({ weight }) => weight);
  for (let at = 0; at < termCount; at++) accumulators[at]!.weight = weights[at] ?? 1;
  const visible = visibleOf(index, everything);
  let relaxed = pins?.relaxed ?? false;
  otherKind = EIGHTHS;
  if (noun !== null) kind.accumulate(index, noun.kinds);
  if (!relaxed) {
    if (termCount > 0) include(visible, 2 ** termCount - 1);
    relaxed = pins === null && termCount > 1 && matched.count < ENOUGH;
  }
  if (noun !== null) otherKind = relaxed ? OTHER_KIND_RELAXED : OTHER_KIND;
  if (relaxed) {
    matched.begin(wordsFor(index.docIdLimit));
    if (noun === null) includePartial(visible, sum(weights) / 2);
    else include(visible, 1 << noun.at);
  }
  return { set: matched, score, bound, pins: { weights, relaxed }, scoreMax: sum(weights) * IMPACT_MASK };
};

const sum = (numbers: readonly number[]): number => {
  let total = 0;
  for (let at = 0; at < numbers.length; at++) total += numbers[at]!;
  return total;
};

const others: Int32Array[] = [];

const include = (visible: Int32Array, mask: number): void => {
  let shortest = accumulators[31 - Math.clz32(mask)]!;
  for (let at = 0; at < termCount; at++)
    if (mask & (1 << at) && accumulators[at]!.size < shortest.size) shortest = accumulators[at]!;
  let together = 0;
  for (let at = 0; at < termCount; at++)
    if (mask & (1 << at) && accumulators[at] !== shortest) others[together++] = accumulators[at]!.bits;
  const { bits, words, size } = shortest;
  const { bits: into, words: listed } = matched;
  let found = matched.size;
  for (let at = 0; at < size; at++) {
    const word = words[at]!;
    let all = visible[word]! & bits[word]!;
    for (let each = 0; each < together && all !== 0; each++) all &= others[each]![word]!;
    if (all === 0) continue;
    const before = into[word]!;
    if (before === 0) listed[found++] = word;
    into[word] = before | all;
  }
  matched.size = found;
};

const COMBINATIONS_MAX = 32;

const includePartial = (visible: Int32Array, half: number): void => {
  const most = sufficientMasks(half);
  if (most !== null) {
    for (let each = 0; each < most.length; each++) include(visible, most[each]!);
    return;
  }
  for (let at = 0; at < termCount; at++) include(visible, 1 << at);
  matched.filter((docId) => {
    let mass = 0;
    for (let at = 0; at < termCount; at++)
      if (accumulators[at]!.bits[docId >>> WORD_SHIFT]! & (1 << (docId & WORD_MASK))) mass += accumulators[at]!.weight;
    return mass >= half;
  });
};

/**
 * Returns each minimal combination of terms that has half of the total weight, as a mask with one bit per term; null if
 * there are too many.
 */
const sufficientMasks = (half: number): number[] | null => {
  const order = Array.from({ length: termCount }, (_, at) => at).sort(
    (a, b) => accumulators[b]!.weight - accumulators[a]!.weight,
  );
  const found: number[] = [];
  const choose = (turn: number, mass: number, rest: number, mask: number): void => {
    if (found.length > COMBINATIONS_MAX || mass + rest < half) return;
    if (mass >= half && mask !== 0) {
      found.push(mask);
      return;
    }
    if (turn === termCount) return;
    const { weight } = accumulators[order[turn]!]!;
    choose(turn + 1, mass + weight, rest - weight, mask | (1 << order[turn]!));
    choose(turn + 1, mass, rest - weight, mask);
  };
  let whole = 0;
  for (let at = 0; at < termCount; at++) whole += accumulators[at]!.weight;
  choose(0, 0, whole, 0);
  return found.length > COMBINATIONS_MAX ? null : found;
};

const UNSCORED = { score: () => 0, bound: null, scoreMax: 0 };

export const matchAny = (index: ProductIndex, terms: readonly QueryTerm[], everything: boolean): Matches => {
  find(index, terms);
  const visible = visibleOf(index, everything);
  for (let at = 0; at < termCount; at++) include(visible, 1 << at);
  return { set: matched, ...UNSCORED, pins: { weights: [], relaxed: true } };
};

export const matchAll = (index: ProductIndex, everything: boolean): Matches => {
  const words = wordsFor(index.docIdLimit);
  matched.begin(words);
  const visible = visibleOf(index, everything);
  for (let word = 0; word < words; word++) {
    if (visible[word] === 0) continue;
    matched.bits[word] = visible[word]!;
    matched.words[matched.size++] = word;
  }
  return { set: matched, ...UNSCORED, pins: { weights: [], relaxed: false } };
};
