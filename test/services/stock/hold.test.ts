// The tree of holds against a plain map.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findHold,
  type Hold,
  type HoldTree,
  holdsIn,
  mapHolds,
  NO_HOLDS,
  putHold,
  writeHolds,
} from '#services/stock/hold.ts';

const byId = (holds: Iterable<Hold>): Hold[] => [...holds].sort(([a], [b]) => (a < b ? -1 : 1));

const someHolds = fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 9 }), fc.nat(1_000)), {
  maxLength: 800,
});
const holdOf = ([id, quantity, until]: readonly [number, number, number]): Hold => [
  `hold-${id}`,
  quantity,
  'pending',
  until,
];
const treeOf = (holds: readonly Hold[]): HoldTree => holds.reduce(putHold, NO_HOLDS);

test('holds what was put in last under each id, and finds it', () => {
  fc.assert(
    fc.property(someHolds, (drawn) => {
      const holds = drawn.map(holdOf);
      const map = new Map(holds.map((hold) => [hold[0], hold]));
      const tree = treeOf(holds);
      expect(byId(holdsIn(tree))).toEqual(byId(map.values()));
      expect(writeHolds(tree)).toBe(JSON.stringify(tree));
      for (const [id, hold] of map) expect(findHold(tree, id)).toEqual(hold);
      expect(findHold(tree, 'nobody')).toBeNull();
    }),
    { numRuns: 60 },
  );
});

test('leaves the tree before as it was', () => {
  fc.assert(
    fc.property(someHolds, fc.nat(300), (drawn, id) => {
      const tree = treeOf(drawn.map(holdOf));
      const before = JSON.stringify(tree);
      putHold(tree, holdOf([id, 5, 7]));
      mapHolds(tree, () => null);
      expect(JSON.stringify(tree)).toBe(before);
    }),
    { numRuns: 60 },
  );
});

test('becomes what each hold becomes, without those that are left out', () => {
  fc.assert(
    fc.property(someHolds, (drawn) => {
      const tree = treeOf(drawn.map(holdOf));
      const become = (hold: Hold): Hold | null => (hold[3] < 500 ? null : [hold[0], hold[1], 'expired', 0]);
      const mapped = mapHolds(tree, become);
      const wanted = [...holdsIn(tree)].map(become).filter((hold) => hold !== null);
      expect(byId(holdsIn(mapped))).toEqual(byId(wanted));
      expect(JSON.parse(writeHolds(mapped))).toEqual(mapped);
    }),
    { numRuns: 60 },
  );
});
