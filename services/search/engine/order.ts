// In which order products are shown, and the first of them after a place in that order.
import type { CursorKey } from '#values/cursor.ts';
import type { ProductIndex } from './product_index.ts';

export type Sort = 'relevance' | 'price_asc' | 'price_desc' | 'newest' | 'rating';

/** A place in an order: the sort's own keys, then the time of creation, then the id. */
export interface Place {
  readonly keys: readonly number[];
  readonly id: string;
}

/** Numbers to sort a product by, the largest first; whoever has no value stands last. */
export type Keys = (slot: number) => number;

export const keysOf = (index: ProductIndex, sort: Sort, scores: Int32Array): readonly Keys[] => {
  const created: Keys = (slot) => index.createdAt[slot]!;
  const price =
    (direction: number): Keys =>
    (slot) => {
      const amount = index.price[slot]!;
      return Number.isNaN(amount) ? Number.NEGATIVE_INFINITY : amount * direction;
    };
  switch (sort) {
    case 'relevance':
      return [(slot) => scores[slot]!, created];
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

/** Of the products that `each` calls with: the first `limit` behind the place, in order. */
export class Selection {
  readonly slots: number[] = [];
  readonly #index: ProductIndex;
  readonly #keys: readonly Keys[];
  readonly #first: Keys;
  readonly #limit: number;
  readonly #after: Place | null;
  /** The first key of the last one in, once there are enough. */
  threshold = Number.NEGATIVE_INFINITY;

  constructor(index: ProductIndex, keys: readonly Keys[], limit: number, after: Place | null) {
    this.#index = index;
    this.#keys = keys;
    this.#first = keys[0]!;
    this.#limit = limit;
    this.#after = after;
  }

  offer(slot: number): void {
    const first = this.#first(slot);
    if (first < this.threshold) return;
    if (this.#after !== null && !this.#isAfter(slot, this.#after)) return;
    const { slots } = this;
    const full = slots.length === this.#limit;
    if (full && this.#compare(slot, slots[slots.length - 1]!) > 0) return;
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(slot, slots[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    if (full) slots.pop();
    slots.splice(low, 0, slot);
    if (slots.length === this.#limit) this.threshold = this.#first(slots[slots.length - 1]!);
  }

  place(slot: number): Place {
    return { keys: this.#keys.map((key) => key(slot)), id: this.#index.identities.id(slot) };
  }

  /** Below 0 where `a` is shown before `b`. */
  #compare(a: number, b: number): number {
    for (const key of this.#keys) {
      const difference = key(b) - key(a);
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
