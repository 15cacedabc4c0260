// The text order of terms. After a load the terms are numbered in this order, so that terms with a common prefix are
// adjacent; terms added later are sorted in a separate list.

import { BlockMaxima } from './block_max.ts';
import { TEXT_BYTES_MAX } from './offset.ts';
import type { Slices } from './posting.ts';
import { TextList } from './text_list.ts';

/**
 * Prefix searches scan terms that are not sorted yet. From this number on sorting is due; above UNSORTED_LIMIT the next
 * search sorts first.
 */
const UNSORTED_MAX = 2_048;
const UNSORTED_LIMIT = 1 << 15;
/** Up to this many terms with a prefix, all are visited. */
const WALKED_MAX = 4_096;
const SORTED_PER_SLICE = 1 << 14;
/** Every 64th term's first four bytes are stored in a short array. */
const HEAD_SHIFT = 6;

const read = new Uint8Array(TEXT_BYTES_MAX);

const headOf = (bytes: Uint8Array, length: number): number => {
  let head = 0;
  for (let at = 0; at < 4; at++) head = (head << 8) | (at < length ? bytes[at]! : 0);
  return head >>> 0;
};

export interface TermOrderState {
  readonly arranged: number;
  readonly heads: Uint32Array;
  readonly blockMaxima: Uint32Array;
  readonly later: Uint32Array;
  readonly laterBlockMaxima: Uint32Array;
}

export class TermOrder {
  #texts: TextList;
  /** Terms with lower numbers are numbered in text order. */
  #arranged = 0;
  #heads: Uint32Array = new Uint32Array(0);
  #blockMaxima = new BlockMaxima(0);
  #later: Uint32Array = new Uint32Array(0);
  #laterBlockMaxima = new BlockMaxima(0);
  readonly #count: (term: number) => number;

  constructor(texts: TextList, count: (term: number) => number) {
    this.#texts = texts;
    this.#count = count;
  }

  get state(): TermOrderState {
    return {
      arranged: this.#arranged,
      heads: this.#heads,
      blockMaxima: this.#blockMaxima.state,
      later: this.#later,
      laterBlockMaxima: this.#laterBlockMaxima.state,
    };
  }

  restore(state: TermOrderState): void {
    this.#arranged = state.arranged;
    this.#heads = state.heads;
    this.#blockMaxima = BlockMaxima.of(state.blockMaxima);
    this.#later = state.later;
    this.#laterBlockMaxima = BlockMaxima.of(state.laterBlockMaxima);
  }

  get needsSorting(): boolean {
    return this.#texts.size - this.#settled > UNSORTED_MAX;
  }

  get memoryBytes(): number {
    return (
      this.#heads.byteLength +
      this.#later.byteLength +
      this.#blockMaxima.memoryBytes +
      this.#laterBlockMaxima.memoryBytes
    );
  }

  /**
   * Visits the terms with a prefix. If there are thousands, visits only those that may be among the 64 most frequent,
   * as counted at the last sort. `bytes` must have room for one more byte.
   */
  eachWithPrefix(bytes: Uint8Array, length: number, take: (term: number) => void): void {
    const texts = this.#texts;
    if (texts.size - this.#settled > UNSORTED_LIMIT) for (const _ of this.sorting()) void 0;
    // Byte 255 sorts after every text with the prefix, because it does not occur in UTF-8.
    bytes[length] = 255;
    const from = this.#firstArranged(bytes, length);
    const to = this.#firstArranged(bytes, length + 1);
    if (to - from > WALKED_MAX) this.#blockMaxima.eachCandidate(from, to, take);
    else for (let term = from; term < to; term++) take(term);
    const later = this.#later;
    if (later.length > 0) {
      const first = this.#firstLater(bytes, length);
      const end = this.#firstLater(bytes, length + 1, later, first);
      if (end - first > WALKED_MAX) this.#laterBlockMaxima.eachCandidate(first, end, (place) => take(later[place]!));
      else for (let place = first; place < end; place++) take(later[place]!);
    }
    for (let term = this.#settled; term < texts.size; term++) if (texts.begins(term, bytes, length)) take(term);
  }

  /** Sorts new terms in slices; terms may be added between two slices. */
  *sorting(): Slices {
    const arranged = this.#arranged;
    const older = this.#later;
    const settled = this.#settled;
    const newer = new Uint32Array(this.#texts.size - settled);
    for (let at = 0; at < newer.length; at++) newer[at] = settled + at;
    yield* this.#order(newer, 0, newer.length, 0);
    if (this.#later !== older) return;
    const later = new Uint32Array(older.length + newer.length);
    let from = 0;
    for (let at = 0; at < newer.length; at++) {
      if (at % SORTED_PER_SLICE === 0) yield;
      const length = this.#texts.read(newer[at]!, read);
      const to = older.length === 0 ? 0 : this.#firstLater(read, length, older, from);
      if (to > from) later.set(older.subarray(from, to), from + at);
      later[to + at] = newer[at]!;
      from = to;
    }
    later.set(older.subarray(from), from + newer.length);
    const blockMaxima = yield* this.#maximaOf(arranged, (place) => place);
    const laterBlockMaxima = yield* this.#maximaOf(later.length, (place) => later[place]!);
    if (this.#later !== older) return;
    this.#later = later;
    this.#blockMaxima = blockMaxima;
    this.#laterBlockMaxima = laterBlockMaxima;
  }

  /**
   * Renumbers all terms in text order. Runs in slices, between which no term may be added. Returns the texts and the
   * new number of each term.
   */
  *arranging(): Generator<void, { readonly texts: TextList; readonly numbers: Uint32Array }> {
    const older = this.#texts;
    const order = new Uint32Array(older.size);
    for (let term = 0; term < order.length; term++) order[term] = term;
    yield* this.#order(order, 0, order.length, 0);
    const texts = new TextList();
    const numbers = new Uint32Array(order.length);
    const heads = new Uint32Array((order.length + (1 << HEAD_SHIFT) - 1) >>> HEAD_SHIFT);
    for (let at = 0; at < order.length; at++) {
      const length = older.read(order[at]!, read);
      texts.push(read, length);
      numbers[order[at]!] = at;
      if (at % (1 << HEAD_SHIFT) === 0) heads[at >>> HEAD_SHIFT] = headOf(read, length);
      if (at % SORTED_PER_SLICE === 0) yield;
    }
    this.#texts = texts;
    this.#arranged = order.length;
    this.#heads = heads;
    this.#blockMaxima = new BlockMaxima(order.length);
    this.#later = new Uint32Array(0);
    return { texts, numbers };
  }

  get #settled(): number {
    return this.#arranged + this.#later.length;
  }

  *#maximaOf(places: number, term: (place: number) => number): Generator<void, BlockMaxima> {
    const blockMaxima = new BlockMaxima(places);
    for (let place = 0; place < places; place++) {
      blockMaxima.raise(place, this.#count(term(place)));
      if (place % SORTED_PER_SLICE === 0) yield;
    }
    return blockMaxima;
  }

  #firstArranged(bytes: Uint8Array, length: number): number {
    const head = headOf(bytes, length);
    const heads = this.#heads;
    // Searches the first bytes of every 64th term, then the few terms between two of those.
    const block = firstAt(heads, head);
    let end = block;
    while (end < heads.length && heads[end] === head) end = firstAt(heads, head + 1);
    let low = block === 0 ? 0 : (block - 1) << HEAD_SHIFT;
    let high = Math.min(end << HEAD_SHIFT, this.#arranged);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#texts.isBefore(middle, bytes, length)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #firstLater(bytes: Uint8Array, length: number, terms = this.#later, from = 0): number {
    let low = from;
    let high = terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#texts.isBefore(terms[middle]!, bytes, length)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Three-way radix quicksort, which reads common leading bytes only once. */
  *#order(terms: Uint32Array, from: number, to: number, depth: number): Slices {
    if (to - from < SORTED_PER_SLICE) {
      this.#orderAtOnce(terms, from, to, depth);
      yield;
      return;
    }
    const [low, high, pivot] = this.#part(terms, from, to, depth);
    yield* this.#order(terms, from, low, depth);
    if (pivot >= 0) yield* this.#order(terms, low, high, depth + 1);
    yield* this.#order(terms, high, to, depth);
  }

  #orderAtOnce(terms: Uint32Array, from: number, to: number, depth: number): void {
    if (to - from < 2) return;
    const [low, high, pivot] = this.#part(terms, from, to, depth);
    this.#orderAtOnce(terms, from, low, depth);
    if (pivot >= 0) this.#orderAtOnce(terms, low, high, depth + 1);
    this.#orderAtOnce(terms, high, to, depth);
  }

  #part(terms: Uint32Array, from: number, to: number, depth: number): readonly [number, number, number] {
    const texts = this.#texts;
    const pivot = texts.byte(terms[(from + to) >> 1]!, depth);
    let low = from;
    let high = to;
    let at = from;
    while (at < high) {
      const byte = texts.byte(terms[at]!, depth);
      if (byte < pivot) swap(terms, low++, at++);
      else if (byte > pivot) swap(terms, --high, at);
      else at++;
    }
    return [low, high, pivot];
  }
}

const swap = (terms: Uint32Array, a: number, b: number): void => {
  const swapped = terms[a]!;
  terms[a] = terms[b]!;
  terms[b] = swapped;
};

const firstAt = (numbers: Uint32Array, number: number): number => {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
};
