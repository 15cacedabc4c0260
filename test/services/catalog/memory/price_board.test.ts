// Prices for everyone by price lists, compared with a scan of every list.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BoardList, PriceBoard } from '#services/catalog/memory/price_board.ts';

const TIMES = 10;

const list = fc.record({
  id: fc.uuid(),
  currency: fc.constantFrom('USD', 'EUR'),
  group: fc.option(fc.constant('trade')),
  startsAt: fc.option(fc.nat(TIMES)),
  endsAt: fc.option(fc.nat(TIMES)),
  prices: fc.array(
    fc.record({
      variant_id: fc.constantFrom('a', 'b', 'c'),
      min_quantity: fc.constantFrom(1, 1, 10),
      price: fc.nat(5),
    }),
    { maxLength: 4 },
  ),
}) satisfies fc.Arbitrary<BoardList>;

const counts = (one: BoardList, now: number): boolean =>
  one.currency === 'USD' &&
  one.group === null &&
  (one.startsAt ?? 0) <= now &&
  (one.endsAt ?? Number.POSITIVE_INFINITY) > now;

const lowest = (lists: readonly BoardList[], variant: string, now: number): number | null => {
  const prices = lists
    .filter((one) => counts(one, now))
    .flatMap((one) =>
      one.prices
        .filter((price) => price.variant_id === variant && price.min_quantity === 1)
        .map((price) => price.price),
    );
  return prices.length === 0 ? null : Math.min(...prices);
};

describe('a price board', () => {
  test('sets the lowest active price in the store’s currency, and returns whose price changed', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), fc.array(fc.nat(TIMES), { minLength: 1 }), (lists, moments) => {
        const board = new PriceBoard();
        board.replace(lists);
        for (const now of moments.sort((a, b) => a - b)) {
          const before = ['a', 'b', 'c'].map(board.get);
          const changed = board.set(now, 'USD');
          for (const [at, variant] of ['a', 'b', 'c'].entries()) {
            expect(board.get(variant)).toBe(lowest(lists, variant, now));
            expect(changed.has(variant)).toBe(board.get(variant) !== before[at]);
          }
        }
      }),
    );
  });

  test('changes at no moment before the announced one', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), fc.nat(TIMES), (lists, now) => {
        const board = new PriceBoard();
        board.replace(lists);
        board.set(now, 'USD');
        for (let later = now; later < Math.min(board.changesAt, TIMES); later++) {
          for (const variant of ['a', 'b', 'c']) expect(board.get(variant)).toBe(lowest(lists, variant, later));
        }
      }),
    );
  });
});
