// Holds of many states that share one table, compared with plain maps, and pages of live holds.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hold, Holds, NO_HOLDS, pageOfHolds } from '#services/stock/hold.ts';

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

const NOW = 100;
const hold = (id: string, status: Hold['status'], until: number): Hold => ({ id, quantity: 1, status, until });
const idsOf = (holds: readonly Hold[]): string[] => holds.map(({ id }) => id);

test('lists pending holds by their expiry, and none that has ended', () => {
  const holds = [
    hold('c', 'pending', 300),
    hold('b', 'pending', 200),
    hold('a', 'pending', 200),
    hold('e', 'pending', NOW),
    hold('r', 'released', 500),
    hold('k', 'committed', 500),
    hold('x', 'expired', 500),
  ];
  expect(idsOf(pageOfHolds(holds, NOW, null, 10))).toEqual(['a', 'b', 'c']);
});

test('lists every live hold once over pages of any size', () => {
  const someHold = fc.record({
    id: fc.uuid(),
    quantity: fc.constant(1),
    status: fc.constantFrom('pending' as const, 'released' as const),
    until: fc.integer({ min: 90, max: 110 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(someHold, { selector: ({ id }) => id, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      (holds, limit) => {
        const listed: Hold[] = [];
        for (;;) {
          const page = pageOfHolds(holds, NOW, listed.at(-1) ?? null, limit);
          listed.push(...page);
          if (page.length < limit) break;
        }
        expect(idsOf(listed)).toEqual(idsOf(pageOfHolds(holds, NOW, null, holds.length)));
      },
    ),
  );
});
