// Variants of all products in one pool: price, stock, condition, and the attributes in which a product's variants
// differ. Products whose variants are all equal take no space.
import type { AttributeValue, VariantDocument } from './document.ts';

/** The lowest bit means in stock; each condition has one of the following bits. */
export const IN_STOCK_FACT = 1;
const FACT_BITS = 256;
const NAMES_FROM = 2 ** 32;
const POOL_START = 1 << 10;
const WASTED_MAX = 1 << 16;
const VARIANTS_TESTED_MAX = 2_000;

export const pairOf = (name: number, code: number): number => name * NAMES_FROM + code;
export const nameOfPair = (pair: number): number => Math.floor(pair / NAMES_FROM);
export const codeOfPair = (pair: number): number => pair % NAMES_FROM;

export interface VariantsState {
  readonly pool: Float64Array;
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly used: number;
  readonly wasted: number;
}

export type NumberPair = (name: string, value: AttributeValue) => number;

export class Variants {
  pool: Float64Array = new Float64Array(POOL_START);
  #starts: Uint32Array;
  #lengths: Uint32Array;
  #used = 0;
  #wasted = 0;

  constructor(docIds: number) {
    this.#starts = new Uint32Array(docIds);
    this.#lengths = new Uint32Array(docIds);
  }

  get state(): VariantsState {
    const { pool } = this;
    return { pool, starts: this.#starts, lengths: this.#lengths, used: this.#used, wasted: this.#wasted };
  }

  restore({ pool, starts, lengths, used, wasted }: VariantsState): void {
    this.pool = pool;
    this.#starts = starts;
    this.#lengths = lengths;
    this.#used = used;
    this.#wasted = wasted;
  }

  get memoryBytes(): number {
    return this.pool.byteLength + this.#starts.byteLength + this.#lengths.byteLength;
  }

  has(docId: number): boolean {
    return this.#lengths[docId]! > 0;
  }

  start(docId: number): number {
    return this.#starts[docId]!;
  }

  end(docId: number): number {
    return this.#starts[docId]! + this.#lengths[docId]!;
  }

  price(at: number): number {
    return this.pool[at]!;
  }

  facts(at: number): number {
    return this.pool[at + 1]! % FACT_BITS;
  }

  /**
   * Returns the position of the next variant. Two numbers (price; facts and number of attributes) precede a variant's
   * attributes.
   */
  next(at: number): number {
    return at + 2 + Math.floor(this.pool[at + 1]! / FACT_BITS);
  }

  grow(docIds: number): void {
    const starts = new Uint32Array(docIds);
    const lengths = new Uint32Array(docIds);
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    this.#starts = starts;
    this.#lengths = lengths;
  }

  clear(docId: number): void {
    this.#wasted += this.#lengths[docId]!;
    this.#lengths[docId] = 0;
  }

  set(docId: number, sold: readonly VariantDocument[], conditions: readonly string[], number: NumberPair): void {
    const numbers = sold.length > 1 ? numbersOf(sold.slice(0, VARIANTS_TESTED_MAX), conditions, number) : [];
    if (numbers.length === this.#lengths[docId]!) {
      this.pool.set(numbers, this.#starts[docId]!);
      return;
    }
    this.clear(docId);
    if (numbers.length === 0) return;
    this.#reserve(numbers.length);
    this.pool.set(numbers, this.#used);
    this.#starts[docId] = this.#used;
    this.#lengths[docId] = numbers.length;
    this.#used += numbers.length;
  }

  #reserve(size: number): void {
    const needed = this.#used - this.#wasted + size;
    const isWasteful = this.#wasted > WASTED_MAX && this.#wasted > this.#used / 2;
    if (!isWasteful && this.#used + size <= this.pool.length) return;
    const pool = new Float64Array(Math.ceil(needed * 1.25) + POOL_START);
    let used = 0;
    for (let docId = 0; docId < this.#lengths.length; docId++) {
      const length = this.#lengths[docId]!;
      if (length === 0) continue;
      const start = this.#starts[docId]!;
      pool.set(this.pool.subarray(start, start + length), used);
      this.#starts[docId] = used;
      used += length;
    }
    this.pool = pool;
    this.#used = used;
    this.#wasted = 0;
  }
}

const numbersOf = (sold: readonly VariantDocument[], conditions: readonly string[], number: NumberPair): number[] => {
  const pairs = sold.map(({ attributes }) => new Set(attributes.map(([name, value]) => number(name, value))));
  const shared = pairs.reduce((all, each) => all.intersection(each));
  const numbers = sold.map(({ price, inStock, condition }, at) => {
    const own = [...pairs[at]!.difference(shared)].sort((a, b) => a - b);
    const facts = (inStock ? IN_STOCK_FACT : 0) | (IN_STOCK_FACT << (conditions.indexOf(condition) + 1));
    return [price ?? Number.NaN, facts + own.length * FACT_BITS, ...own];
  });
  const isLikeFirst = (one: readonly number[]): boolean =>
    one.length === numbers[0]!.length && one.every((each, at) => Object.is(each, numbers[0]![at]));
  return numbers.every(isLikeFirst) ? [] : numbers.flat();
};
