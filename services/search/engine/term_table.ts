// Hash table of terms, with Bloom filters that reject nearly every text that is not a term.

import { TEXT_BYTES_MAX } from './offset.ts';

/**
 * Bits per table entry of the Bloom filters: for texts, and for texts with one letter left open, of which a term has
 * one per letter.
 */
const BITS_OF_A_PLACE = 4;
const GAP_BITS_OF_A_PLACE = 16;
export const BASE = 0x01000193;

export const POWERS = Int32Array.from({ length: TEXT_BYTES_MAX + 1 }, () => 1);
for (let at = 1; at < POWERS.length; at++) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

export const hashOf = (bytes: Uint8Array, length: number): number => {
  let hash = 0;
  for (let at = 0; at < length; at++) hash = (Math.imul(hash, BASE) + bytes[at]!) | 0;
  return hash;
};

/** Mixes a hash's bits, because similar texts have similar hashes. */
export const spread = (hash: number): number => {
  let h = hash ^ (hash >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
};

/** Returns a mask of two bits per hash; one bit would cause far more false positives. */
const bitsOf = (hash: number): number => (1 << hash) | (1 << (hash >>> 5));
const wordOf = (words: Int32Array, hash: number): number => spread(hash) & (words.length - 1);

/** Returns false only if no term has this hash. */
export const mayHold = (bits: Int32Array, hash: number): boolean => {
  const own = bitsOf(hash);
  return (bits[wordOf(bits, hash)]! & own) === own;
};

/** Returns the letters that may complete the text to a term, as a mask by their five lower bits. */
export const lettersFor = (gaps: Int32Array, hash: number): number => gaps[wordOf(gaps, hash)]!;

export interface TermTableState {
  readonly terms: Uint32Array;
  readonly bits: Int32Array;
  readonly gaps: Int32Array;
}

export class TermTable implements TermTableState {
  readonly terms: Uint32Array;
  readonly bits: Int32Array;
  /**
   * Has a bit for each letter of each term, at the hash of the term without this letter. Most positions of a text can
   * then be skipped without trying letters.
   */
  readonly gaps: Int32Array;

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
