// The products that contain what a query wants, each with a score: all of it, or, where too few do, most of it.
import { IMPACT_MASK, SLOT_SHIFT } from './posting.ts';
import { ACTIVE, LIVE, type ProductIndex } from './product_index.ts';
import type { Want } from './query.ts';

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

/** One thread, one query at a time: all indexes share what a query writes on. */
const pad = {
  scores: new Int32Array(0),
  masks: new Uint32Array(0),
  best: new Uint8Array(0),
  slots: new Uint32Array(0),
  found: new Uint32Array(0),
};

const reserve = (slots: number): void => {
  if (slots <= pad.scores.length) return;
  const size = Math.ceil(slots * 1.25);
  pad.scores = new Int32Array(size);
  pad.masks = new Uint32Array(size);
  pad.best = new Uint8Array(size);
  pad.slots = new Uint32Array(size);
  pad.found = new Uint32Array(size);
};

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

/** Instead of the wants that a product must have had: none, or at least one. */
const ANY = -1;
const MET = -2;
/** A list so many times as long as there are products of interest is searched for each of them. */
const SEARCHED_FROM = 16;

/** Adds one want to the scores; with `only`, of products that had just those wants before. Returns how many are in. */
const addWant = (
  index: ProductIndex,
  { alternatives }: Want,
  weight: number,
  bit: number,
  only: number,
  size: number,
): number => {
  const { postings } = index;
  const [first] = alternatives;
  if (alternatives.length === 1 && first!.factor === 256) {
    const { term } = first!;
    const recent = postings.recent(term);
    const start = postings.start(term);
    const end = postings.end(term);
    let after = size;
    if (only !== ANY && size * SEARCHED_FROM < end - start) {
      addSearched(postings.packed, start, end, weight, bit, only, size);
    } else after = addList(postings.packed, start, end, weight, bit, only, size);
    return recent.size === 0 ? after : addList(recent.postings, 0, recent.size, weight, bit, only, after);
  }
  let found = 0;
  for (let at = 0; at < alternatives.length; at++) {
    const { term, factor } = alternatives[at]!;
    const recent = postings.recent(term);
    const start = postings.start(term);
    const end = postings.end(term);
    if (only !== ANY && size * SEARCHED_FROM < end - start) {
      found = gatherSearched(postings.packed, start, end, factor, only, size, found);
    } else found = gather(postings.packed, start, end, factor, only, found);
    if (recent.size > 0) found = gather(recent.postings, 0, recent.size, factor, only, found);
  }
  return addFound(found, weight, bit, size);
};

const addList = (
  list: Uint32Array,
  from: number,
  to: number,
  weight: number,
  bit: number,
  only: number,
  size: number,
): number => {
  const { scores, masks, slots } = pad;
  let count = size;
  if (only >= 0) {
    for (let at = from; at < to; at++) {
      const posting = list[at]!;
      const slot = posting >>> SLOT_SHIFT;
      if (masks[slot] !== only) continue;
      masks[slot] = only | bit;
      scores[slot]! += weight * (posting & IMPACT_MASK);
    }
    return count;
  }
  for (let at = from; at < to; at++) {
    const posting = list[at]!;
    const slot = posting >>> SLOT_SHIFT;
    const mask = masks[slot]!;
    if (mask === 0) {
      if (only === MET) continue;
      slots[count++] = slot;
      scores[slot] = weight * (posting & IMPACT_MASK);
    } else scores[slot]! += weight * (posting & IMPACT_MASK);
    masks[slot] = mask | bit;
  }
  return count;
};

/** The same, where few products are of interest: each is looked for in the list. */
const addSearched = (
  list: Uint32Array,
  from: number,
  to: number,
  weight: number,
  bit: number,
  only: number,
  size: number,
): void => {
  const { scores, masks, slots } = pad;
  let at = from;
  for (let each = 0; each < size; each++) {
    const slot = slots[each]!;
    const mask = masks[slot]!;
    if (only >= 0 && mask !== only) continue;
    at = firstFrom(list, from, to, at, slot);
    if (at === to || list[at]! >>> SLOT_SHIFT !== slot) continue;
    masks[slot] = mask | bit;
    scores[slot]! += weight * (list[at]! & IMPACT_MASK);
  }
};

/** The list's first posting of the slot or one behind it; `near` is where the last one was. */
const firstFrom = (list: Uint32Array, from: number, to: number, near: number, slot: number): number => {
  const least = (slot << SLOT_SHIFT) >>> 0;
  let low = from;
  let high = to;
  if (near < to && list[near]! < least) {
    low = near + 1;
    for (let step = 1; ; step <<= 1) {
      const ahead = low + step;
      if (ahead >= to) break;
      if (list[ahead]! >= least) {
        high = ahead;
        break;
      }
      low = ahead + 1;
    }
  } else if (near < to) high = near;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The best of each product's alternatives, into `best`, and the products into `found`. */
const gather = (list: Uint32Array, from: number, to: number, factor: number, only: number, size: number): number => {
  const { best, found, masks } = pad;
  let count = size;
  for (let at = from; at < to; at++) {
    const posting = list[at]!;
    const slot = posting >>> SLOT_SHIFT;
    if (only !== ANY) {
      const mask = masks[slot]!;
      if (only === MET ? mask === 0 : mask !== only) continue;
    }
    const impact = ((posting & IMPACT_MASK) * factor + 255) >> 8;
    const before = best[slot]!;
    if (impact <= before) continue;
    if (before === 0) found[count++] = slot;
    best[slot] = impact;
  }
  return count;
};

/** The same, where few products are of interest. */
const gatherSearched = (
  list: Uint32Array,
  from: number,
  to: number,
  factor: number,
  only: number,
  size: number,
  gathered: number,
): number => {
  const { best, found, masks, slots } = pad;
  let count = gathered;
  let near = from;
  for (let each = 0; each < size; each++) {
    const slot = slots[each]!;
    if (only >= 0 && masks[slot] !== only) continue;
    near = firstFrom(list, from, to, near, slot);
    if (near === to || list[near]! >>> SLOT_SHIFT !== slot) continue;
    const impact = ((list[near]! & IMPACT_MASK) * factor + 255) >> 8;
    const before = best[slot]!;
    if (impact <= before) continue;
    if (before === 0) found[count++] = slot;
    best[slot] = impact;
  }
  return count;
};

const addFound = (found: number, weight: number, bit: number, size: number): number => {
  const { scores, masks, slots, best } = pad;
  let count = size;
  for (let at = 0; at < found; at++) {
    const slot = pad.found[at]!;
    const impact = best[slot]!;
    best[slot] = 0;
    const mask = masks[slot]!;
    if (mask === 0) {
      slots[count++] = slot;
      scores[slot] = weight * impact;
    } else scores[slot]! += weight * impact;
    masks[slot] = mask | bit;
  }
  return count;
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
