// Places in the log as followers carry them: what is given out is read back, and nothing else is taken.
import { expect, test } from 'vitest';
import { beginAt, behind, readPosition, writePosition } from '#services/webhook/position.ts';
import { encodeCursor } from '#values/cursor.ts';

const SCOPE = 'a list';

test.each([
  ['no other transaction wrote', '740:740:', { told: '740', sequence: 0, seen: '' }],
  ['older ones ran', '738:741:738,740', { told: '738', sequence: 0, seen: '738:741:738,740' }],
])('begins where %s', (_, snapshot, position) => {
  expect(beginAt(snapshot)).toEqual(position);
  expect(readPosition(SCOPE, writePosition(SCOPE, position))).toEqual(position);
  expect(readPosition('another', writePosition(SCOPE, position))).toBeNull();
});

test('remembers what was seen at the beginning until all of it lies before', () => {
  const begun = beginAt('738:741:738,740');
  expect(behind({ told: '740', sequence: 9 }, begun)).toEqual({ told: '740', sequence: 9, seen: begun.seen });
  expect(behind({ told: '741', sequence: 10 }, begun)).toEqual({ told: '741', sequence: 10, seen: '' });
});

test.each<[string, readonly (string | number | null)[]]>([
  ['nothing', []],
  ['one key', ['5']],
  ['no transaction', ['x', 1]],
  ['a transaction too large', ['9999999999999999999', 1]],
  ['no place', ['5', 1.5]],
  ['no snapshot', ['5', 1, 'x']],
  ['a snapshot backwards', ['5', 1, '9:5:']],
  ['a snapshot of nothing', ['5', 1, '0:5:']],
  ['running ones out of order', ['5', 1, '5:9:7,6']],
  ['running ones from outside', ['5', 1, '5:9:4']],
  ['one key more', ['5', 1, '5:9:6', 1]],
])('a forged one of %s is none', (_, keys) => {
  expect(readPosition(SCOPE, encodeCursor(SCOPE, keys))).toBeNull();
});
