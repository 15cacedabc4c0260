// Accumulator of one query term: docIds with any of its alternatives, and the best impact of each.

import type { Alternative } from './correction.ts';
import type { Frequent } from './frequent.ts';
import { IMPACT_MASK, SLOT_SHIFT } from './posting_layout.ts';
import type { ProductIndex } from './product_index.ts';
import { WHOLE } from './query.ts';
import { everyWord, SlotSet, WORD_MASK, WORD_SHIFT, wordsFor } from './slot_set.ts';

const scaled = (impact: number, factor: number): number => (impact * factor + (WHOLE - 1)) >> 8;

export class Tally {
  bits: Int32Array = new Int32Array(0);
  tops: Uint8Array = new Uint8Array(0);
  words: Uint32Array = new Uint32Array(0);
  size = 0;
  weight = 1;
  readonly #listed = new SlotSet();
  #listedTops = new Uint8Array(0);
  #best = new Uint8Array(0);
  /** Union of dense and sparse lists. */
  #unitedBits = new Int32Array(0);
  #unitedTops = new Uint8Array(0);
  readonly #sets: Frequent[] = [];
  readonly #factors: number[] = [];

  find(index: ProductIndex, alternatives: readonly Alternative[]): void {
    const words = wordsFor(index.slots);
    this.#begin(words);
    const { postings } = index;
    for (let at = 0; at < alternatives.length; at++) {
      const { term, factor } = alternatives[at]!;
      const start = postings.start(term);
      const end = postings.end(term);
      if (start < end) this.#list(postings.packed, start, end, factor);
      else {
        const set = postings.frequent(term);
        if (set) {
          this.#sets.push(set);
          this.#factors.push(factor);
        }
      }
      const recent = postings.recent(term);
      const packing = postings.packing(term);
      if (recent.size > 0) this.#list(recent.postings, 0, recent.size, factor);
      if (packing.size > 0) this.#list(packing.postings, 0, packing.size, factor);
    }
    this.#unite(words);
  }

  impact(slot: number, word: number, bit: number): number {
    if (this.bits === this.#listed.bits) return this.#best[slot]!;
    let best = (this.#listed.bits[word]! & bit) !== 0 ? this.#best[slot]! : 0;
    for (let at = 0; at < this.#sets.length; at++) {
      const impact = scaled(this.#sets[at]!.impact(word, bit), this.#factors[at]!);
      if (impact > best) best = impact;
    }
    return best;
  }

  #begin(words: number): void {
    this.#listed.begin(words);
    const room = this.#listed.bits.length;
    if (room > this.#listedTops.length) {
      this.#listedTops = new Uint8Array(room);
      this.#best = new Uint8Array(room << WORD_SHIFT);
      this.#unitedBits = new Int32Array(room);
      this.#unitedTops = new Uint8Array(room);
    }
    if (this.#sets.length === 0) return;
    this.#sets.length = 0;
    this.#factors.length = 0;
  }

  /** `#best` needs no clearing: a docId's first posting overwrites it. */
  #list(list: Uint32Array, from: number, to: number, factor: number): void {
    const { bits, words } = this.#listed;
    let { size } = this.#listed;
    const tops = this.#listedTops;
    const best = this.#best;
    for (let at = from; at < to; at++) {
      const posting = list[at]!;
      const slot = posting >>> SLOT_SHIFT;
      const impact = scaled(posting & IMPACT_MASK, factor);
      const word = slot >>> WORD_SHIFT;
      const bit = 1 << (slot & WORD_MASK);
      const others = bits[word]!;
      if (others === 0) {
        words[size++] = word;
        tops[word] = impact;
      } else if (tops[word]! < impact) tops[word] = impact;
      if ((others & bit) === 0) {
        bits[word] = others | bit;
        best[slot] = impact;
      } else if (best[slot]! < impact) best[slot] = impact;
    }
    this.#listed.size = size;
  }

  #unite(words: number): void {
    const listed = this.#listed;
    const [set] = this.#sets;
    if (set === undefined) {
      this.bits = listed.bits;
      this.tops = this.#listedTops;
      this.words = listed.words;
      this.size = listed.size;
      return;
    }
    this.words = everyWord(words);
    this.size = words;
    if (listed.size === 0 && this.#sets.length === 1 && this.#factors[0] === WHOLE && set.bits.length >= words) {
      this.bits = set.bits;
      this.tops = set.tops;
      return;
    }
    const bits = this.#unitedBits;
    const tops = this.#unitedTops;
    this.bits = bits;
    this.tops = tops;
    for (let at = 0; at < this.#sets.length; at++) {
      const own = this.#sets[at]!;
      const factor = this.#factors[at]!;
      const size = Math.min(words, own.bits.length);
      if (at === 0) {
        for (let word = 0; word < size; word++) {
          bits[word] = own.bits[word]!;
          tops[word] = scaled(own.tops[word]!, factor);
        }
        bits.fill(0, size, words);
        tops.fill(0, size, words);
      } else
        for (let word = 0; word < size; word++) {
          bits[word]! |= own.bits[word]!;
          const top = scaled(own.tops[word]!, factor);
          if (tops[word]! < top) tops[word] = top;
        }
    }
    for (let at = 0; at < listed.size; at++) {
      const word = listed.words[at]!;
      bits[word]! |= listed.bits[word]!;
      if (tops[word]! < this.#listedTops[word]!) tops[word] = this.#listedTops[word]!;
    }
  }
}
