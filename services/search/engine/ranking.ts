// Sorts the 32-bit words of a set roughly by score bound, so that selection finds high scores early and skips the rest.
import type { DocIdSet } from './doc_id_set.ts';

const BINS = 256;
const bins = new Uint32Array(BINS + 1);

export const ranked = { words: new Uint32Array(0), bounds: new Int32Array(0) };
let found = new Int32Array(0);

export const rank = ({ words, size }: DocIdSet, bound: (word: number) => number): number => {
  if (size > found.length) reserve(Math.ceil(size * 1.25));
  let highest = 1;
  for (let at = 0; at < size; at++) {
    const own = bound(words[at]!);
    if (own > highest) highest = own;
    found[at] = own;
  }
  const scale = (BINS - 1) / highest;
  bins.fill(0);
  for (let at = 0; at < size; at++) bins[BINS - ((found[at]! * scale) | 0)]!++;
  for (let bin = 1; bin <= BINS; bin++) bins[bin]! += bins[bin - 1]!;
  const { words: into, bounds } = ranked;
  for (let at = 0; at < size; at++) {
    const to = bins[BINS - 1 - ((found[at]! * scale) | 0)]!++;
    into[to] = words[at]!;
    bounds[to] = found[at]!;
  }
  return size;
};

const reserve = (words: number): void => {
  found = new Int32Array(words);
  ranked.words = new Uint32Array(words);
  ranked.bounds = new Int32Array(words);
};
