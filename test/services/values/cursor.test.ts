// A cursor is valid for its own list alone.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';

const keys = fc.array(
  fc.oneof<fc.Arbitrary<CursorKey>[]>(
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
  ),
);

describe('a cursor', () => {
  test('returns its keys in its own list', () => {
    fc.assert(
      fc.property(fc.string(), keys, (scope, given) => {
        expect(decodeCursor(scope, encodeCursor(scope, given))).toEqual(given);
      }),
    );
  });

  test('uses URL-safe characters alone', () => {
    fc.assert(
      fc.property(keys, (given) => {
        expect(encodeCursor('a', given)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  test('decodes to null in another list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), keys, (mine, theirs, given) => {
        fc.pre(mine !== theirs);
        expect(decodeCursor(theirs, encodeCursor(mine, given))).toBeNull();
      }),
    );
  });

  test('decodes to null after a change, insertion or removal of a character', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. é';
    fc.assert(
      fc.property(keys, fc.nat(), fc.constantFrom(...alphabet), fc.constantFrom(0, 1), (given, at, letter, taken) => {
        const cursor = encodeCursor('list', given);
        const place = at % (cursor.length + 1);
        const damaged = cursor.slice(0, place) + letter + cursor.slice(place + taken);
        fc.pre(damaged !== cursor);
        expect(decodeCursor('list', damaged)).toBeNull();
        expect(decodeCursor('list', cursor.slice(0, place % cursor.length))).toBeNull();
      }),
    );
  });

  test.each(['', 'a', 'not a cursor', '%00', '====', 'e30', `${'A'.repeat(5_000)}`])('refuses %j', (text) => {
    expect(decodeCursor('list', text)).toBeNull();
  });

  test.each([
    [[7], ['place']],
    [
      [1_790_000_000_000, '01a1fdb0-b89e-7213-9798-5b9d0aad7654'],
      ['time', 'id'],
    ],
  ] as const)('of keys %j holds what a query of %j needs', (given, kinds) => {
    expect(decodeCursor('list', encodeCursor('list', given), kinds)).toEqual(given);
  });

  test.each([
    [[], ['place']],
    [[null], ['place']],
    [['7'], ['place']],
    [[1.5], ['place']],
    [[1e300], ['place']],
    [[1, 2], ['place']],
    [[1e15], ['time']],
    [[-1], ['time']],
    [['x'], ['id']],
    [[{}], ['id']],
  ] as const)('forged of keys %j is none where a query needs %j', (given, kinds) => {
    expect(decodeCursor('list', encodeCursor('list', given as readonly CursorKey[]), kinds)).toBeNull();
  });

  test('refuses a forged one without JSON', () => {
    const text = 'no JSON';
    const check = createHash('sha256').update('list').update('\0').update(text).digest().subarray(0, 9);
    expect(decodeCursor('list', Buffer.concat([check, Buffer.from(text)]).toString('base64url'))).toBeNull();
  });
});
