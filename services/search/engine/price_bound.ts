// Lowest and highest price of each 32 docIds, so that the price facet skips most products. Removing a price leaves the
// bounds unchanged: they may be too wide, which is harmless.
import { wordsFor } from './doc_id_set.ts';

export class PriceBounds {
  lows: Float64Array;
  highs: Float64Array;

  constructor(docIds: number) {
    this.lows = new Float64Array(wordsFor(docIds)).fill(Number.POSITIVE_INFINITY);
    this.highs = new Float64Array(wordsFor(docIds)).fill(Number.NEGATIVE_INFINITY);
  }

  get memoryBytes(): number {
    return this.lows.byteLength + this.highs.byteLength;
  }

  grow(docIds: number): void {
    const { lows, highs } = new PriceBounds(docIds);
    lows.set(this.lows);
    highs.set(this.highs);
    this.lows = lows;
    this.highs = highs;
  }

  widen(word: number, price: number): void {
    if (price < this.lows[word]!) this.lows[word] = price;
    if (price > this.highs[word]!) this.highs[word] = price;
  }
}
