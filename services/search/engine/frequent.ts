// The list of a term that many products have: a bit for each slot, and of those that are set the impacts in their order.
// It takes less room than postings do, sets of it are compared thirty-two slots at a time, and whole words of slots are
// known to say too little to be looked at.
import { IMPACT_MASK, SLOT_SHIFT } from './posting_layout.ts';
import { ones, WORD_MASK, WORD_SHIFT } from './slot_set.ts';

/** Ranks of words are counted from the beginning of a run of so many: 8,192 slots, so that two bytes hold them. */
const RUN_SHIFT = 8;
const RUN_MASK = (1 << RUN_SHIFT) - 1;

/** A set as it is saved. */
export interface FrequentState {
  readonly bits: Int32Array;
  readonly tops: Uint8Array;
  readonly impacts: Uint8Array;
  readonly runs: Uint32Array;
  readonly ranks: Uint16Array;
}

export class Frequent {
  readonly bits: Int32Array;
  /** Of each word the highest impact. */
  readonly tops: Uint8Array;
  #impacts: Uint8Array;
  /** How many bits are set before each run, and before each word of a run. */
  readonly #runs: Uint32Array;
  readonly #ranks: Uint16Array;
  #size = 0;

  /** For so many postings, in the order of their slots: `push` each, then `seal`. */
  constructor(words: number, size: number) {
    this.bits = new Int32Array(words);
    this.tops = new Uint8Array(words);
    this.#impacts = new Uint8Array(size);
    this.#runs = new Uint32Array((words >>> RUN_SHIFT) + 1);
    this.#ranks = new Uint16Array(words);
  }

  /** A sealed set from its state. */
  static of(state: FrequentState): Frequent {
    const set = new Frequent(state.bits.length, 0);
    set.bits.set(state.bits);
    set.tops.set(state.tops);
    set.#impacts = state.impacts;
    set.#runs.set(state.runs);
    set.#ranks.set(state.ranks);
    set.#size = state.impacts.length;
    return set;
  }

  get state(): FrequentState {
    const impacts = this.#impacts.subarray(0, this.#size);
    return { bits: this.bits, tops: this.tops, impacts, runs: this.#runs, ranks: this.#ranks };
  }

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return (
      this.bits.byteLength +
      this.tops.byteLength +
      this.#impacts.byteLength +
      this.#runs.byteLength +
      this.#ranks.byteLength +
      5 * ARRAY_OVERHEAD_BYTES
    );
  }

  push(posting: number): void {
    const slot = posting >>> SLOT_SHIFT;
    const impact = posting & IMPACT_MASK;
    const word = slot >>> WORD_SHIFT;
    this.bits[word]! |= 1 << (slot & WORD_MASK);
    if (this.tops[word]! < impact) this.tops[word] = impact;
    this.#impacts[this.#size++] = impact;
  }

  seal(): void {
    const runs = this.#runs;
    let rank = 0;
    for (let word = 0; word < this.bits.length; word++) {
      if ((word & RUN_MASK) === 0) runs[word >>> RUN_SHIFT] = rank;
      this.#ranks[word] = rank - runs[word >>> RUN_SHIFT]!;
      rank += ones(this.bits[word]!);
    }
  }

  /** Of the slot that a bit of a word stands for; 0 where it is not in. */
  impact(word: number, bit: number): number {
    const own = this.bits[word]!;
    if ((own & bit) === 0) return 0;
    return this.#impacts[this.#runs[word >>> RUN_SHIFT]! + this.#ranks[word]! + ones(own & (bit - 1))]!;
  }

  /** Its postings; returns how many they are. */
  read(into: Uint32Array): number {
    let size = 0;
    for (let word = 0; word < this.bits.length; word++) {
      for (let rest = this.bits[word]!; rest !== 0; rest &= rest - 1) {
        const slot = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(rest & -rest);
        into[size] = ((slot << SLOT_SHIFT) | this.#impacts[size]!) >>> 0;
        size++;
      }
    }
    return size;
  }
}

const ARRAY_OVERHEAD_BYTES = 100;
