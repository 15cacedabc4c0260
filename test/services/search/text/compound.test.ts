// Nouns that are written together are found by their parts, and parts by the whole.
import { expect, test } from 'vitest';
import { compoundPairs, eachCompoundEnd } from '#services/search/text/compound.ts';

const endsOf = (word: string): string[] => {
  const ends: string[] = [];
  eachCompoundEnd(word, (end) => ends.push(end));
  return ends;
};

test.each([
  ['kaffeebecher', 'becher'],
  ['arbeitsschuhe', 'schuhe'],
  ['blumenvase', 'vase'],
  ['koffiekopje', 'kopje'],
  ['kaffekopp', 'kopp'],
])('ends %s with %s', (word, end) => expect(endsOf(word)).toContain(end));

test.each(['becher', 'tasse', 'ab', '', 'usb3kabel', 'straßenbahn', 'rhythm'])('does not divide %j', (word) => {
  expect(endsOf(word)).toEqual([]);
});

test.each([
  ['kaffeebecher', ['kaffee', 'becher']],
  ['arbeitsschuhe', ['arbeit', 'schuhe']],
  ['blumenvase', ['blume', 'vase']],
])('divides %s into %j, without a link', (word, pair) => expect(compoundPairs(word)).toContainEqual(pair));

test('divides a long word into a bounded number of pairs', () => {
  expect(compoundPairs('ba'.repeat(20)).length).toBeLessThan(40 * 7);
});
