// Collects the matches of one query term: the docIds (numbers of products) that contain any alternative of the term,
// and the best impact for each docId.

import type { Alternative } from './correction.ts';
import type { DensePostings } from './dense_posting.ts';
import { DOC_ID_SHIFT, IMPACT_MASK } from './dense_posting.ts';
import { DocIdSet, everyWord, WORD_MASK, WORD_SHIFT, wordsFor } from './doc_id_set.ts';
import type { ProductIndex } from './product_index.ts';
import { WHOLE } from './query.ts';

const scaled = (impact: number, factor: number): number => (impact * factor + (WHOLE - 1)) >> 8;

export class Accumulator {
  bits: Int32Array = new Int32Array(0);
  blockMax: Uint8Array = new Uint8Array(0);
  words: Uint32Array = new Uint32Array(0);
  size = 0;
  weight = 1;
  readonly #sparse = new DocIdSet();
  #sparseBlockMax = new Uint8Array(0);
  #best = new Uint8Array(0);
  #unionBits = new Int32Array(0);
  #unionBlockMax = new Uint8Array(0);
  readonly #dense: DensePostings[] = [];
  readonly #factors: number[] = [];

  accumulate(index: ProductIndex, alternatives: readonly Alternative[]): void {
    const words = wordsFor(index.docIdLimit);
    this.#begin(words);
    const { postings } = index;
    for (let at = 0; at < alternatives.length; at++) {
      const { term, factor } = alternatives[at]!;
      const start = postings.start(term);
      const end = postings.end(term);
      if (start < end) this.#list(postings.packed, start, end, factor);
      else {
        const set = postings.dense(term);
        if (set) {
          this.#dense.push(set);
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

  impact(docId: number, word: number, bit: number): number {
    if (this.bits === this.#sparse.bits) return this.#best[docId]!;
    let best = (this.#sparse.bits[word]! & bit) !== 0 ? this.#best[docId]! : 0;
    for (let at = 0; at < this.#dense.length; at++) {
      const impact = scaled(this.#dense[at]!.impact(word, bit), this.#factors[at]!);
      if (impact > best) best = impact;
    }
    return best;
  }

  #begin(words: number): void {
    this.#sparse.begin(words);
    const room = this.#sparse.bits.length;
    if (room > this.#sparseBlockMax.length) {
      this.#sparseBlockMax = new Uint8Array(room);
      this.#best = new Uint8Array(room << WORD_SHIFT);
      this.#unionBits = new Int32Array(room);
      this.#unionBlockMax = new Uint8Array(room);
    }
    if (this.#dense.length === 0) return;
    this.#dense.length = 0;
    this.#factors.length = 0;
  }

  /** `#best` is not cleared between terms: the first posting of a docId overwrites the old value. */
  #list(list: Uint32Array, from: number, to: number, factor: number): void {
    const { bits, words } = this.#sparse;
    let { size } = this.#sparse;
    const blockMax = this.#sparseBlockMax;
    const best = this.#best;
    for (let at = from; at < to; at++) {
      const posting = list[at]!;
      const docId = posting >>> DOC_ID_SHIFT;
      const impact = scaled(posting & IMPACT_MASK, factor);
      const word = docId >>> WORD_SHIFT;
      const bit = 1 << (docId & WORD_MASK);
      const others = bits[word]!;
      if (others === 0) {
        words[size++] = word;
        blockMax[word] = impact;
      } else if (blockMax[word]! < impact) blockMax[word] = impact;
      if ((others & bit) === 0) {
        bits[word] = others | bit;
        best[docId] = impact;
      } else if (best[docId]! < impact) best[docId] = impact;
    }
    this.#sparse.size = size;
  }

  #unite(words: number): void {
    const listed = this.#sparse;
    const [set] = this.#dense;
    if (set === undefined) {
      this.bits = listed.bits;
      this.blockMax = this.#sparseBlockMax;
      this.words = listed.words;
      this.size = listed.size;
      return;
    }
    this.words = everyWord(words);
    this.size = words;
    if (listed.size === 0 && this.#dense.length === 1 && this.#factors[0] === WHOLE && set.bits.length >= words) {
      this.bits = set.bits;
      this.blockMax = set.blockMax;
      return;
    }
    const bits = this.#unionBits;
    const blockMax = this.#unionBlockMax;
    this.bits = bits;
    this.blockMax = blockMax;
    for (let at = 0; at < this.#dense.length; at++) {
      const own = this.#dense[at]!;
      const factor = this.#factors[at]!;
      const size = Math.min(words, own.bits.length);
      if (at === 0) {
        for (let word = 0; word < size; word++) {
          bits[word] = own.bits[word]!;
          blockMax[word] = scaled(own.blockMax[word]!, factor);
        }
        bits.fill(0, size, words);
        blockMax.fill(0, size, words);
      } else
        for (let word = 0; word < size; word++) {
          bits[word]! |= own.bits[word]!;
          const top = scaled(own.blockMax[word]!, factor);
          if (blockMax[word]! < top) blockMax[word] = top;
        }
    }
    for (let at = 0; at < listed.size; at++) {
      const word = listed.words[at]!;
      bits[word]! |= listed.bits[word]!;
      if (blockMax[word]! < this.#sparseBlockMax[word]!) blockMax[word] = this.#sparseBlockMax[word]!;
    }
  }
}
