// What one want of a query finds: the slots that have any of its alternatives, and how much the best of them says there.
import type { Frequent } from './frequent.ts';
import { IMPACT_MASK, SLOT_SHIFT } from './posting.ts';
import type { ProductIndex } from './product_index.ts';
import { type Alternative, WHOLE } from './query.ts';
import { WORD_MASK, WORD_SHIFT, wordsFor } from './slot_set.ts';

const scaled = (impact: number, factor: number): number => (impact * factor + (WHOLE - 1)) >> 8;

export class Tally {
  /** The slots. */
  bits: Int32Array = new Int32Array(0);
  /** Of each word of them, what its best slot has at most. */
  tops: Uint8Array = new Uint8Array(0);
  /** The slots of short lists, whose impacts stand in `#best`. */
  #listed = new Int32Array(0);
  #listedTops = new Uint8Array(0);
  #best = new Uint8Array(0);
  /** Where frequent alternatives and short lists come together. */
  #unitedBits = new Int32Array(0);
  #unitedTops = new Uint8Array(0);
  #words = 0;
  #lists = false;
  #sets: Frequent[] = [];
  #factors: number[] = [];

  find(index: ProductIndex, alternatives: readonly Alternative[]): void {
    const words = wordsFor(index.slots);
    this.#begin(words);
    const { postings } = index;
    for (let at = 0; at < alternatives.length; at++) {
      const { term, factor } = alternatives[at]!;
      const set = postings.frequent(term);
      if (set) {
        this.#sets.push(set);
        this.#factors.push(factor);
      } else this.#list(postings.packed, postings.start(term), postings.end(term), factor);
      const recent = postings.recent(term);
      const packing = postings.packing(term);
      this.#list(recent.postings, 0, recent.size, factor);
      this.#list(packing.postings, 0, packing.size, factor);
    }
    this.#unite(words);
  }

  /** 0 where the slot is not in; `bit` of `word` stands for it. */
  impact(slot: number, word: number, bit: number): number {
    if ((this.bits[word]! & bit) === 0) return 0;
    let best = this.#lists && (this.#listed[word]! & bit) !== 0 ? this.#best[slot]! : 0;
    for (let at = 0; at < this.#sets.length; at++) {
      const impact = scaled(this.#sets[at]!.impact(word, bit), this.#factors[at]!);
      if (impact > best) best = impact;
    }
    return best;
  }

  #begin(words: number): void {
    if (words > this.#listed.length) {
      const room = Math.ceil(words * 1.25);
      this.#listed = new Int32Array(room);
      this.#listedTops = new Uint8Array(room);
      this.#best = new Uint8Array(room << WORD_SHIFT);
      this.#unitedBits = new Int32Array(room);
      this.#unitedTops = new Uint8Array(room);
    } else if (this.#lists) this.#listed.fill(0, 0, this.#words);
    this.#words = words;
    this.#lists = false;
    this.#sets.length = 0;
    this.#factors.length = 0;
  }

  /** What is listed for the first time needs nothing to be cleared before. */
  #list(list: Uint32Array, from: number, to: number, factor: number): void {
    if (from === to) return;
    this.#lists = true;
    const listed = this.#listed;
    const tops = this.#listedTops;
    const best = this.#best;
    for (let at = from; at < to; at++) {
      const posting = list[at]!;
      const slot = posting >>> SLOT_SHIFT;
      const impact = scaled(posting & IMPACT_MASK, factor);
      const word = slot >>> WORD_SHIFT;
      const bit = 1 << (slot & WORD_MASK);
      const others = listed[word]!;
      if ((others & bit) === 0) {
        listed[word] = others | bit;
        best[slot] = impact;
      } else if (best[slot]! < impact) best[slot] = impact;
      if (others === 0 || tops[word]! < impact) tops[word] = impact;
    }
  }

  #unite(words: number): void {
    const [set] = this.#sets;
    if (set === undefined) {
      this.bits = this.#listed;
      this.tops = this.#listedTops;
      return;
    }
    if (!this.#lists && this.#sets.length === 1 && this.#factors[0] === WHOLE && set.bits.length >= words) {
      this.bits = set.bits;
      this.tops = set.tops;
      return;
    }
    const bits = this.#unitedBits;
    const tops = this.#unitedTops;
    this.bits = bits;
    this.tops = tops;
    for (let word = 0; word < words; word++) {
      const listed = this.#lists ? this.#listed[word]! : 0;
      bits[word] = listed;
      tops[word] = listed === 0 ? 0 : this.#listedTops[word]!;
    }
    for (let at = 0; at < this.#sets.length; at++) {
      const own = this.#sets[at]!;
      const factor = this.#factors[at]!;
      for (let word = 0; word < own.bits.length; word++) {
        bits[word]! |= own.bits[word]!;
        const top = scaled(own.tops[word]!, factor);
        if (tops[word]! < top) tops[word] = top;
      }
    }
  }
}
