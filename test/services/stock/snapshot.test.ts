// A snapshot has the whole state of a variant's stock.
import { expect, test } from 'vitest';
import { readStock, writeStock } from '#services/stock/snapshot.ts';
import { level, plain, StockActor } from '#test/services/stock/stock_actor.ts';

test('a snapshot preserves holds, their holders and uncommitted units', () => {
  const actor = new StockActor();
  actor.hold('a', 2, level(5, 1, 0));
  actor.tell({
    type: 'Hold',
    hold: 'b',
    quantity: 1,
    level: level(3, 2, 2),
    expiresAt: actor.now + 60_000,
    holder: 'x',
  });
  actor.hold('c', 1, level(3, 2, 2));
  actor.ok({ type: 'Release', hold: 'c' });
  expect(actor.state.uncommittedUnits).toBe(2);
  expect(plain(readStock(writeStock(actor.state)))).toEqual(plain(actor.state));
});
