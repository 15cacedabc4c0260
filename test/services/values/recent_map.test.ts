// Keeps at most its number of entries, those used last.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentMap } from '#values/recent_map.ts';

it('evicts the least recently used entry', () => {
  const evicted: string[] = [];
  const map = new RecentMap<string, number>(3, (key, value) => evicted.push(`${key}=${value}`));
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
  expect(map.get('a')).toBe(0);
  map.set('b', 10);
  expect(map.peek('c')).toBe(2);
  map.set('d', 3);
  expect(evicted).toEqual(['c=2']);
  expect([...map.keys()]).toEqual(['a', 'b', 'd']);
});

it('computes a missing value once, even if the value is undefined', () => {
  const map = new RecentMap<string, string | undefined>(2);
  const computed: string[] = [];
  const compute = (key: string) => {
    computed.push(key);
    return key === 'none' ? undefined : key.toUpperCase();
  };
  expect(['a', 'none', 'a', 'none'].map((key) => map.getOrInsertComputed(key, compute))).toEqual([
    'A',
    undefined,
    'A',
    undefined,
  ]);
  expect(computed).toEqual(['a', 'none']);
});

it('never exceeds its bound, and keeps every entry that was used within the last half of it', () => {
  const uses = fc.array(fc.record({ key: fc.integer({ min: 0, max: 30 }), writes: fc.boolean() }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), uses, (max, all) => {
      const map = new RecentMap<number, number>(max);
      const recent: number[] = [];
      for (const { key, writes } of all) {
        if (writes) map.set(key, key);
        else map.get(key);
        if (!writes && map.peek(key) === undefined) continue;
        recent.push(key);
        expect(map.size).toBeLessThanOrEqual(max);
        const last = new Set(recent.slice(-Math.max(1, Math.floor(max / 2))));
        for (const each of last) expect(map.peek(each)).toBe(each);
      }
    }),
  );
});
