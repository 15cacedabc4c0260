// The products that contain what a query wants, each with a score: all of it, or, where too few do, most of it.
import { IMPACT_MASK, SLOT_SHIFT } from './posting.ts';
import { ACTIVE, LIVE, type ProductIndex } from './product_index.ts';
import { type Want, WHOLE } from './query.ts';
import { ANY, addWant, MET, pad, reserve } from './tally.ts';

/** With fewer that contain every word, those that contain the weightier half are shown too. */
const ENOUGH = 10;

/** What later pages must repeat of the first, so that their order is the same whatever was added meanwhile. */
export interface Pins {
  readonly weights: readonly number[];
  /** Whether products that lack a word are in. */
  readonly relaxed: boolean;
}

export interface Matches {
  /** The first `size` are theirs. */
  readonly slots: Uint32Array;
  size: number;
  /** By slot. */
  readonly scores: Int32Array;
  readonly pins: Pins;
  /** A product that is nothing but the query would have this score. */
  readonly scoreMax: number;
}

export const match = (index: ProductIndex, wants: readonly Want[], everything: boolean, pins: Pins | null): Matches => {
  reserve(index.slots);
  const weights = pins?.weights ?? wants.map(({ weight }) => weight);
  const visible = everything ? LIVE : LIVE | ACTIVE;
  if (!pins?.relaxed) {
    const least = pins || wants.length < 2 ? 0 : ENOUGH;
    const size = matchAllOf(index, wants, weights, visible, least);
    if (size >= least) return matchesOf(size, weights, false);
  }
  return matchesOf(matchMostOf(index, wants, weights, visible), weights, true);
};

const matchesOf = (size: number, weights: readonly number[], relaxed: boolean): Matches => ({
  slots: pad.slots,
  size,
  scores: pad.scores,
  pins: { weights, relaxed },
  scoreMax: sum(weights) * IMPACT_MASK,
});

const sum = (weights: readonly number[]): number => {
  let total = 0;
  for (let at = 0; at < weights.length; at++) total += weights[at]!;
  return total;
};

/** Those that contain everything; given up, with less than `least`, as soon as there cannot be so many. */
const matchAllOf = (
  index: ProductIndex,
  wants: readonly Want[],
  weights: readonly number[],
  visible: number,
  least: number,
): number => {
  const [only] = wants;
  const [first] = only?.alternatives ?? [];
  if (wants.length === 1 && only!.alternatives.length === 1 && first!.factor === WHOLE) {
    return takeTerm(index, first!.term, weights[0] ?? 1, visible);
  }
  // The rarest first: after it, only products that have it are of interest.
  const order = orderOf(wants.length, (a, b) => wants[a]!.postings - wants[b]!.postings);
  const { masks, slots } = pad;
  let size = 0;
  let sofar = 0;
  for (let turn = 0; turn < order.length; turn++) {
    const at = order[turn]!;
    const bit = 1 << turn;
    size = addWant(index, wants[at]!, weights[at] ?? 1, bit, turn === 0 ? ANY : sofar, size);
    sofar |= bit;
    if (turn > 0) {
      let kept = 0;
      for (let each = 0; each < size; each++) {
        const slot = slots[each]!;
        if (masks[slot] === sofar) slots[kept++] = slot;
        else masks[slot] = 0;
      }
      size = kept;
    }
    if (size < least) break;
  }
  const { flags } = index;
  let kept = 0;
  for (let each = 0; each < size; each++) {
    const slot = slots[each]!;
    masks[slot] = 0;
    if ((flags[slot]! & visible) === visible) slots[kept++] = slot;
  }
  return kept;
};

/** One term is all that is wanted. */
const takeTerm = (index: ProductIndex, term: number, weight: number, visible: number): number => {
  const { postings } = index;
  const recent = postings.recent(term);
  const size = takeList(index, postings.packed, postings.start(term), postings.end(term), weight, visible, 0);
  return takeList(index, recent.postings, 0, recent.size, weight, visible, size);
};

const takeList = (
  { flags }: ProductIndex,
  list: Uint32Array,
  from: number,
  to: number,
  weight: number,
  visible: number,
  size: number,
): number => {
  const { scores, slots } = pad;
  let count = size;
  for (let at = from; at < to; at++) {
    const posting = list[at]!;
    const slot = posting >>> SLOT_SHIFT;
    if ((flags[slot]! & visible) !== visible) continue;
    slots[count++] = slot;
    scores[slot] = weight * (posting & IMPACT_MASK);
  }
  return count;
};

/** Those that contain half of it by weight; for each word that is missing a score is halved. */
const matchMostOf = (
  index: ProductIndex,
  wants: readonly Want[],
  weights: readonly number[],
  visible: number,
): number => {
  const order = orderOf(wants.length, (a, b) => (weights[b] ?? 1) - (weights[a] ?? 1));
  const total = sum(weights);
  const heavy = order.map((at) => weights[at] ?? 1);
  let size = 0;
  let rest = total;
  for (let turn = 0; turn < order.length; turn++) {
    const weight = heavy[turn]!;
    // What only comes now cannot make up half of the query any more.
    size = addWant(index, wants[order[turn]!]!, weight, 1 << turn, rest * 2 < total ? MET : ANY, size);
    rest -= weight;
  }
  const { scores, masks, slots } = pad;
  const { flags } = index;
  const all = 2 ** order.length - 1;
  let kept = 0;
  for (let at = 0; at < size; at++) {
    const slot = slots[at]!;
    const mask = masks[slot]!;
    masks[slot] = 0;
    if ((flags[slot]! & visible) !== visible) continue;
    if (mask !== all) {
      let mass = 0;
      let missing = 0;
      for (let turn = 0; turn < heavy.length; turn++) {
        if (mask & (1 << turn)) mass += heavy[turn]!;
        else missing++;
      }
      if (mass * 2 < total) continue;
      scores[slot] = scores[slot]! >> missing;
    }
    slots[kept++] = slot;
  }
  return kept;
};

const orderOf = (count: number, compare: (a: number, b: number) => number): number[] => {
  const order = Array.from({ length: count }, (_, at) => at);
  return count < 2 ? order : order.sort(compare);
};

/** Every product that contains any of it, without scores. */
export const matchAny = (index: ProductIndex, wants: readonly Want[], everything: boolean): Matches => {
  reserve(index.slots);
  let size = 0;
  for (let at = 0; at < wants.length; at++) size = addWant(index, wants[at]!, 1, 1, ANY, size);
  const { slots, scores, masks } = pad;
  const { flags } = index;
  const visible = everything ? LIVE : LIVE | ACTIVE;
  let kept = 0;
  for (let at = 0; at < size; at++) {
    const slot = slots[at]!;
    masks[slot] = 0;
    if ((flags[slot]! & visible) !== visible) continue;
    scores[slot] = 0;
    slots[kept++] = slot;
  }
  return { slots, size: kept, scores, pins: { weights: [], relaxed: true }, scoreMax: 0 };
};

/** Every product that a caller sees, without scores. */
export const matchAll = (index: ProductIndex, everything: boolean): Matches => {
  reserve(index.slots);
  const visible = everything ? LIVE : LIVE | ACTIVE;
  const { slots, scores } = pad;
  let size = 0;
  for (let slot = 0; slot < index.slots; slot++) {
    if ((index.flags[slot]! & visible) !== visible) continue;
    scores[slot] = 0;
    slots[size++] = slot;
  }
  return { slots, size, scores, pins: { weights: [], relaxed: false }, scoreMax: 0 };
};
