// The highest document frequency in each block of terms. A very common prefix is expanded by reading only the blocks
// with the highest frequencies.

const BLOCK_SHIFT = 6;
const BLOCK = 1 << BLOCK_SHIFT;
/** The 64 most frequent terms of a range occur in at most this many blocks. */
const BLOCKS_MAX = 64;

export class BlockMaxima {
  #maxima: Uint32Array;

  constructor(size: number) {
    this.#maxima = new Uint32Array((size + BLOCK - 1) >> BLOCK_SHIFT);
  }

  static of(blockMaxima: Uint32Array): BlockMaxima {
    const made = new BlockMaxima(0);
    made.#maxima = blockMaxima;
    return made;
  }

  get state(): Uint32Array {
    return this.#maxima;
  }

  get memoryBytes(): number {
    return this.#maxima.byteLength;
  }

  raise(place: number, count: number): void {
    if (this.#maxima[place >> BLOCK_SHIFT]! < count) this.#maxima[place >> BLOCK_SHIFT] = count;
  }

  /** Visits all positions whose frequency may be among the 64 highest of the range. */
  eachCandidate(from: number, to: number, take: (place: number) => void): void {
    const first = (from + BLOCK - 1) >> BLOCK_SHIFT;
    const last = to >> BLOCK_SHIFT;
    const best: number[] = [];
    for (let block = first; block < last; block++) {
      const peak = this.#maxima[block]!;
      if (best.length === BLOCKS_MAX && peak <= this.#maxima[best[BLOCKS_MAX - 1]!]!) continue;
      let at = best.length < BLOCKS_MAX ? best.length : BLOCKS_MAX - 1;
      for (; at > 0 && this.#maxima[best[at - 1]!]! < peak; at--) best[at] = best[at - 1]!;
      best[at] = block;
    }
    for (let place = from; place < first << BLOCK_SHIFT; place++) take(place);
    for (const block of best) for (let at = 0; at < BLOCK; at++) take((block << BLOCK_SHIFT) + at);
    for (let place = last << BLOCK_SHIFT; place < to; place++) take(place);
  }
}
