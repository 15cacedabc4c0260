// How many attempts run at once: slow endpoints get one each and never take the room of the others.
import { describe, expect, test } from 'vitest';
import { Capacity, SLOW_MS } from '#services/webhook/capacity.ts';

const LIMITS = { perEndpoint: 3, brisk: 5, slow: 2 };

describe('capacity', () => {
  test('lets a few run to each endpoint, and so many in all', () => {
    const capacity = new Capacity(LIMITS);
    for (let at = 0; at < 3; at++) capacity.begin('a');
    expect([capacity.room('a'), capacity.room('b'), capacity.running]).toEqual([0, 2, 3]);
    for (let at = 0; at < 2; at++) capacity.begin('b');
    expect([capacity.room('b'), capacity.room('c'), capacity.left]).toEqual([0, 0, 0]);
  });

  test('frees the room of an attempt that becomes slow at once, and gives its endpoint one place', () => {
    const capacity = new Capacity(LIMITS);
    const turns = Array.from({ length: 5 }, (_, at) => capacity.begin(`slow ${at}`));
    expect(capacity.room('well')).toBe(0);
    for (const [at, turn] of turns.entries()) capacity.slowDown(`slow ${at}`, turn);
    expect([capacity.room('well'), capacity.room('slow 0')]).toEqual([3, 0]);
    for (const [at, turn] of turns.entries()) capacity.end(`slow ${at}`, turn, 30_000);
    expect([capacity.running, capacity.room('slow 0')]).toEqual([0, 1]);
  });

  test('has a bound on the known slow ones too, which costs the others nothing', () => {
    const capacity = new Capacity(LIMITS);
    for (const name of ['x', 'y', 'z']) capacity.end(name, capacity.begin(name), SLOW_MS);
    capacity.begin('x');
    expect([capacity.room('x'), capacity.room('y')]).toEqual([0, 1]);
    capacity.begin('y');
    expect([capacity.room('z'), capacity.room('well')]).toEqual([0, 3]);
  });

  test('trusts an endpoint again that answers fast', () => {
    const capacity = new Capacity(LIMITS);
    capacity.end('a', capacity.begin('a'), SLOW_MS);
    expect(capacity.room('a')).toBe(1);
    capacity.end('a', capacity.begin('a'), 5);
    expect([capacity.room('a'), capacity.running]).toEqual([3, 0]);
  });
});
