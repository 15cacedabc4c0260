// What a query writes while it is matched: the products that are in so far, which wants each has met, and its score.
import { IMPACT_MASK, SLOT_SHIFT } from './posting.ts';
import type { ProductIndex } from './product_index.ts';
import { type Want, WHOLE } from './query.ts';

/** One thread, one query at a time: all indexes share what a query writes on. */
export const pad = {
  scores: new Int32Array(0),
  masks: new Uint32Array(0),
  best: new Uint8Array(0),
  slots: new Uint32Array(0),
  found: new Uint32Array(0),
};

export const reserve = (slots: number): void => {
  if (slots <= pad.scores.length) return;
  const size = Math.ceil(slots * 1.25);
  pad.scores = new Int32Array(size);
  pad.masks = new Uint32Array(size);
  pad.best = new Uint8Array(size);
  pad.slots = new Uint32Array(size);
  pad.found = new Uint32Array(size);
};

/** Instead of the wants that a product must have had: none, or at least one. */
export const ANY = -1;
export const MET = -2;
/** A list so many times as long as there are products of interest is searched for each of them. */
const SEARCHED_FROM = 16;

/** Adds one want to the scores; with `only`, of products that had just those wants before. Returns how many are in. */
export const addWant = (
  index: ProductIndex,
  { alternatives }: Want,
  weight: number,
  bit: number,
  only: number,
  size: number,
): number => {
  const { postings } = index;
  const [first] = alternatives;
  if (alternatives.length === 1 && first!.factor === WHOLE) {
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
  if (size === 0 && only === ANY) return addFirst(index, alternatives, weight, bit);
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

/** Nothing is in yet: the best of each product's alternatives goes into the scores at once. */
const addFirst = (index: ProductIndex, alternatives: Want['alternatives'], weight: number, bit: number): number => {
  const { postings } = index;
  let size = 0;
  for (let at = 0; at < alternatives.length; at++) {
    const { term, factor } = alternatives[at]!;
    const recent = postings.recent(term);
    size = addBest(postings.packed, postings.start(term), postings.end(term), factor, weight, bit, size);
    if (recent.size > 0) size = addBest(recent.postings, 0, recent.size, factor, weight, bit, size);
  }
  return size;
};

const addBest = (
  list: Uint32Array,
  from: number,
  to: number,
  factor: number,
  weight: number,
  bit: number,
  size: number,
): number => {
  const { scores, masks, slots } = pad;
  let count = size;
  for (let at = from; at < to; at++) {
    const posting = list[at]!;
    const slot = posting >>> SLOT_SHIFT;
    const score = weight * (((posting & IMPACT_MASK) * factor + 255) >> 8);
    if (masks[slot] === 0) {
      masks[slot] = bit;
      slots[count++] = slot;
      scores[slot] = score;
    } else if (score > scores[slot]!) scores[slot] = score;
  }
  return count;
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
