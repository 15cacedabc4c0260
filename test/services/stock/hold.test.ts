// Holds of many states that share one table, compared with plain maps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hold, Holds, NO_HOLDS } from '#services/stock/hold.ts';

const holdOf = (id: number, quantity: number): Hold => ({ id: `hold-${id}`, quantity, status: 'pending', until: 0 });
const sorted = (holds: Iterable<Hold>): Hold[] => [...holds].sort((a, b) => (a.id < b.id ? -1 : 1));

const someId = fc.integer({ min: 0, max: 30 });
/** How many states back a step goes; the newest are read most. */
const someState = fc.oneof(fc.constant(0), fc.nat(3), fc.nat(200));
const someStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ of: someState, put: someId, quantity: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ of: someState, leaveOut: someId }) },
  { weight: 1, arbitrary: fc.record({ of: someState, double: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ of: someState, look: someId }) },
);

test('every state keeps its holds through random changes', () => {
  fc.assert(
    fc.property(fc.array(someStep, { maxLength: 120 }), (steps) => {
      const states: { readonly holds: Holds; readonly expected: ReadonlyMap<string, Hold> }[] = [
        { holds: NO_HOLDS, expected: new Map() },
      ];
      for (const step of steps) {
        const { holds, expected } = states[Math.max(0, states.length - 1 - step.of)]!;
        if ('put' in step) {
          const hold = holdOf(step.put, step.quantity);
          states.push({ holds: holds.with(hold), expected: new Map(expected).set(hold.id, hold) });
        } else if ('look' in step) {
          const { id } = holdOf(step.look, 1);
          expect(holds.get(id)).toBe(expected.get(id) ?? null);
        } else {
          const replace = (hold: Hold): Hold | null => {
            if ('double' in step) return hold.quantity % 2 ? { ...hold, quantity: 2 * hold.quantity } : hold;
            return hold.id === `hold-${step.leaveOut}` ? null : hold;
          };
          const next = [...expected.values()].map(replace).filter((hold) => hold !== null);
          states.push({ holds: holds.map(replace), expected: new Map(next.map((hold) => [hold.id, hold])) });
        }
      }
      for (const { holds, expected } of states) expect(sorted(holds.all())).toEqual(sorted(expected.values()));
      expect(NO_HOLDS.all()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('holds keep the last one of each id, in order of creation', () => {
  const holds = Holds.of([holdOf(1, 1), holdOf(2, 1), holdOf(1, 3)]);
  expect(holds.all()).toEqual([holdOf(1, 3), holdOf(2, 1)]);
  expect(holds.get('nobody')).toBeNull();
});

test('an unchanged map returns the same holds', () => {
  const holds = Holds.of([holdOf(1, 1), holdOf(2, 1)]);
  expect(holds.map((hold) => hold)).toBe(holds);
});
