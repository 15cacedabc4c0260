// The words of a set in about the order of their bounds, highest first: whoever looks for the best ones soon knows how
// much a product must score, and passes by the rest.

/** So finely are bounds told apart. */
const BINS = 256;
const bins = new Uint32Array(BINS + 1);

/** One thread, one query at a time: all share them. The first ones of each are in use. */
export const ranked = { words: new Uint32Array(0), bounds: new Int32Array(0) };
let found = new Uint32Array(0);
let foundBounds = new Int32Array(0);

/** Fills `ranked` with the words of the set that are not empty; returns how many they are. */
export const rank = (set: Int32Array, words: number, bound: (word: number) => number): number => {
  if (words > found.length) reserve(Math.ceil(words * 1.25));
  let size = 0;
  let highest = 1;
  for (let word = 0; word < words; word++) {
    if (set[word] === 0) continue;
    const own = bound(word);
    if (own > highest) highest = own;
    found[size] = word;
    foundBounds[size++] = own;
  }
  const scale = (BINS - 1) / highest;
  bins.fill(0);
  for (let at = 0; at < size; at++) bins[BINS - ((foundBounds[at]! * scale) | 0)]!++;
  for (let bin = 1; bin <= BINS; bin++) bins[bin]! += bins[bin - 1]!;
  const { words: into, bounds } = ranked;
  for (let at = 0; at < size; at++) {
    const to = bins[BINS - 1 - ((foundBounds[at]! * scale) | 0)]!++;
    into[to] = found[at]!;
    bounds[to] = foundBounds[at]!;
  }
  return size;
};

const reserve = (words: number): void => {
  found = new Uint32Array(words);
  foundBounds = new Int32Array(words);
  ranked.words = new Uint32Array(words);
  ranked.bounds = new Int32Array(words);
};
