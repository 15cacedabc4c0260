// Positions of followers: those given out are read back, and all others are refused.
import { expect, test } from 'vitest';
import { positionAfter, readPosition, startPosition, writePosition } from '#services/webhook/position.ts';
import { encodeCursor } from '#values/cursor.ts';

const SCOPE = 'a list';

test.each([
  ['no other transaction wrote', '740:740:', { transaction: '740', sequence: 0, startSnapshot: '' }],
  ['older ones ran', '738:741:738,740', { transaction: '738', sequence: 0, startSnapshot: '738:741:738,740' }],
])('begins where %s', (_, snapshot, position) => {
  expect(startPosition(snapshot)).toEqual(position);
  expect(readPosition(SCOPE, writePosition(SCOPE, position))).toEqual(position);
  expect(readPosition('another', writePosition(SCOPE, position))).toBeNull();
});

test('remembers the starting snapshot until all of it lies behind', () => {
  const started = startPosition('738:741:738,740');
  expect(positionAfter({ transaction: '740', sequence: 9 }, started)).toEqual({
    transaction: '740',
    sequence: 9,
    startSnapshot: started.startSnapshot,
  });
  expect(positionAfter({ transaction: '741', sequence: 10 }, started)).toEqual({
    transaction: '741',
    sequence: 10,
    startSnapshot: '',
  });
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
