// Sets of slots: a bit a slot, thirty-two to a word.

export const WORD_SHIFT = 5;
export const WORD_MASK = 31;

export const wordsFor = (slots: number): number => (slots + WORD_MASK) >>> WORD_SHIFT;

/** How many bits of a word are set. */
export const ones = (word: number): number => {
  let bits = (word - ((word >>> 1) & 0x55555555)) | 0;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** How many slots the first words name. */
export const sizeOf = (set: Int32Array, words: number): number => {
  let size = 0;
  for (let at = 0; at < words; at++) if (set[at] !== 0) size += ones(set[at]!);
  return size;
};

export const isEmpty = (set: Int32Array, words: number): boolean => {
  for (let at = 0; at < words; at++) if (set[at] !== 0) return false;
  return true;
};

/** Writes them one by one, in order; returns how many they are. */
export const slotsOf = (set: Int32Array, words: number, into: Uint32Array): number => {
  let size = 0;
  for (let at = 0; at < words; at++) {
    for (let rest = set[at]!; rest !== 0; rest &= rest - 1)
      into[size++] = (at << WORD_SHIFT) + WORD_MASK - Math.clz32(rest & -rest);
  }
  return size;
};
