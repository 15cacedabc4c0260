// Holds of many states that share a table, against as many plain maps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hold, Holds, NO_HOLDS } from '#services/stock/hold.ts';

const holdOf = (id: number, quantity: number): Hold => ({ id: `hold-${id}`, quantity, status: 'pending', until: 0 });
const sorted = (holds: Iterable<Hold>): Hold[] => [...holds].sort((a, b) => (a.id < b.id ? -1 : 1));

const someId = fc.integer({ min: 0, max: 30 });
/** Of which state so far it is made; the newest are asked most. */
const someState = fc.oneof(fc.constant(0), fc.nat(3), fc.nat(200));
const someStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ of: someState, put: someId, quantity: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ of: someState, leaveOut: someId }) },
  { weight: 1, arbitrary: fc.record({ of: someState, double: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ of: someState, look: someId }) },
);

test('whatever is made of whichever state, each keeps what it holds', () => {
  fc.assert(
    fc.property(fc.array(someStep, { maxLength: 120 }), (steps) => {
      const states: { readonly holds: Holds; readonly wanted: ReadonlyMap<string, Hold> }[] = [
        { holds: NO_HOLDS, wanted: new Map() },
      ];
      for (const step of steps) {
        const { holds, wanted } = states[Math.max(0, states.length - 1 - step.of)]!;
        if ('put' in step) {
          const hold = holdOf(step.put, step.quantity);
          states.push({ holds: holds.with(hold), wanted: new Map(wanted).set(hold.id, hold) });
        } else if ('look' in step) {
          const { id } = holdOf(step.look, 1);
          expect(holds.get(id)).toBe(wanted.get(id) ?? null);
        } else {
          const become = (hold: Hold): Hold | null => {
            if ('double' in step) return hold.quantity % 2 ? { ...hold, quantity: 2 * hold.quantity } : hold;
            return hold.id === `hold-${step.leaveOut}` ? null : hold;
          };
          const next = [...wanted.values()].map(become).filter((hold) => hold !== null);
          states.push({ holds: holds.map(become), wanted: new Map(next.map((hold) => [hold.id, hold])) });
        }
      }
      for (const { holds, wanted } of states) expect(sorted(holds.all())).toEqual(sorted(wanted.values()));
      expect(NO_HOLDS.all()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('are the last ones of each id, in the order in which they came', () => {
  const holds = Holds.of([holdOf(1, 1), holdOf(2, 1), holdOf(1, 3)]);
  expect(holds.all()).toEqual([holdOf(1, 3), holdOf(2, 1)]);
  expect(holds.get('nobody')).toBeNull();
});

test('that nothing is to become of are the same ones', () => {
  const holds = Holds.of([holdOf(1, 1), holdOf(2, 1)]);
  expect(holds.map((hold) => hold)).toBe(holds);
});
