// Sets of slots: a bit a slot, thirty-two to a word, and a list of the words that hold any, so that what few products
// have is gone through in as many steps as there are of them.

export const WORD_SHIFT = 5;
export const WORD_MASK = 31;

export const wordsFor = (slots: number): number => (slots + WORD_MASK) >>> WORD_SHIFT;

/** How many bits of a word are set. */
export const ones = (word: number): number => {
  let bits = (word - ((word >>> 1) & 0x55555555)) | 0;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** Of a word of a sparse set so many bits are set on average, or fewer. */
const SPARSE_MAX = 16;

/** The bits that are set in each byte, eight places a byte. */
const BITS_OF_BYTE = new Uint8Array(256 * 8);
const ONES_OF_BYTE = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++)
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) BITS_OF_BYTE[(byte << 3) + ONES_OF_BYTE[byte]!++] = bit;

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

  /** Writes them one by one, `total` in all; returns how many they are. What lies up to seven places behind them may be written on. */
  read(into: Uint32Array, total = this.count): number {
    const { bits, words, size } = this;
    if (total > size * SPARSE_MAX) return this.#readDense(into);
    let count = 0;
    for (let at = 0; at < size; at++) {
      const first = (words[at]! << WORD_SHIFT) + WORD_MASK;
      for (let rest = bits[words[at]!]!; rest !== 0; rest &= rest - 1) into[count++] = first - Math.clz32(rest & -rest);
    }
    return count;
  }

  /** Eight bits at a time, all eight places written, and gone on behind those that are set: half the time that bit by bit takes. */
  #readDense(into: Uint32Array): number {
    const { bits, words, size } = this;
    let count = 0;
    for (let at = 0; at < size; at++) {
      const word = bits[words[at]!]!;
      const first = words[at]! << WORD_SHIFT;
      for (let shift = 0; shift < 32; shift += 8) {
        const byte = (word >>> shift) & 255;
        const slot = first + shift;
        const from = byte << 3;
        // A loop of eight takes three times as long.
        into[count] = slot + BITS_OF_BYTE[from]!;
        into[count + 1] = slot + BITS_OF_BYTE[from + 1]!;
        into[count + 2] = slot + BITS_OF_BYTE[from + 2]!;
        into[count + 3] = slot + BITS_OF_BYTE[from + 3]!;
        into[count + 4] = slot + BITS_OF_BYTE[from + 4]!;
        into[count + 5] = slot + BITS_OF_BYTE[from + 5]!;
        into[count + 6] = slot + BITS_OF_BYTE[from + 6]!;
        into[count + 7] = slot + BITS_OF_BYTE[from + 7]!;
        count += ONES_OF_BYTE[byte]!;
      }
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
