// One variant's stock: units held, how a hold ends, and the level of units on hand.
import { describe, expect, test } from 'vitest';
import { readStock, writeStock } from '#services/stock/snapshot.ts';
import { HOLDERS_PER_HOLD_MAX, NO_STOCK, STOCK_TIMES, stockDueAt } from '#services/stock/stock.ts';
import { level, MINUTE, plain, SECOND, StockActor, statusOf } from '#test/services/stock/stock_actor.ts';

describe('a shared hold', () => {
  const take = (actor: StockActor, holder?: string) =>
    actor.tell({ type: 'Hold', hold: 'a', quantity: 3, level: level(5), expiresAt: actor.now + MINUTE, holder });
  const release = (actor: StockActor, holder?: string) => actor.ok({ type: 'Release', hold: 'a', holder });
  const reload = (actor: StockActor): void => {
    actor.state = readStock(writeStock(actor.state));
  };

  test('lasts until the last holder releases it', () => {
    const actor = new StockActor();
    for (const holder of ['x', 'y', 'x', 'z']) expect(statusOf(take(actor, holder))).toBe('pending');
    reload(actor);
    for (const holder of ['x', 'w', 'x', 'z']) expect(release(actor, holder).held).toBe(3);
    reload(actor);
    expect(statusOf(release(actor, 'y'))).toBe('released');
    expect(actor.look()).toMatchObject({ held: 0, available: 5 });
    expect(statusOf(take(actor, 'x'))).toBe('The hold was released.');
    expect(statusOf(release(actor, 'x'))).toBe('released');
  });

  test('ends for all holders when it is released or committed without a holder, or resized', () => {
    const [released, sold, resized] = [new StockActor(), new StockActor(), new StockActor()];
    for (const actor of [released, sold, resized]) for (const holder of ['x', 'y']) take(actor, holder);
    expect(release(released).held).toBe(0);
    sold.ok({ type: 'Commit', holds: ['a'], level: level(2, 2, 3) });
    expect(statusOf(release(sold, 'x'))).toBe('committed');
    for (const quantity of [4, 3])
      resized.ok({ type: 'Resize', hold: 'a', quantity, level: level(5), expiresAt: MINUTE });
    take(resized, 'z');
    for (const holder of ['x', 'y', 'z']) expect(release(resized, holder).held).toBe(3);
  });

  test(`refuses more than ${HOLDERS_PER_HOLD_MAX} holders`, () => {
    const actor = new StockActor();
    for (let count = 0; count < HOLDERS_PER_HOLD_MAX; count++) take(actor, `t${count}`);
    expect(statusOf(take(actor, 'late'))).toBe(
      `The hold has ${HOLDERS_PER_HOLD_MAX} holders, the most that may share one. Use a new hold id.`,
    );
    expect(statusOf(take(actor, 't0'))).toBe('pending');
  });
});

describe('a hold', () => {
  test('gets units while enough units are available', () => {
    const actor = new StockActor();
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('pending');
    expect(actor.look()).toMatchObject({ onHand: 5, held: 3, available: 2 });
    expect(actor.hold('b', 3, level(5))).toMatchObject({ hold: null, available: 2 });
    expect(statusOf(actor.hold('c', 2, level(5)))).toBe('pending');
    expect(actor.look()).toMatchObject({ held: 5, available: 0 });
  });

  test('stays the same when repeated, and refuses another quantity', () => {
    const actor = new StockActor();
    expect(actor.hold('a', 3, level(5))).toMatchObject({ hold: { isNew: true } });
    const facts = actor.facts.length;
    const again = actor.hold('a', 3, level(5), 9 * MINUTE);
    expect(again).toMatchObject({ hold: { status: 'pending', isNew: false } });
    expect(actor.facts).toHaveLength(facts);
    expect(statusOf(actor.hold('a', 1, level(5)))).toBe('The hold is of 3 units, not 1.');
  });

  test('expires to the millisecond without an alarm', () => {
    const actor = new StockActor();
    actor.hold('a', 3, level(5), 1_500);
    actor.now = 1_499;
    expect(actor.look().held).toBe(3);
    actor.now = 1_500;
    expect(actor.look()).toMatchObject({ held: 0, available: 5 });
    expect(stockDueAt(actor.state)).toBe(1_500);
    actor.ok({ type: 'Due' });
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('The hold has expired.');
  });

  test('expires at the end of its second among many holds', () => {
    const actor = new StockActor();
    for (let n = 0; n < 100; n++) actor.hold(`h${n}`, 1, level(100), 10 * n + 1);
    expect(actor.state.unitsByExpiry.length).toBe(33);
    expect(actor.state.unitsByExpiry.at(-1)).toEqual([SECOND, 68]);
    actor.now = 500;
    expect(actor.look().held).toBe(68);
    actor.now = SECOND;
    expect(actor.look().held).toBe(0);
  });

  test('commits: held and on hand fall in one step', () => {
    const actor = new StockActor();
    actor.hold('a', 3, level(5));
    actor.hold('b', 1, level(5));
    const answer = actor.ok({ type: 'Commit', holds: ['a'], level: level(2, 2) });
    expect(answer).toMatchObject({ onHand: 2, held: 1, available: 1, hold: { status: 'committed' } });
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(2, 2) })).toEqual(answer);
    expect(statusOf(actor.tell({ type: 'Release', hold: 'a' }))).toBe('The hold was committed.');
  });

  test('commits with the other holds of its transaction', () => {
    const actor = new StockActor();
    for (const hold of ['a', 'b', 'c', 'd']) actor.hold(hold, 1, level(9));
    const sold = { type: 'Commit', holds: ['a', 'nobody', 'b', 'c'], level: level(6, 2) } as const;
    expect(actor.ok(sold)).toMatchObject({ onHand: 6, held: 1, available: 5, hold: { status: 'committed' } });
    const facts = actor.facts.length;
    expect(actor.ok(sold)).toMatchObject({ onHand: 6, held: 1 });
    expect(actor.facts).toHaveLength(facts);
  });

  test('makes its units available once when released', () => {
    const actor = new StockActor();
    actor.hold('a', 3, level(5));
    expect(actor.ok({ type: 'Release', hold: 'a' })).toMatchObject({ held: 0, hold: { status: 'released' } });
    expect(actor.ok({ type: 'Release', hold: 'a' })).toMatchObject({ held: 0, hold: { status: 'released' } });
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('The hold was released.');
  });

  test('stays released when its creation arrives late', () => {
    const actor = new StockActor();
    expect(actor.ok({ type: 'Release', hold: 'a' })).toMatchObject({ held: 0, hold: { status: 'released' } });
    expect(plain(readStock(writeStock(actor.state)))).toEqual(plain(actor.state));
    actor.now += STOCK_TIMES.endedHoldRetentionMs - 1;
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('The hold was released.');
    expect(actor.look()).toMatchObject({ held: 0 });
    for (let due = stockDueAt(actor.state); due !== null; due = stockDueAt(actor.state)) {
      actor.now = due;
      actor.ok({ type: 'Due' });
    }
    expect(plain(actor.state)).toEqual({ ...plain(NO_STOCK), seq: actor.state.seq });
  });

  test('leaves no state after it ended and was forgotten', () => {
    const actor = new StockActor();
    for (const hold of ['a', 'b', 'c']) actor.hold(hold, 1, level(9));
    actor.ok({ type: 'Release', hold: 'a' });
    actor.ok({ type: 'Commit', holds: ['b'], level: level(8, 2) });
    for (let due = stockDueAt(actor.state); due !== null; due = stockDueAt(actor.state)) {
      actor.now = due;
      actor.ok({ type: 'Due' });
    }
    expect(plain(actor.state)).toEqual({ ...plain(NO_STOCK), level: level(8, 2), seq: actor.state.seq });
    expect(actor.now).toBeLessThan(10 * MINUTE + STOCK_TIMES.expiredHoldRetentionMs);
  });
});

describe('a level', () => {
  test('replaces an older level, whichever command brings it', () => {
    const actor = new StockActor();
    actor.hold('a', 1, level(5, 3));
    actor.hold('b', 1, level(9, 2));
    expect(actor.look().onHand).toBe(5);
    expect(actor.ok({ type: 'Look', level: level(7, 4) })).toMatchObject({ onHand: 7, available: 5 });
    expect(actor.look().onHand).toBe(5);
    expect(actor.hold('c', 9, level(20, 4))).toMatchObject({ onHand: 20, available: 9 });
  });

  test('below the held units leaves none available', () => {
    const actor = new StockActor();
    actor.hold('a', 5, level(5));
    expect(actor.hold('b', 1, level(2, 2))).toMatchObject({ onHand: 2, held: 5, available: 0, hold: null });
  });
});

describe('units that an order allocated', () => {
  const held = (first = level(5, 1, 40)): StockActor => {
    const actor = new StockActor();
    actor.hold('a', 2, first);
    actor.hold('b', 1, first);
    return actor;
  };

  test('count once while their hold is not committed', () => {
    const actor = held();
    expect(actor.ok({ type: 'Look', level: level(3, 2, 42) })).toMatchObject({ onHand: 3, held: 3, available: 2 });
    expect(actor.hold('c', 3, level(3, 2, 42))).toMatchObject({ hold: null, available: 2 });
    expect(statusOf(actor.hold('d', 2, level(3, 2, 42)))).toBe('pending');
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(3, 2, 42) })).toMatchObject({ held: 3, available: 0 });
    expect(actor.ok({ type: 'Commit', holds: ['b'], level: level(2, 3, 43) })).toMatchObject({ onHand: 2, held: 2 });
    expect(actor.state.uncommittedUnits).toBe(0);
  });

  test('count once when another order’s commit brings the level', () => {
    const actor = held();
    const sold = actor.ok({ type: 'Commit', holds: ['b'], level: level(2, 3, 43) });
    expect(sold).toMatchObject({ onHand: 2, held: 2, available: 2 });
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(2, 3, 43) })).toMatchObject({ held: 0, available: 2 });
  });

  test('count apart from units that a merchant adds or removes', () => {
    const actor = held();
    expect(actor.ok({ type: 'Look', level: level(13, 3, 42) })).toMatchObject({ available: 12 });
    expect(actor.ok({ type: 'Look', level: level(1, 3, 42) })).toMatchObject({ available: 0 });
  });

  test.each(['expired', 'was released'])('stay unavailable when their hold %s before the commit', (how) => {
    const actor = new StockActor();
    actor.hold('a', 2, level(5, 1, 40), SECOND);
    actor.hold('b', 3, level(5, 1, 40));
    if (how === 'expired') actor.now = SECOND;
    else actor.ok({ type: 'Release', hold: 'a' });
    const commit = { type: 'Commit', holds: ['a'], level: level(3, 2, 42) } as const;
    for (let time = 0; time < 2; time++) {
      expect(actor.ok(commit)).toMatchObject({
        held: 3,
        available: 0,
        committedUnits: 42,
        hold: { status: 'committed' },
      });
      expect(actor.hold('c', 1, level(3, 2, 42))).toMatchObject({ hold: null });
    }
    expect(plain(readStock(writeStock(actor.state)))).toEqual(plain(actor.state));
  });

  test.each([1, STOCK_TIMES.endedHoldRetentionMs + 5 * SECOND, STOCK_TIMES.expiredHoldRetentionMs - 1])(
    'stay unavailable when their commit comes %s ms after their hold expired, while others hold units',
    (lateMs) => {
      for (const knownBefore of [true, false]) {
        const actor = new StockActor();
        const sold = level(3, 2, 42);
        actor.hold('intent', 2, level(5, 1, 40), SECOND);
        actor.hold('other', 3, level(5, 1, 40), 60 * MINUTE);
        if (knownBefore) actor.hold('short', 9, sold);
        actor.now = SECOND;
        actor.ok({ type: 'Due' });
        if (!knownBefore) actor.hold('short', 9, sold);
        actor.now += lateMs;
        actor.ok({ type: 'Due' });
        const commit = { type: 'Commit', holds: ['intent'], level: sold } as const;
        expect(actor.ok(commit)).toMatchObject({ held: 3, available: 0, committedUnits: 42 });
        actor.now += 30 * MINUTE;
        actor.ok({ type: 'Due' });
        expect(actor.ok(commit)).toMatchObject({ held: 3, available: 0, committedUnits: 42 });
        expect(actor.hold('next', 1, sold)).toMatchObject({ hold: null });
      }
    },
  );

  test('never raise the available units above the level once their hold has expired', () => {
    const actor = new StockActor();
    actor.hold('a', 2, level(5, 1, 40), SECOND);
    actor.hold('b', 9, level(3, 2, 42));
    actor.now = SECOND;
    expect(actor.look()).toMatchObject({ onHand: 3, held: 0, available: 3 });
  });

  test('stop counting when their holds were lost', () => {
    const actor = held();
    actor.hold('x', 101, level(100, 2, 60));
    expect(actor.look()).toMatchObject({ held: 3, available: 100 });
    for (const hold of ['a', 'b']) actor.ok({ type: 'Release', hold });
    expect(actor.look()).toMatchObject({ held: 0, available: 100 });
  });
});
