// Variants in one pool: price, stock, condition, and attributes that not all variants of the product share. Products
// with equal variants take no space.
import type { AttributeValue, SoldVariant } from './document.ts';

/** A bit for stock, then a bit per condition. */
export const STOCKED = 1;
const FACT_BITS = 256;
const NAMES_FROM = 2 ** 32;
const POOL_START = 1 << 10;
const WASTED_MAX = 1 << 16;
/** Variants beyond these are not tested. */
const VARIANTS_MAX = 2_000;

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

  constructor(slots: number) {
    this.#starts = new Uint32Array(slots);
    this.#lengths = new Uint32Array(slots);
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

  has(slot: number): boolean {
    return this.#lengths[slot]! > 0;
  }

  start(slot: number): number {
    return this.#starts[slot]!;
  }

  end(slot: number): number {
    return this.#starts[slot]! + this.#lengths[slot]!;
  }

  price(at: number): number {
    return this.pool[at]!;
  }

  facts(at: number): number {
    return this.pool[at + 1]! % FACT_BITS;
  }

  /** A variant's pairs follow its first two numbers. */
  next(at: number): number {
    return at + 2 + Math.floor(this.pool[at + 1]! / FACT_BITS);
  }

  grow(slots: number): void {
    const starts = new Uint32Array(slots);
    const lengths = new Uint32Array(slots);
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    this.#starts = starts;
    this.#lengths = lengths;
  }

  clear(slot: number): void {
    this.#wasted += this.#lengths[slot]!;
    this.#lengths[slot] = 0;
  }

  set(slot: number, sold: readonly SoldVariant[], conditions: readonly string[], number: NumberPair): void {
    const numbers = sold.length > 1 ? numbersOf(sold.slice(0, VARIANTS_MAX), conditions, number) : [];
    if (numbers.length === this.#lengths[slot]!) {
      this.pool.set(numbers, this.#starts[slot]!);
      return;
    }
    this.clear(slot);
    if (numbers.length === 0) return;
    this.#reserve(numbers.length);
    this.pool.set(numbers, this.#used);
    this.#starts[slot] = this.#used;
    this.#lengths[slot] = numbers.length;
    this.#used += numbers.length;
  }

  #reserve(size: number): void {
    const needed = this.#used - this.#wasted + size;
    const isWasteful = this.#wasted > WASTED_MAX && this.#wasted > this.#used / 2;
    if (!isWasteful && this.#used + size <= this.pool.length) return;
    const pool = new Float64Array(Math.ceil(needed * 1.25) + POOL_START);
    let used = 0;
    for (let slot = 0; slot < this.#lengths.length; slot++) {
      const length = this.#lengths[slot]!;
      if (length === 0) continue;
      const start = this.#starts[slot]!;
      pool.set(this.pool.subarray(start, start + length), used);
      this.#starts[slot] = used;
      used += length;
    }
    this.pool = pool;
    this.#used = used;
    this.#wasted = 0;
  }
}

/** Empty if all variants are equal. */
const numbersOf = (sold: readonly SoldVariant[], conditions: readonly string[], number: NumberPair): number[] => {
  const pairs = sold.map(({ attributes }) => new Set(attributes.map(([name, value]) => number(name, value))));
  const shared = pairs.reduce((all, each) => all.intersection(each));
  const numbers = sold.map(({ price, inStock, condition }, at) => {
    const own = [...pairs[at]!.difference(shared)].sort((a, b) => a - b);
    const facts = (inStock ? STOCKED : 0) | (STOCKED << (conditions.indexOf(condition) + 1));
    return [price ?? Number.NaN, facts + own.length * FACT_BITS, ...own];
  });
  const isLikeFirst = (one: readonly number[]): boolean =>
    one.length === numbers[0]!.length && one.every((each, at) => Object.is(each, numbers[0]![at]));
  return numbers.every(isLikeFirst) ? [] : numbers.flat();
};
