// Sets of docIds as arrays of 32-bit words. Each set lists its non-empty words, so that visiting a sparse set takes
// time in proportion to its size.

export const WORD_SHIFT = 5;
export const WORD_MASK = 31;

export const wordsFor = (docIds: number): number => (docIds + WORD_MASK) >>> WORD_SHIFT;

const ONES_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export const bitCount = (word: number): number =>
  ONES_OF_BYTE[word & 255]! +
  ONES_OF_BYTE[(word >>> 8) & 255]! +
  ONES_OF_BYTE[(word >>> 16) & 255]! +
  ONES_OF_BYTE[word >>> 24]!;

let every = new Uint32Array(0);

export const everyWord = (words: number): Uint32Array => {
  if (words > every.length) every = Uint32Array.from({ length: Math.ceil(words * 1.25) }, (_, word) => word);
  return every;
};

export class DocIdSet {
  bits = new Int32Array(0);
  words = new Uint32Array(0);
  size = 0;

  begin(words: number): void {
    const { bits } = this;
    if (words > bits.length) {
      this.bits = new Int32Array(Math.ceil(words * 1.25));
      this.words = new Uint32Array(this.bits.length);
    } else for (let at = 0; at < this.size; at++) bits[this.words[at]!] = 0;
    this.size = 0;
  }

  setDifference(all: Int32Array, words: number, { bits: without }: DocIdSet): void {
    this.begin(words);
    for (let word = 0; word < words; word++) {
      const rest = all[word]! & ~without[word]!;
      if (rest === 0) continue;
      this.bits[word] = rest;
      this.words[this.size++] = word;
    }
  }

  get count(): number {
    const { bits, words, size } = this;
    let count = 0;
    for (let at = 0; at < size; at++) count += bitCount(bits[words[at]!]!);
    return count;
  }

  read(into: Uint32Array): number {
    const { bits, words, size } = this;
    let count = 0;
    for (let at = 0; at < size; at++) {
      const first = (words[at]! << WORD_SHIFT) + WORD_MASK;
      for (let rest = bits[words[at]!]!; rest !== 0; rest &= rest - 1) into[count++] = first - Math.clz32(rest & -rest);
    }
    return count;
  }

  filter(passes: (docId: number) => boolean): void {
    const { bits, words, size } = this;
    let retained = 0;
    for (let at = 0; at < size; at++) {
      const word = words[at]!;
      const first = (word << WORD_SHIFT) + WORD_MASK;
      let left = bits[word]!;
      for (let rest = left; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        if (!passes(first - Math.clz32(bit))) left &= ~bit;
      }
      bits[word] = left;
      if (left !== 0) words[retained++] = word;
    }
    this.size = retained;
  }
}
