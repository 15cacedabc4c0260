// The products that contain what a query wants: all of it, or, where too few do, most of it. Which they are is told by
// sets, thirty-two products at a time; what each scores is worked out for those alone that may be shown.
import { IMPACT_MASK } from './posting.ts';
import type { ProductIndex } from './product_index.ts';
import type { Want } from './query.ts';
import { sizeOf, WORD_MASK, WORD_SHIFT, wordsFor } from './slot_set.ts';
import { Tally } from './tally.ts';

/** With fewer that contain every word, those that contain the weightier half are shown too. */
const ENOUGH = 10;

/** What later pages must repeat of the first, so that their order is the same whatever was added meanwhile. */
export interface Pins {
  readonly weights: readonly number[];
  /** Whether products that lack a word are in. */
  readonly relaxed: boolean;
}

export type Score = (at: number) => number;

/** The products found, and what each scores. */
export interface Matches {
  /** A bit a slot, in so many words. */
  readonly set: Int32Array;
  readonly words: number;
  readonly score: Score;
  /** Of a word: none of its slots scores more. Null where nothing is known of that. */
  readonly bound: Score | null;
  readonly pins: Pins;
  /** A product that is nothing but the query would have this score. */
  readonly scoreMax: number;
}

/** One thread, one query at a time: all indexes share what a query writes on. */
let matched = new Int32Array(0);
const tallies: Tally[] = [];
/** By want of the query at hand. */
let weights: readonly number[] = [];
let wanted = 0;

const score = (slot: number): number => {
  const word = slot >>> WORD_SHIFT;
  const bit = 1 << (slot & WORD_MASK);
  let sum = 0;
  let missing = 0;
  for (let at = 0; at < wanted; at++) {
    const impact = tallies[at]!.impact(slot, word, bit);
    if (impact === 0) missing++;
    else sum += impact * (weights[at] ?? 1);
  }
  // For each word that is missing a score is halved.
  return sum >> missing;
};

const bound = (word: number): number => {
  let sum = 0;
  let missing = 0;
  for (let at = 0; at < wanted; at++) {
    const { bits, tops } = tallies[at]!;
    if (bits[word] === 0) missing++;
    else sum += tops[word]! * (weights[at] ?? 1);
  }
  return sum >> missing;
};

const find = (index: ProductIndex, wants: readonly Want[]): number => {
  const words = reserve(index);
  while (tallies.length < wants.length) tallies.push(new Tally());
  for (let at = 0; at < wants.length; at++) tallies[at]!.find(index, wants[at]!.alternatives);
  wanted = wants.length;
  return words;
};

const reserve = (index: ProductIndex): number => {
  const words = wordsFor(index.slots);
  if (words > matched.length) matched = new Int32Array(Math.ceil(words * 1.25));
  return words;
};

const visibleOf = (index: ProductIndex, everything: boolean): Int32Array => (everything ? index.live : index.active);

export const match = (index: ProductIndex, wants: readonly Want[], everything: boolean, pins: Pins | null): Matches => {
  const words = find(index, wants);
  weights = pins?.weights ?? wants.map(({ weight }) => weight);
  const visible = visibleOf(index, everything);
  let relaxed = pins?.relaxed ?? false;
  if (!relaxed) {
    matchAllOf(visible, words);
    relaxed = pins === null && wants.length > 1 && sizeOf(matched, words) < ENOUGH;
  }
  if (relaxed) matchMostOf(visible, words);
  return { set: matched, words, score, bound, pins: { weights, relaxed }, scoreMax: sum(weights) * IMPACT_MASK };
};

const sum = (numbers: readonly number[]): number => {
  let total = 0;
  for (let at = 0; at < numbers.length; at++) total += numbers[at]!;
  return total;
};

const matchAllOf = (visible: Int32Array, words: number): void => {
  const set = matched;
  if (wanted === 0) set.fill(0, 0, words);
  for (let at = 0; at < wanted; at++) {
    const { bits } = tallies[at]!;
    const before = at === 0 ? visible : set;
    for (let word = 0; word < words; word++) set[word] = before[word]! & bits[word]!;
  }
};

/** Those that contain half of it by weight. */
const matchMostOf = (visible: Int32Array, words: number): void => {
  const set = matched;
  const most = sufficient();
  set.fill(0, 0, words);
  if (most === null) {
    matchByMass(visible, words);
    return;
  }
  for (let each = 0; each < most.length; each++) {
    const together = most[each]!;
    for (let word = 0; word < words; word++) {
      let all = visible[word]!;
      for (let at = 0; at < together.length && all !== 0; at++) all &= together[at]![word]!;
      set[word]! |= all;
    }
  }
};

/** More combinations of wants than these are not written out. */
const COMBINATIONS_MAX = 32;

/** The slots of every combination of wants that weighs half and needs each of its parts; null where there are too many. */
const sufficient = (): Int32Array[][] | null => {
  const order = Array.from({ length: wanted }, (_, at) => at).sort((a, b) => (weights[b] ?? 1) - (weights[a] ?? 1));
  const half = sum(weights) / 2;
  const found: Int32Array[][] = [];
  const chosen: Int32Array[] = [];
  const choose = (turn: number, mass: number, rest: number): void => {
    if (found.length > COMBINATIONS_MAX || mass + rest < half) return;
    if (mass >= half) {
      found.push([...chosen]);
      return;
    }
    if (turn === wanted) return;
    const weight = weights[order[turn]!] ?? 1;
    chosen.push(tallies[order[turn]!]!.bits);
    choose(turn + 1, mass + weight, rest - weight);
    chosen.pop();
    choose(turn + 1, mass, rest - weight);
  };
  choose(
    0,
    0,
    order.reduce((total, at) => total + (weights[at] ?? 1), 0),
  );
  return found.length > COMBINATIONS_MAX ? null : found;
};

/** The same, product by product. */
const matchByMass = (visible: Int32Array, words: number): void => {
  const set = matched;
  const total = sum(weights);
  for (let word = 0; word < words; word++) {
    let any = 0;
    for (let at = 0; at < wanted; at++) any |= tallies[at]!.bits[word]!;
    let kept = 0;
    for (let left = any & visible[word]!; left !== 0; left &= left - 1) {
      const bit = left & -left;
      let mass = 0;
      for (let at = 0; at < wanted; at++) if (tallies[at]!.bits[word]! & bit) mass += weights[at] ?? 1;
      if (mass * 2 >= total) kept |= bit;
    }
    set[word] = kept;
  }
};

const UNSCORED = { score: () => 0, bound: null, scoreMax: 0 };

/** Every product that contains any of it, without scores. */
export const matchAny = (index: ProductIndex, wants: readonly Want[], everything: boolean): Matches => {
  const words = find(index, wants);
  const visible = visibleOf(index, everything);
  const set = matched;
  for (let word = 0; word < words; word++) {
    let any = 0;
    for (let at = 0; at < wanted; at++) any |= tallies[at]!.bits[word]!;
    set[word] = any & visible[word]!;
  }
  return { set, words, ...UNSCORED, pins: { weights: [], relaxed: true } };
};

/** Every product that a caller sees, without scores. */
export const matchAll = (index: ProductIndex, everything: boolean): Matches => {
  const words = reserve(index);
  matched.set(visibleOf(index, everything).subarray(0, words));
  return { set: matched, words, ...UNSCORED, pins: { weights: [], relaxed: false } };
};
