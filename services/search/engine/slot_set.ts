// Sets of slots: a bit a slot, thirty-two to a word, and a list of the words that hold any, so that what few products
// have is gone through in as many steps as there are of them.

export const WORD_SHIFT = 5;
export const WORD_MASK = 31;

export const wordsFor = (slots: number): number => (slots + WORD_MASK) >>> WORD_SHIFT;

const ONES_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** How many bits of a word are set. */
export const ones = (word: number): number =>
  ONES_OF_BYTE[word & 255]! +
  ONES_OF_BYTE[(word >>> 8) & 255]! +
  ONES_OF_BYTE[(word >>> 16) & 255]! +
  ONES_OF_BYTE[word >>> 24]!;

let every = new Uint32Array(0);

/** The numbers of the first words, and perhaps of more. */
export const everyWord = (words: number): Uint32Array => {
  if (words > every.length) every = Uint32Array.from({ length: Math.ceil(words * 1.25) }, (_, word) => word);
  return every;
};

export class SlotSet {
  /** 0 in all words that are not listed. */
  bits = new Int32Array(0);
  /** The words that hold any, in no order: the first `size`. */
  words = new Uint32Array(0);
  size = 0;

  /** Empty, with room for so many words. */
  begin(words: number): void {
    const { bits } = this;
    if (words > bits.length) {
      this.bits = new Int32Array(Math.ceil(words * 1.25));
      this.words = new Uint32Array(this.bits.length);
    } else for (let at = 0; at < this.size; at++) bits[this.words[at]!] = 0;
    this.size = 0;
  }

  /** What of these bits the other set does not hold. */
  becomeRest(all: Int32Array, words: number, { bits: without }: SlotSet): void {
    this.begin(words);
    for (let word = 0; word < words; word++) {
      const rest = all[word]! & ~without[word]!;
      if (rest === 0) continue;
      this.bits[word] = rest;
      this.words[this.size++] = word;
    }
  }

  /** How many slots are in. */
  get count(): number {
    const { bits, words, size } = this;
    let count = 0;
    for (let at = 0; at < size; at++) count += ones(bits[words[at]!]!);
    return count;
  }

  /** Writes them one by one; returns how many they are. */
  read(into: Uint32Array): number {
    const { bits, words, size } = this;
    let count = 0;
    for (let at = 0; at < size; at++) {
      const first = (words[at]! << WORD_SHIFT) + WORD_MASK;
      for (let rest = bits[words[at]!]!; rest !== 0; rest &= rest - 1) into[count++] = first - Math.clz32(rest & -rest);
    }
    return count;
  }

  /** Leaves those that pass. */
  filter(passes: (slot: number) => boolean): void {
    const { bits, words, size } = this;
    let kept = 0;
    for (let at = 0; at < size; at++) {
      const word = words[at]!;
      const first = (word << WORD_SHIFT) + WORD_MASK;
      let left = bits[word]!;
      for (let rest = left; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        if (!passes(first - Math.clz32(bit))) left &= ~bit;
      }
      bits[word] = left;
      if (left !== 0) words[kept++] = word;
    }
    this.size = kept;
  }
}
