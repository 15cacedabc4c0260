// Sort orders of results, and selection of the page after a position.
import type { CursorKey } from '#values/cursor.ts';
import type { Identities } from './identity.ts';
import type { Score } from './match.ts';
import type { Narrow } from './narrow.ts';
import type { ProductIndex } from './product_index.ts';
import { rank, ranked } from './ranking.ts';
import { type SlotSet, WORD_MASK, WORD_SHIFT } from './slot_set.ts';

export type ResultSort = 'relevance' | 'price_asc' | 'price_desc' | 'newest' | 'rating';

export interface ResultPosition {
  readonly keys: readonly number[];
  readonly id: string;
}

/** Descending: a key, then columns for ties. */
export interface ResultOrder {
  readonly key: Score;
  readonly rest: readonly (Float64Array | Narrow)[];
}

export const orderOf = (
  { price, rating, reviews, createdAt }: ProductIndex,
  sort: ResultSort,
  score: Score,
): ResultOrder => {
  // Products without a price come last.
  const priced = (direction: number): Score => {
    return (slot) => (Number.isNaN(price[slot]!) ? Number.NEGATIVE_INFINITY : price[slot]! * direction);
  };
  switch (sort) {
    case 'relevance':
      return { key: score, rest: [createdAt] };
    case 'price_asc':
      return { key: priced(-1), rest: [createdAt] };
    case 'price_desc':
      return { key: priced(1), rest: [createdAt] };
    case 'rating':
      return { key: (slot) => rating[slot]!, rest: [reviews, createdAt] };
    case 'newest':
      return { key: (slot) => createdAt[slot]!, rest: [] };
  }
};

let best = new Uint32Array(0);
let bestKeys = new Float64Array(0);

/** The first `limit` products after a position, in order. */
export class Selection {
  readonly #identities: Identities;
  readonly #key: Score;
  readonly #rest: ResultOrder['rest'];
  readonly #limit: number;
  readonly #after: ResultPosition | null;
  #size = 0;
  /** The key of the last one once the page is full. */
  #threshold = Number.NEGATIVE_INFINITY;

  constructor({ identities }: ProductIndex, { key, rest }: ResultOrder, limit: number, after: ResultPosition | null) {
    this.#identities = identities;
    this.#key = key;
    this.#rest = rest;
    this.#limit = limit;
    this.#after = after;
    if (limit <= best.length) return;
    best = new Uint32Array(limit);
    bestKeys = new Float64Array(limit);
  }

  get size(): number {
    return this.#size;
  }

  get slots(): Uint32Array {
    return best;
  }

  offerAll({ bits, words, size }: SlotSet): void {
    for (let at = 0; at < size; at++) this.#offerWord(words[at]!, bits[words[at]!]!);
  }

  /** Skips words whose bound is below the page's lowest key. */
  offerBest(set: SlotSet, bound: Score): void {
    if (set.size <= UNRANKED_MAX) {
      this.offerAll(set);
      return;
    }
    const size = rank(set, bound);
    const { words, bounds } = ranked;
    for (let at = 0; at < size; at++)
      if (bounds[at]! >= this.#threshold) this.#offerWord(words[at]!, set.bits[words[at]!]!);
  }

  #offerWord(word: number, bits: number): void {
    const key = this.#key;
    const first = (word << WORD_SHIFT) + WORD_MASK;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const slot = first - Math.clz32(rest & -rest);
      const own = key(slot);
      if (own >= this.#threshold) this.#offer(slot, own);
    }
  }

  #offer(slot: number, key: number): void {
    if (this.#after !== null && !this.#isAfter(slot, key, this.#after)) return;
    const slots = best;
    const keys = bestKeys;
    const last = this.#limit - 1;
    let at = this.#size;
    if (at <= last) this.#size++;
    else if (this.#isBefore(slot, key, last)) at = last;
    else return;
    for (; at > 0 && this.#isBefore(slot, key, at - 1); at--) {
      slots[at] = slots[at - 1]!;
      keys[at] = keys[at - 1]!;
    }
    slots[at] = slot;
    keys[at] = key;
    if (this.#size > last) this.#threshold = keys[last]!;
  }

  #isBefore(slot: number, key: number, at: number): boolean {
    const other = bestKeys[at]!;
    return key > other || (key === other && this.#compare(slot, best[at]!) < 0);
  }

  get keys(): Float64Array {
    return bestKeys;
  }

  place(slot: number): ResultPosition {
    return { keys: [this.#key(slot), ...this.#rest.map((column) => column[slot]!)], id: this.#identities.id(slot) };
  }

  #compare(a: number, b: number): number {
    const rest = this.#rest;
    for (let at = 0; at < rest.length; at++) {
      const difference = rest[at]![b]! - rest[at]![a]!;
      if (difference !== 0) return difference;
    }
    return this.#identities.compare(b, a);
  }

  #isAfter(slot: number, key: number, { keys, id }: ResultPosition): boolean {
    if (key !== keys[0]) return key < keys[0]!;
    for (const [at, column] of this.#rest.entries()) {
      const own = column[slot]!;
      if (own !== keys[at + 1]) return own < keys[at + 1]!;
    }
    return this.#identities.compareTo(slot, id) < 0;
  }
}

/** Ranking words costs as much as scoring this few. */
const UNRANKED_MAX = 32;

export const placeKeys = ({ keys, id }: ResultPosition): CursorKey[] => [
  ...keys.map((key) => (Number.isFinite(key) ? key : null)),
  id,
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const readPlace = (keys: readonly CursorKey[]): ResultPosition | null => {
  const id = keys[keys.length - 1];
  const numbers = keys.slice(0, -1).map((key) => (key === null ? Number.NEGATIVE_INFINITY : key));
  if (typeof id !== 'string' || !UUID.test(id) || !numbers.every((key) => typeof key === 'number')) return null;
  return { keys: numbers as number[], id };
};
