// Pages of a variant's live holds.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hold } from '#services/stock/hold.ts';
import { pageOfHolds, placeOf } from '#services/stock/hold_page.ts';

const NOW = 100;
const hold = (id: string, status: Hold['status'], until: number): Hold => ({ id, quantity: 1, status, until });
const idsOf = (holds: readonly Hold[]): string[] => holds.map(({ id }) => id);

test('lists pinned holds, then pending ones by their expiry, and none that has ended', () => {
  const holds = [
    hold('c', 'pending', 300),
    hold('b', 'pending', 200),
    hold('a', 'pending', 200),
    hold('p', 'pinned', 50),
    hold('e', 'pending', NOW),
    hold('r', 'released', 500),
    hold('k', 'committed', 500),
    hold('x', 'expired', 500),
  ];
  expect(idsOf(pageOfHolds(holds, NOW, null, 10))).toEqual(['p', 'a', 'b', 'c']);
});

test('lists every live hold once over pages of any size, also while pinned ones are asked about', () => {
  const someHold = fc.record({
    id: fc.uuid(),
    quantity: fc.constant(1),
    status: fc.constantFrom('pending' as const, 'pinned' as const, 'released' as const),
    until: fc.integer({ min: 90, max: 110 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(someHold, { selector: ({ id }) => id, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      (holds, limit) => {
        const listed: Hold[] = [];
        for (let later = 0; ; later++) {
          const moved = holds.map((each) => (each.status === 'pinned' ? { ...each, until: each.until + later } : each));
          const last = listed.at(-1);
          const page = pageOfHolds(moved, NOW, last ? placeOf(last) : null, limit);
          listed.push(...page);
          if (page.length < limit) break;
        }
        expect(idsOf(listed)).toEqual(idsOf(pageOfHolds(holds, NOW, null, holds.length)));
      },
    ),
  );
});
