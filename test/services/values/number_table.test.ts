// A table of numbers, against a Map.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberTable } from '#values/number_table.ts';

/** Close together, far apart with equal slots, and beyond 32 bits. */
const number = fc.oneof(
  fc.nat(40),
  fc.nat(8).map((times) => times * 4_096 + 3),
  fc.maxSafeNat(),
);
const step = fc.record({ kind: fc.constantFrom('set', 'take', 'get'), number });

test('a table of numbers holds what a Map holds, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const table = new NumberTable<{ at: number }>();
      const map = new Map<number, { at: number }>();
      for (const [at, { kind, number: of }] of steps.entries()) {
        if (kind === 'set') {
          const item = { at };
          table.set(of, item);
          map.set(of, item);
        } else if (kind === 'take') {
          expect(table.take(of)).toBe(map.get(of));
          map.delete(of);
        } else expect(table.get(of)).toBe(map.get(of));
        expect(table.size).toBe(map.size);
      }
      expect(new Map(table.entries())).toEqual(map);
    }),
  );
});

test('a cleared table is empty and can be filled again', () => {
  const table = new NumberTable<object>();
  for (let of = 0; of < 100; of++) table.set(of, {});
  table.clear();
  expect([table.size, table.get(5), table.entries()]).toEqual([0, undefined, []]);
  const item = {};
  table.set(5, item);
  expect(table.take(5)).toBe(item);
});
