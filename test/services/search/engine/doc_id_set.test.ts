// Reads a set's docIds for any number per word.
import { expect, test } from 'vitest';
import { DocIdSet, WORD_MASK, WORD_SHIFT, wordsFor } from '#services/search/engine/doc_id_set.ts';

const SLOTS = 1_000;

test.each([
  ['none', () => false],
  ['all', () => true],
  ['every second', (docId: number) => docId % 2 === 0],
  ['all but a few', (docId: number) => docId % 37 > 0],
  ['few', (docId: number) => docId % 37 === 0],
  ['dense words and empty bytes', (docId: number) => docId % 32 < 24],
])('a set of %s reads as it is', (_what, isIn) => {
  const set = new DocIdSet();
  set.begin(wordsFor(SLOTS));
  const docIds = Array.from({ length: SLOTS }, (_, docId) => docId).filter(isIn);
  for (const docId of docIds) {
    const word = docId >>> WORD_SHIFT;
    if (set.bits[word] === 0) set.words[set.size++] = word;
    set.bits[word]! |= 1 << (docId & WORD_MASK);
  }
  const into = new Uint32Array(SLOTS);
  expect(set.read(into)).toBe(docIds.length);
  expect([...into.subarray(0, docIds.length)].sort((a, b) => a - b)).toEqual(docIds);
});
