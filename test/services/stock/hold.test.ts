// The tree of holds against a plain map.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHold, type Hold, holdsIn, mapHolds, putHold, treeOf } from '#services/stock/hold.ts';

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

test('holds what was put in last under each id, and finds it', () => {
  fc.assert(
    fc.property(someHolds, (drawn) => {
      const holds = drawn.map(holdOf);
      const map = new Map(holds.map((hold) => [hold[0], hold]));
      const tree = treeOf(holds);
      expect(byId(holdsIn(tree))).toEqual(byId(map.values()));
      expect(treeOf(holdsIn(tree))).toEqual(tree);
      for (const [id, hold] of map) expect(findHold(tree, id)).toEqual(hold);
      expect(findHold(tree, 'nobody')).toBeNull();
    }),
    { numRuns: 60 },
  );
});

test('tells apart what has the same hash', () => {
  const twins = [holdOf([479_599, 1, 10]), holdOf([662_382, 2, 20])];
  const tree = treeOf(twins);
  for (const hold of twins) expect(findHold(tree, hold[0])).toEqual(hold);
  expect(byId(holdsIn(tree))).toEqual(twins);
  expect(mapHolds(tree, (hold) => (hold === twins[0] ? null : hold))).toEqual(treeOf(twins.slice(1)));
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
      expect(mapped).toEqual(treeOf(wanted));
    }),
    { numRuns: 60 },
  );
});
