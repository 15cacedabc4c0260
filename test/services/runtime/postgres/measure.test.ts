// How old what waits in the outbox is, of rows that say no time.
import { expect, test } from 'vitest';
import { OutboxAge } from '#runtime/postgres/measure.ts';

test.each<[what: string, looks: readonly [atS: number, oldest: bigint | null, newest: bigint | null, ageS: number][]]>([
  ['that is empty is nothing', [[0, null, null, 0]]],
  [
    'that always holds something, and never for long, is no older than its rows',
    [
      [0, 1n, 5n, 0],
      [5, 6n, 9n, 0],
      [10, 10n, 10n, 0],
    ],
  ],
  [
    'whose oldest row stands grows older by the clock, whatever comes behind it',
    [
      [0, 1n, 3n, 0],
      [5, 2n, 9n, 5],
      [10, 2n, 20n, 10],
    ],
  ],
  [
    'that moved on is as old as the look that first found its oldest row',
    [
      [0, 1n, 3n, 0],
      [5, 1n, 9n, 5],
      [10, 5n, 20n, 5],
      [15, null, null, 0],
      [20, 21n, 21n, 0],
    ],
  ],
])('an outbox %s', (_, looks) => {
  const age = new OutboxAge();
  for (const [atS, oldest, newest, ageS] of looks) expect(age.look(atS * 1_000, oldest, newest)).toBe(ageS);
});
