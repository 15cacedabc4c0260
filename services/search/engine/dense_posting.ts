// Postings of a frequent term as a bit per docId and the impacts in docId order. Dense lists take less memory than
// sparse postings, and 32 docIds are intersected at once. A maximum impact per 32-bit word lets searches skip words.

import { bitCount, WORD_MASK, WORD_SHIFT } from './doc_id_set.ts';

/** A posting is a 32-bit number: the term's impact in the lowest byte, the docId in the upper 24 bits. */
export const DOC_ID_SHIFT = 8;
export const IMPACT_MASK = 255;
export const DOC_IDS_MAX = 1 << 24;

/** Ranks count from the start of a run of 8,192 docIds, so that each fits in two bytes. */
const RUN_SHIFT = 8;
const RUN_MASK = (1 << RUN_SHIFT) - 1;

export interface DensePostingsState {
  readonly bits: Int32Array;
  readonly blockMax: Uint8Array;
  readonly impacts: Uint8Array;
  readonly runs: Uint32Array;
  readonly ranks: Uint16Array;
}

export class DensePostings {
  readonly bits: Int32Array;
  readonly blockMax: Uint8Array;
  #impacts: Uint8Array;
  /** Number of bits set before each run; `#ranks` has the number within the run before each word. */
  readonly #runs: Uint32Array;
  readonly #ranks: Uint16Array;
  #size = 0;

  constructor(words: number, size: number) {
    this.bits = new Int32Array(words);
    this.blockMax = new Uint8Array(words);
    this.#impacts = new Uint8Array(size);
    this.#runs = new Uint32Array((words >>> RUN_SHIFT) + 1);
    this.#ranks = new Uint16Array(words);
  }

  static of(state: DensePostingsState): DensePostings {
    const set = new DensePostings(state.bits.length, 0);
    set.bits.set(state.bits);
    set.blockMax.set(state.blockMax);
    set.#impacts = state.impacts;
    set.#runs.set(state.runs);
    set.#ranks.set(state.ranks);
    set.#size = state.impacts.length;
    return set;
  }

  get state(): DensePostingsState {
    const impacts = this.#impacts.subarray(0, this.#size);
    return { bits: this.bits, blockMax: this.blockMax, impacts, runs: this.#runs, ranks: this.#ranks };
  }

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return (
      this.bits.byteLength +
      this.blockMax.byteLength +
      this.#impacts.byteLength +
      this.#runs.byteLength +
      this.#ranks.byteLength +
      5 * ARRAY_OVERHEAD_BYTES
    );
  }

  push(posting: number): void {
    const docId = posting >>> DOC_ID_SHIFT;
    const impact = posting & IMPACT_MASK;
    const word = docId >>> WORD_SHIFT;
    this.bits[word]! |= 1 << (docId & WORD_MASK);
    if (this.blockMax[word]! < impact) this.blockMax[word] = impact;
    this.#impacts[this.#size++] = impact;
  }

  seal(): void {
    const runs = this.#runs;
    let rank = 0;
    for (let word = 0; word < this.bits.length; word++) {
      if ((word & RUN_MASK) === 0) runs[word >>> RUN_SHIFT] = rank;
      this.#ranks[word] = rank - runs[word >>> RUN_SHIFT]!;
      rank += bitCount(this.bits[word]!);
    }
  }

  impact(word: number, bit: number): number {
    const own = this.bits[word]!;
    if ((own & bit) === 0) return 0;
    return this.#impacts[this.#runs[word >>> RUN_SHIFT]! + this.#ranks[word]! + bitCount(own & (bit - 1))]!;
  }

  read(into: Uint32Array): number {
    let size = 0;
    for (let word = 0; word < this.bits.length; word++) {
      for (let rest = this.bits[word]!; rest !== 0; rest &= rest - 1) {
        const docId = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(rest & -rest);
        into[size] = ((docId << DOC_ID_SHIFT) | this.#impacts[size]!) >>> 0;
        size++;
      }
    }
    return size;
  }
}

const ARRAY_OVERHEAD_BYTES = 100;
