// In which order products are shown, and the first of them after a place in that order.
import type { CursorKey } from '#values/cursor.ts';
import type { ProductIndex } from './product_index.ts';
import { rank, ranked } from './ranking.ts';
import { WORD_MASK, WORD_SHIFT } from './slot_set.ts';

export type Sort = 'relevance' | 'price_asc' | 'price_desc' | 'newest' | 'rating';

/** A place in an order: the sort's own keys, then the time of creation, then the id. */
export interface Place {
  readonly keys: readonly number[];
  readonly id: string;
}

/** Numbers to sort a product by, the largest first; whoever has no value stands last. */
export type Keys = (slot: number) => number;

export const keysOf = (index: ProductIndex, sort: Sort, score: Keys): readonly Keys[] => {
  const created: Keys = (slot) => index.createdAt[slot]!;
  const price =
    (direction: number): Keys =>
    (slot) => {
      const amount = index.price[slot]!;
      return Number.isNaN(amount) ? Number.NEGATIVE_INFINITY : amount * direction;
    };
  switch (sort) {
    case 'relevance':
      return [score, created];
    case 'price_asc':
      return [price(-1), created];
    case 'price_desc':
      return [price(1), created];
    case 'rating':
      return [(slot) => index.rating[slot]!, (slot) => index.reviews[slot]!, created];
    case 'newest':
      return [created];
  }
};

/** Of the products that it is offered: the first `limit` behind the place, in order. */
export class Selection {
  readonly #index: ProductIndex;
  readonly #keys: readonly Keys[];
  readonly #first: Keys;
  readonly #limit: number;
  readonly #after: Place | null;
  /** The best ones in order, and the first key of each. */
  readonly #slots: Uint32Array;
  readonly #firsts: Float64Array;
  #size = 0;
  /** The first key of the last one in, once there are enough. */
  #threshold = Number.NEGATIVE_INFINITY;

  constructor(index: ProductIndex, keys: readonly Keys[], limit: number, after: Place | null) {
    this.#index = index;
    this.#keys = keys;
    this.#first = keys[0]!;
    this.#limit = limit;
    this.#after = after;
    this.#slots = new Uint32Array(limit);
    this.#firsts = new Float64Array(limit);
  }

  /** The best ones in order. */
  get slots(): number[] {
    return Array.from(this.#slots.subarray(0, this.#size));
  }

  /** Each of the set. */
  offerAll(set: Int32Array, words: number): void {
    for (let word = 0; word < words; word++) if (set[word] !== 0) this.#offerWord(set, word);
  }

  /** The same where no slot of a word has a first key above its bound: most need not be looked at. */
  offerBest(set: Int32Array, words: number, bound: (word: number) => number): void {
    const size = rank(set, words, bound);
    const { words: order, bounds } = ranked;
    for (let at = 0; at < size; at++) if (bounds[at]! >= this.#threshold) this.#offerWord(set, order[at]!);
  }

  #offerWord(set: Int32Array, word: number): void {
    const first = this.#first;
    for (let rest = set[word]!; rest !== 0; rest &= rest - 1) {
      const slot = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(rest & -rest);
      const key = first(slot);
      if (key >= this.#threshold) this.#offer(slot, key);
    }
  }

  #offer(slot: number, key: number): void {
    if (this.#after !== null && !this.#isAfter(slot, this.#after)) return;
    const slots = this.#slots;
    const firsts = this.#firsts;
    const full = this.#size === this.#limit;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = firsts[middle]!;
      if (key > other || (key === other && this.#compare(slot, slots[middle]!) < 0)) high = middle;
      else low = middle + 1;
    }
    if (low === this.#limit) return;
    for (let at = full ? this.#limit - 1 : this.#size; at > low; at--) {
      slots[at] = slots[at - 1]!;
      firsts[at] = firsts[at - 1]!;
    }
    slots[low] = slot;
    firsts[low] = key;
    if (!full) this.#size++;
    if (this.#size === this.#limit) this.#threshold = firsts[this.#limit - 1]!;
  }

  place(slot: number): Place {
    return { keys: this.#keys.map((key) => key(slot)), id: this.#index.identities.id(slot) };
  }

  /** Below 0 where `a` is shown before `b`; their first keys are equal. */
  #compare(a: number, b: number): number {
    const keys = this.#keys;
    for (let at = 1; at < keys.length; at++) {
      const difference = keys[at]!(b) - keys[at]!(a);
      if (difference < 0 || difference > 0) return difference;
    }
    return this.#index.identities.compare(b, a);
  }

  #isAfter(slot: number, { keys, id }: Place): boolean {
    for (const [at, key] of this.#keys.entries()) {
      const own = key(slot);
      if (own !== keys[at]) return own < keys[at]!;
    }
    return this.#index.identities.compareTo(slot, id) < 0;
  }
}

/** JSON has no infinity. */
export const placeKeys = ({ keys, id }: Place): CursorKey[] => [
  ...keys.map((key) => (Number.isFinite(key) ? key : null)),
  id,
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null for keys that are none of ours. */
export const readPlace = (keys: readonly CursorKey[]): Place | null => {
  const id = keys[keys.length - 1];
  const numbers = keys.slice(0, -1).map((key) => (key === null ? Number.NEGATIVE_INFINITY : key));
  if (typeof id !== 'string' || !UUID.test(id) || !numbers.every((key) => typeof key === 'number')) return null;
  return { keys: numbers as number[], id };
};
