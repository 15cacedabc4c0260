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
    const matches = collect(index, wants, weights, visible, false);
    if (pins || wants.length < 2 || matches.size >= ENOUGH) return matches;
  }
  return collect(index, wants, weights, visible, true);
};

const collect = (
  index: ProductIndex,
  wants: readonly Want[],
  weights: readonly number[],
  visible: number,
  relaxed: boolean,
): Matches => {
  // The rarest first: after it, only products that have it are of interest.
  const order = wants
    .map((_, at) => at)
    .sort((a, b) => (relaxed ? (weights[b] ?? 1) - (weights[a] ?? 1) : wants[a]!.postings - wants[b]!.postings));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let size = 0;
  let sofar = 0;
  let rest = total;
  for (const [turn, at] of order.entries()) {
    const bit = 1 << turn;
    // What only comes now cannot make up half of the query any more.
    const late = relaxed && rest * 2 < total ? MET : ANY;
    const only = relaxed || turn === 0 ? late : sofar;
    const weight = weights[at] ?? 1;
    size = addWant(index, wants[at]!, weight, bit, only, size);
    sofar |= bit;
    rest -= weight;
  }
  const { scores, masks, slots } = pad;
  const { flags } = index;
  const heavy = order.map((at) => weights[at] ?? 1);
  let kept = 0;
  for (let at = 0; at < size; at++) {
    const slot = slots[at]!;
    const mask = masks[slot]!;
    masks[slot] = 0;
    if ((flags[slot]! & visible) !== visible) continue;
    if (mask !== sofar) {
      if (!relaxed) continue;
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
  return { slots, size: kept, scores, pins: { weights, relaxed }, scoreMax: total * IMPACT_MASK };
};

/** Instead of the wants that a product must have had: none, or at least one. */
const ANY = -1;
const MET = -2;

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
    const { packed } = postings;
    const after = addList(packed, postings.start(term), postings.end(term), weight, bit, only, size);
    return recent.size === 0 ? after : addList(recent.postings, 0, recent.size, weight, bit, only, after);
  }
  let found = 0;
  for (const { term, factor } of alternatives) {
    const recent = postings.recent(term);
    found = gather(postings.packed, postings.start(term), postings.end(term), factor, found);
    if (recent.size > 0) found = gather(recent.postings, 0, recent.size, factor, found);
  }
  return addFound(found, weight, bit, only, size);
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

/** The best of each product's alternatives, into `best`, and the products into `found`. */
const gather = (list: Uint32Array, from: number, to: number, factor: number, size: number): number => {
  const { best, found } = pad;
  let count = size;
  for (let at = from; at < to; at++) {
    const posting = list[at]!;
    const slot = posting >>> SLOT_SHIFT;
    const impact = ((posting & IMPACT_MASK) * factor + 255) >> 8;
    const before = best[slot]!;
    if (impact <= before) continue;
    if (before === 0) found[count++] = slot;
    best[slot] = impact;
  }
  return count;
};

const addFound = (found: number, weight: number, bit: number, only: number, size: number): number => {
  const { scores, masks, slots, best } = pad;
  let count = size;
  for (let at = 0; at < found; at++) {
    const slot = pad.found[at]!;
    const impact = best[slot]!;
    best[slot] = 0;
    const mask = masks[slot]!;
    if (only >= 0 && mask !== only) continue;
    if (mask === 0) {
      if (only === MET) continue;
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
