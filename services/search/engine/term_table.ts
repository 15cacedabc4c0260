// Terms by the hashes of their texts, and what tells at once of nearly every text that it is no term.

import { TEXT_BYTES_MAX } from './offset.ts';

/** Bits beside each place, for texts, */
const BITS_OF_A_PLACE = 4;
/** and for their gaps, of which a term has as many as letters. */
const GAP_BITS_OF_A_PLACE = 16;
export const BASE = 0x01000193;

export const POWERS = Int32Array.from({ length: TEXT_BYTES_MAX + 1 }, () => 1);
for (let at = 1; at < POWERS.length; at++) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

export const hashOf = (bytes: Uint8Array, length: number): number => {
  let hash = 0;
  for (let at = 0; at < length; at++) hash = (Math.imul(hash, BASE) + bytes[at]!) | 0;
  return hash;
};

/** Spreads a hash over a table: neighbouring texts have neighbouring sums. */
export const spread = (hash: number): number => {
  let h = hash ^ (hash >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
};

/** Each hash has two bits of one word: with one, far more that are not in would seem to be. */
const bitsOf = (hash: number): number => (1 << hash) | (1 << (hash >>> 5));
const wordOf = (words: Int32Array, hash: number): number => spread(hash) & (words.length - 1);

/** Of a table's `bits`: false for nearly every text that is no term, never for one that is. */
export const mayHold = (bits: Int32Array, hash: number): boolean => {
  const own = bitsOf(hash);
  return (bits[wordOf(bits, hash)]! & own) === own;
};

/** Of a table's `gaps`: a bit for each letter (by its five lower bits) that may make a term of what the hash is of. */
export const lettersFor = (gaps: Int32Array, hash: number): number => gaps[wordOf(gaps, hash)]!;

/** A table as it is saved. */
export interface TermTableState {
  readonly terms: Uint32Array;
  readonly bits: Int32Array;
  readonly gaps: Int32Array;
}

export class TermTable implements TermTableState {
  /** Term numbers + 1 by hash; 0 where nothing is. */
  readonly terms: Uint32Array;
  /** Bits for the hash of each term, so few of them set that nearly every text that is no term is told by them alone. */
  readonly bits: Int32Array;
  /**
   * Of each term with each one of its letters left open a bit for that letter, all letters of one gap in one word: at most
   * places of a text most letters make no term of it, which is told without trying them.
   */
  readonly gaps: Int32Array;

  /** With so many places, a power of two, or from a state. */
  constructor(from: number | TermTableState) {
    const { terms, bits, gaps } = typeof from === 'number' ? emptyTable(from) : from;
    this.terms = terms;
    this.bits = bits;
    this.gaps = gaps;
  }

  get places(): number {
    return this.terms.length;
  }

  get memoryBytes(): number {
    return this.terms.byteLength + this.bits.byteLength + this.gaps.byteLength;
  }

  place(term: number, text: Uint8Array, length: number, hash: number): void {
    const mask = this.terms.length - 1;
    let at = spread(hash) & mask;
    while (this.terms[at] !== 0) at = (at + 1) & mask;
    this.terms[at] = term + 1;
    this.bits[wordOf(this.bits, hash)]! |= bitsOf(hash);
    for (let each = 0; each < length; each++) {
      const letter = text[each]!;
      const gap = (hash - Math.imul(letter, POWERS[length - 1 - each]!)) | 0;
      this.gaps[wordOf(this.gaps, gap)]! |= 1 << letter;
    }
  }
}

const emptyTable = (places: number): TermTableState => ({
  terms: new Uint32Array(places),
  bits: new Int32Array((places * BITS_OF_A_PLACE) >> 5),
  gaps: new Int32Array((places * GAP_BITS_OF_A_PLACE) >> 5),
});
