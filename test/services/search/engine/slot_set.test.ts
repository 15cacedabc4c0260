// Reads a set's docIds for any number per word.
import { expect, test } from 'vitest';
import { SlotSet, WORD_MASK, WORD_SHIFT, wordsFor } from '#services/search/engine/slot_set.ts';

const SLOTS = 1_000;

test.each([
  ['none', () => false],
  ['all', () => true],
  ['every second', (slot: number) => slot % 2 === 0],
  ['all but a few', (slot: number) => slot % 37 > 0],
  ['few', (slot: number) => slot % 37 === 0],
  ['dense words and empty bytes', (slot: number) => slot % 32 < 24],
])('a set of %s reads as it is', (_what, isIn) => {
  const set = new SlotSet();
  set.begin(wordsFor(SLOTS));
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot).filter(isIn);
  for (const slot of slots) {
    const word = slot >>> WORD_SHIFT;
    if (set.bits[word] === 0) set.words[set.size++] = word;
    set.bits[word]! |= 1 << (slot & WORD_MASK);
  }
  const into = new Uint32Array(SLOTS);
  expect(set.read(into)).toBe(slots.length);
  expect([...into.subarray(0, slots.length)].sort((a, b) => a - b)).toEqual(slots);
});
