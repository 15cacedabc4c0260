// What is kept is never taken for what is not, however many there are and however their ids are written.
import { describe, expect, test } from 'vitest';
import { StoredActors } from '#runtime/actor/stored_actor.ts';

const keyOf = (at: number): string => `cart/11111111-1111-4111-8111-111111111111/production/s:${at}`;

test('nothing is lacking before all of the earlier owners is known', () => {
  const kept = new StoredActors();
  expect(kept.lacks(keyOf(0))).toBe(false);
  kept.complete();
  expect(kept.lacks(keyOf(0))).toBe(true);
});

test('of many, each is known, and of others all but a few in a hundred are lacking', () => {
  const kept = new StoredActors();
  const count = 500_000;
  for (let at = 0; at < count; at++) kept.add(keyOf(at));
  // Once more: an actor that changes is written again and again.
  for (let at = 0; at < count; at++) kept.add(keyOf(at));
  kept.complete();
  let lost = 0;
  for (let at = 0; at < count; at++) if (kept.lacks(keyOf(at))) lost++;
  expect(lost).toBe(0);
  let lacking = 0;
  for (let at = count; at < count + 100_000; at++) if (kept.lacks(keyOf(at))) lacking++;
  expect(lacking).toBeGreaterThan(95_000);
});

test('a key is the same one however it is held in memory', () => {
  const kept = new StoredActors();
  kept.complete();
  // A part of a text with wide letters, and the same letters by themselves.
  const wide = `cart/päck/\u4e2d`.slice(0, 9);
  kept.add('cart/päck');
  expect(kept.lacks(wide)).toBe(false);
  expect(kept.lacks('cart/pack')).toBe(true);
});

describe('of more than are kept account of', () => {
  test('none is lacking', () => {
    const kept = new StoredActors();
    kept.complete();
    for (let at = 0; !kept.over; at++) kept.add(keyOf(at));
    expect(kept.lacks('anything')).toBe(false);
  });
});
