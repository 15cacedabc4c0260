// How many attempts run at once: slow endpoints get one each and never take the room of the others.
import { describe, expect, test } from 'vitest';
import { Capacity, SLOW_MS } from '#services/webhook/capacity.ts';

const LIMITS = { perEndpoint: 3, fast: 5, slow: 2 };

describe('capacity', () => {
  test('bounds attempts to each endpoint and in all', () => {
    const capacity = new Capacity(LIMITS);
    for (let at = 0; at < 3; at++) capacity.begin('a');
    expect([capacity.capacityOf('a'), capacity.capacityOf('b'), capacity.running]).toEqual([0, 2, 3]);
    for (let at = 0; at < 2; at++) capacity.begin('b');
    expect([capacity.capacityOf('b'), capacity.capacityOf('c'), capacity.fastCapacityLeft]).toEqual([0, 0, 0]);
  });

  test('frees the place of an attempt that becomes slow at once, and limits its endpoint to one', () => {
    const capacity = new Capacity(LIMITS);
    const turns = Array.from({ length: 5 }, (_, at) => capacity.begin(`slow ${at}`));
    expect(capacity.capacityOf('well')).toBe(0);
    for (const [at, turn] of turns.entries()) capacity.markSlow(`slow ${at}`, turn);
    expect([capacity.capacityOf('well'), capacity.capacityOf('slow 0')]).toEqual([3, 0]);
    for (const [at, turn] of turns.entries()) capacity.end(`slow ${at}`, turn, 30_000);
    expect([capacity.running, capacity.capacityOf('slow 0')]).toEqual([0, 1]);
  });

  test('bounds attempts to slow endpoints without a cost to the others', () => {
    const capacity = new Capacity(LIMITS);
    for (const name of ['x', 'y', 'z']) capacity.end(name, capacity.begin(name), SLOW_MS);
    capacity.begin('x');
    expect([capacity.capacityOf('x'), capacity.capacityOf('y')]).toEqual([0, 1]);
    capacity.begin('y');
    expect([capacity.capacityOf('z'), capacity.capacityOf('well')]).toEqual([0, 3]);
  });

  test('trusts an endpoint again that answers fast', () => {
    const capacity = new Capacity(LIMITS);
    capacity.end('a', capacity.begin('a'), SLOW_MS);
    expect(capacity.capacityOf('a')).toBe(1);
    capacity.end('a', capacity.begin('a'), 5);
    expect([capacity.capacityOf('a'), capacity.running]).toEqual([3, 0]);
  });
});
