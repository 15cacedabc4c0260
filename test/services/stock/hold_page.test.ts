// Pages of a variant's live holds.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hold } from '#services/stock/hold.ts';
import { pageOfHolds } from '#services/stock/hold_page.ts';

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
