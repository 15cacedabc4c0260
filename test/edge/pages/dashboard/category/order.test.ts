// The moved item between two orders, for every move in lists of several lengths.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedItem } from '#edge/pages/dashboard/category/order.ts';

test('a move is found again, and makes the same order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.nat(7), fc.nat(7), (length, from, to) => {
      fc.pre(from < length && to < length && from !== to);
      const before = Array.from({ length }, (_, at) => `c${at}`);
      const after = before.toSpliced(from, 1).toSpliced(to, 0, before[from]!);
      const moved = movedItem(before, after)!;
      const rest = before.filter((id) => id !== moved.id);
      expect(rest.toSpliced(moved.position - 1, 0, moved.id)).toEqual(after);
    }),
  );
});

test('finds no move between equal orders', () => {
  expect(movedItem(['a', 'b'], ['a', 'b'])).toBeNull();
});
