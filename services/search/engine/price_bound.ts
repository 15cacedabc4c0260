// What the prices of each word of slots lie between: a search for the lowest and the highest need not look at each.
// A price that is gone leaves its bounds as they are: wider than need be, and true.
import { wordsFor } from './slot_set.ts';

export class PriceBounds {
  lows: Float64Array;
  highs: Float64Array;

  constructor(slots: number) {
    this.lows = new Float64Array(wordsFor(slots)).fill(Number.POSITIVE_INFINITY);
    this.highs = new Float64Array(wordsFor(slots)).fill(Number.NEGATIVE_INFINITY);
  }

  get memoryBytes(): number {
    return this.lows.byteLength + this.highs.byteLength;
  }

  grow(slots: number): void {
    const { lows, highs } = new PriceBounds(slots);
    lows.set(this.lows);
    highs.set(this.highs);
    this.lows = lows;
    this.highs = highs;
  }

  /** NaN is no price. */
  widen(word: number, price: number): void {
    if (price < this.lows[word]!) this.lows[word] = price;
    if (price > this.highs[word]!) this.highs[word] = price;
  }
}
