// Sort orders of results, and selection of the page that follows a position.
import type { CursorKey } from '#values/cursor.ts';
import type { CompactUints } from './compact_uint.ts';
import { type DocIdSet, WORD_MASK, WORD_SHIFT } from './doc_id_set.ts';
import type { Score } from './match.ts';
import type { ProductIds } from './product_id.ts';
import type { ProductIndex } from './product_index.ts';
import { rank, ranked } from './ranking.ts';

export type ResultSort = 'relevance' | 'price_asc' | 'price_desc' | 'newest' | 'rating';

export interface ResultPosition {
  readonly keys: readonly number[];
  readonly id: string;
}

export interface ResultOrder {
  readonly key: Score;
  readonly rest: readonly (Float64Array | CompactUints)[];
}

export const orderOf = (
  { price, rating, reviews, createdAt }: ProductIndex,
  sort: ResultSort,
  score: Score,
): ResultOrder => {
  const priced = (direction: number): Score => {
    return (docId) => (Number.isNaN(price[docId]!) ? Number.NEGATIVE_INFINITY : price[docId]! * direction);
  };
  switch (sort) {
    case 'relevance':
      return { key: score, rest: [createdAt] };
    case 'price_asc':
      return { key: priced(-1), rest: [createdAt] };
    case 'price_desc':
      return { key: priced(1), rest: [createdAt] };
    case 'rating':
      return { key: (docId) => rating[docId]!, rest: [reviews, createdAt] };
    case 'newest':
      return { key: (docId) => createdAt[docId]!, rest: [] };
  }
};

let best = new Uint32Array(0);
let bestKeys = new Float64Array(0);

export class Selection {
  readonly #identities: ProductIds;
  readonly #key: Score;
  readonly #rest: ResultOrder['rest'];
  readonly #limit: number;
  readonly #after: ResultPosition | null;
  #size = 0;
  /** Lowest key on the page once the page is full; candidates below it are skipped. */
  #threshold = Number.NEGATIVE_INFINITY;

  constructor({ productIds }: ProductIndex, { key, rest }: ResultOrder, limit: number, after: ResultPosition | null) {
    this.#identities = productIds;
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

  get docIds(): Uint32Array {
    return best;
  }

  offerAll({ bits, words, size }: DocIdSet): void {
    for (let at = 0; at < size; at++) this.#offerWord(words[at]!, bits[words[at]!]!);
  }

  /** Offers a set's products; skips 32 docIds at once if their bound is below the page's lowest key. */
  offerBest(set: DocIdSet, bound: Score): void {
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
      const docId = first - Math.clz32(rest & -rest);
      const own = key(docId);
      if (own >= this.#threshold) this.#offer(docId, own);
    }
  }

  #offer(docId: number, key: number): void {
    if (this.#after !== null && !this.#isAfter(docId, key, this.#after)) return;
    const docIds = best;
    const keys = bestKeys;
    const last = this.#limit - 1;
    let at = this.#size;
    if (at <= last) this.#size++;
    else if (this.#isBefore(docId, key, last)) at = last;
    else return;
    for (; at > 0 && this.#isBefore(docId, key, at - 1); at--) {
      docIds[at] = docIds[at - 1]!;
      keys[at] = keys[at - 1]!;
    }
    docIds[at] = docId;
    keys[at] = key;
    if (this.#size > last) this.#threshold = keys[last]!;
  }

  #isBefore(docId: number, key: number, at: number): boolean {
    const other = bestKeys[at]!;
    return key > other || (key === other && this.#compare(docId, best[at]!) < 0);
  }

  get keys(): Float64Array {
    return bestKeys;
  }

  positionOf(docId: number): ResultPosition {
    return { keys: [this.#key(docId), ...this.#rest.map((column) => column[docId]!)], id: this.#identities.id(docId) };
  }

  #compare(a: number, b: number): number {
    const rest = this.#rest;
    for (let at = 0; at < rest.length; at++) {
      const difference = rest[at]![b]! - rest[at]![a]!;
      if (difference !== 0) return difference;
    }
    return this.#identities.compare(b, a);
  }

  #isAfter(docId: number, key: number, { keys, id }: ResultPosition): boolean {
    if (key !== keys[0]) return key < keys[0]!;
    for (const [at, column] of this.#rest.entries()) {
      const own = column[docId]!;
      if (own !== keys[at + 1]) return own < keys[at + 1]!;
    }
    return this.#identities.compareTo(docId, id) < 0;
  }
}

/** A set of at most this many 32-bit words is not ranked, because scoring all of the set's products is as fast. */
const UNRANKED_MAX = 32;

export const positionKeys = ({ keys, id }: ResultPosition): CursorKey[] => [
  ...keys.map((key) => (Number.isFinite(key) ? key : null)),
  id,
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const readPosition = (keys: readonly CursorKey[]): ResultPosition | null => {
  const id = keys[keys.length - 1];
  const numbers = keys.slice(0, -1).map((key) => (key === null ? Number.NEGATIVE_INFINITY : key));
  if (typeof id !== 'string' || !UUID.test(id) || !numbers.every((key) => typeof key === 'number')) return null;
  return { keys: numbers as number[], id };
};
