// The core of stock: what is held of one variant, how a hold ends, and what is believed to be on hand.
import { describe, expect, test } from 'vitest';
import { readStock, writeStock } from '#services/stock/snapshot.ts';
import { NO_STOCK, OWNERS_MAX, STOCK_TIMES, stockDueAt } from '#services/stock/stock.ts';
import { Actor, level, MINUTE, plain, SECOND, statusOf } from '#test/services/stock/variant.ts';

describe('a hold that several tries take under one name', () => {
  const take = (actor: Actor, owner?: string, pins = false) =>
    actor.tell({ type: 'Hold', hold: 'a', quantity: 3, level: level(5), expiresAt: actor.now + MINUTE, pins, owner });
  const leave = (actor: Actor, owner?: string) => actor.ok({ type: 'Release', hold: 'a', owner });
  const again = (actor: Actor): void => {
    actor.state = readStock(writeStock(actor.state));
  };

  test.each([false, true])('is held once, until the last of them lets go of it (pinned: %s)', (pins) => {
    const actor = new Actor();
    for (const owner of ['x', 'y', 'x', 'z'])
      expect(statusOf(take(actor, owner, pins))).toBe(pins ? 'pinned' : 'pending');
    again(actor);
    for (const owner of ['x', 'w', 'x', 'z']) expect(leave(actor, owner).held).toBe(3);
    again(actor);
    expect(statusOf(leave(actor, 'y'))).toBe('released');
    expect(actor.look()).toMatchObject({ held: 0, available: 5 });
    expect(statusOf(take(actor, 'x'))).toBe('The hold was released.');
    expect(statusOf(leave(actor, 'x'))).toBe('released');
  });

  test('ends for all of them where it is let go, sold or resized by no try', () => {
    const [over, sold, resized] = [new Actor(), new Actor(), new Actor()];
    for (const actor of [over, sold, resized]) for (const owner of ['x', 'y']) take(actor, owner);
    expect(leave(over).held).toBe(0);
    sold.ok({ type: 'Commit', holds: ['a'], level: level(2, 2, 3) });
    expect(statusOf(leave(sold, 'x'))).toBe('committed');
    for (const quantity of [4, 3])
      resized.ok({ type: 'Resize', hold: 'a', quantity, level: level(5), expiresAt: MINUTE });
    // One comes late, finds what the intent holds and is told that it was made before.
    take(resized, 'z');
    for (const owner of ['x', 'y', 'z']) expect(leave(resized, owner).held).toBe(3);
  });

  test('is taken by so many, and who comes then takes another one', () => {
    const actor = new Actor();
    for (let count = 0; count < OWNERS_MAX; count++) take(actor, `t${count}`);
    expect(statusOf(take(actor, 'late'))).toBe('Too many have the hold.');
    expect(statusOf(take(actor, 't0'))).toBe('pending');
  });
});

describe('a hold', () => {
  test('takes from what is available until there is not as much', () => {
    const actor = new Actor();
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('pending');
    expect(actor.look()).toMatchObject({ onHand: 5, held: 3, available: 2 });
    expect(actor.hold('b', 3, level(5))).toMatchObject({ hold: null, available: 2 });
    expect(statusOf(actor.hold('c', 2, level(5)))).toBe('pending');
    expect(actor.look()).toMatchObject({ held: 5, available: 0 });
  });

  test('is the same hold when it is told again, and another quantity is refused', () => {
    const actor = new Actor();
    expect(actor.hold('a', 3, level(5))).toMatchObject({ hold: { isNew: true } });
    const facts = actor.facts.length;
    const again = actor.hold('a', 3, level(5), 9 * MINUTE);
    expect(again).toMatchObject({ hold: { status: 'pending', isNew: false } });
    expect(actor.facts).toHaveLength(facts);
    expect(statusOf(actor.hold('a', 1, level(5)))).toBe('The hold has another quantity.');
  });

  test('expires to the millisecond whether or not the actor was told, and cannot be pinned any more', () => {
    const actor = new Actor();
    actor.hold('a', 3, level(5), 1_500);
    actor.now = 1_499;
    expect(actor.look().held).toBe(3);
    actor.now = 1_500;
    expect(actor.look()).toMatchObject({ held: 0, available: 5 });
    expect(statusOf(actor.tell({ type: 'Pin', hold: 'a' }))).toBe('The hold has expired.');
    expect(stockDueAt(actor.state)).toBe(1_500);
    actor.ok({ type: 'Due' });
    expect(statusOf(actor.tell({ type: 'Pin', hold: 'a' }))).toBe('The hold has expired.');
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('The hold has expired.');
  });

  test('among many expires at the end of its second, with the others of that second', () => {
    const actor = new Actor();
    for (let n = 0; n < 100; n++) actor.hold(`h${n}`, 1, level(100), 10 * n + 1);
    expect(actor.state.expiries.length).toBe(33);
    expect(actor.state.expiries.at(-1)).toEqual([SECOND, 68]);
    actor.now = 500;
    expect(actor.look().held).toBe(68);
    actor.now = SECOND;
    expect(actor.look().held).toBe(0);
  });

  test('that is pinned never expires', () => {
    const actor = new Actor();
    actor.hold('a', 3, level(5), MINUTE);
    actor.ok({ type: 'Pin', hold: 'a' });
    actor.now = 24 * 60 * MINUTE;
    actor.ok({ type: 'Due' });
    expect(actor.look().held).toBe(3);
  });

  test('that is committed leaves what is held and what is on hand in one step', () => {
    const actor = new Actor();
    actor.hold('a', 3, level(5));
    actor.hold('b', 1, level(5));
    actor.ok({ type: 'Pin', hold: 'a' });
    const answer = actor.ok({ type: 'Commit', holds: ['a'], level: level(2, 2) });
    expect(answer).toMatchObject({ onHand: 2, held: 1, available: 1, hold: { status: 'committed' } });
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(2, 2) })).toEqual(answer);
    expect(statusOf(actor.tell({ type: 'Release', hold: 'a' }))).toBe('The hold was committed.');
  });

  test('can be pinned as it is held, and again by a caller who says so once more', () => {
    const actor = new Actor();
    const hold = { type: 'Hold', hold: 'a', quantity: 2, expiresAt: MINUTE, level: level(5) } as const;
    expect(statusOf(actor.ok({ ...hold, pins: true }))).toBe('pinned');
    expect(statusOf(actor.ok({ ...hold, hold: 'b' }))).toBe('pending');
    expect(statusOf(actor.ok({ ...hold, hold: 'b', pins: true }))).toBe('pinned');
    expect(actor.ok({ ...hold, pins: true })).toMatchObject({ held: 4, hold: { status: 'pinned', isNew: false } });
    expect(actor.ok({ ...hold, hold: 'c', pins: true })).toMatchObject({ held: 4, hold: null });
    actor.now = 24 * 60 * MINUTE;
    expect(actor.look().held).toBe(4);
  });

  test('is committed with the others of its transaction', () => {
    const actor = new Actor();
    for (const hold of ['a', 'b', 'c', 'd']) actor.hold(hold, 1, level(9));
    for (const hold of ['a', 'b', 'c']) actor.ok({ type: 'Pin', hold });
    const sold = { type: 'Commit', holds: ['a', 'nobody', 'b', 'c'], level: level(6, 2) } as const;
    expect(actor.ok(sold)).toMatchObject({ onHand: 6, held: 1, available: 5, hold: { status: 'committed' } });
    const facts = actor.facts.length;
    expect(actor.ok(sold)).toMatchObject({ onHand: 6, held: 1 });
    expect(actor.facts).toHaveLength(facts);
  });

  test('that is released is offered again, once', () => {
    const actor = new Actor();
    actor.hold('a', 3, level(5));
    expect(actor.ok({ type: 'Release', hold: 'a' })).toMatchObject({ held: 0, hold: { status: 'released' } });
    expect(actor.ok({ type: 'Release', hold: 'a' })).toMatchObject({ held: 0, hold: { status: 'released' } });
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('The hold was released.');
  });

  test('that is let go before it comes does not begin when it comes late', () => {
    const actor = new Actor();
    expect(actor.ok({ type: 'Release', hold: 'a' })).toMatchObject({ held: 0, hold: { status: 'released' } });
    expect(plain(readStock(writeStock(actor.state)))).toEqual(plain(actor.state));
    actor.now += STOCK_TIMES.rememberedMs - 1;
    expect(statusOf(actor.hold('a', 3, level(5)))).toBe('The hold was released.');
    expect(actor.look()).toMatchObject({ held: 0 });
    for (let due = stockDueAt(actor.state); due !== null; due = stockDueAt(actor.state)) {
      actor.now = due;
      actor.ok({ type: 'Due' });
    }
    expect(plain(actor.state)).toEqual({ ...plain(NO_STOCK), seq: actor.state.seq });
  });

  test('that ended is forgotten after a while, and leaves nothing behind', () => {
    const actor = new Actor();
    for (const hold of ['a', 'b', 'c']) actor.hold(hold, 1, level(9));
    actor.ok({ type: 'Release', hold: 'a' });
    actor.ok({ type: 'Commit', holds: ['b'], level: level(8, 2) });
    for (let due = stockDueAt(actor.state); due !== null; due = stockDueAt(actor.state)) {
      actor.now = due;
      actor.ok({ type: 'Due' });
    }
    expect(plain(actor.state)).toEqual({ ...plain(NO_STOCK), level: level(8, 2), seq: actor.state.seq });
    expect(actor.now).toBeLessThan(10 * MINUTE);
  });
});

describe('a level', () => {
  test('is believed when it is newer, whichever command brings it', () => {
    const actor = new Actor();
    actor.hold('a', 1, level(5, 3));
    actor.hold('b', 1, level(9, 2));
    expect(actor.look().onHand).toBe(5);
    expect(actor.ok({ type: 'Look', level: level(7, 4) })).toMatchObject({ onHand: 7, available: 5 });
    expect(actor.look().onHand).toBe(5);
    expect(actor.hold('c', 9, level(20, 4))).toMatchObject({ onHand: 20, available: 9 });
  });

  test('that falls below what is held leaves nothing to be bought', () => {
    const actor = new Actor();
    actor.hold('a', 5, level(5));
    expect(actor.hold('b', 1, level(2, 2))).toMatchObject({ onHand: 2, held: 5, available: 0, hold: null });
  });
});

describe('pieces that an order took', () => {
  /** Two of five are pinned for a, one for b. */
  const pinned = (first = level(5, 1, 40)): Actor => {
    const actor = new Actor();
    actor.hold('a', 2, first);
    actor.hold('b', 1, first);
    for (const hold of ['a', 'b']) actor.ok({ type: 'Pin', hold });
    return actor;
  };

  test('are missing once, though their hold is not committed yet', () => {
    const actor = pinned();
    expect(actor.ok({ type: 'Look', level: level(3, 2, 42) })).toMatchObject({ onHand: 3, held: 3, available: 2 });
    expect(actor.hold('c', 3, level(3, 2, 42))).toMatchObject({ hold: null, available: 2 });
    expect(statusOf(actor.hold('d', 2, level(3, 2, 42)))).toBe('pending');
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(3, 2, 42) })).toMatchObject({ held: 3, available: 0 });
    expect(actor.ok({ type: 'Commit', holds: ['b'], level: level(2, 3, 43) })).toMatchObject({ onHand: 2, held: 2 });
    expect(actor.state.uncommitted).toBe(0);
  });

  test('are missing once where another order’s commit brings the level', () => {
    const actor = pinned();
    const sold = actor.ok({ type: 'Commit', holds: ['b'], level: level(2, 3, 43) });
    expect(sold).toMatchObject({ onHand: 2, held: 2, available: 2 });
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(2, 3, 43) })).toMatchObject({ held: 0, available: 2 });
  });

  test('are told apart from what a merchant puts in and takes out', () => {
    const actor = pinned();
    expect(actor.ok({ type: 'Look', level: level(13, 3, 42) })).toMatchObject({ available: 12 });
    expect(actor.ok({ type: 'Look', level: level(1, 3, 42) })).toMatchObject({ available: 0 });
  });

  test('are missing once where no order pins its hold, as that of a checkout intent', () => {
    const actor = new Actor();
    actor.hold('a', 2, level(5, 1, 40));
    expect(actor.hold('b', 9, level(3, 2, 42))).toMatchObject({ hold: null, held: 2, available: 3, committed: 40 });
    expect(actor.ok({ type: 'Commit', holds: ['a'], level: level(3, 2, 42) })).toMatchObject({ held: 0, available: 3 });
  });

  test.each(['expired', 'was released'])('of a hold that %s meanwhile are not offered', (how) => {
    const actor = new Actor();
    actor.hold('a', 2, level(5, 1, 40), SECOND);
    actor.hold('b', 3, level(5, 1, 40));
    if (how === 'expired') actor.now = SECOND;
    else actor.ok({ type: 'Release', hold: 'a' });
    const commit = { type: 'Commit', holds: ['a'], level: level(3, 2, 42) } as const;
    for (let told = 0; told < 2; told++) {
      expect(actor.ok(commit)).toMatchObject({ held: 3, available: 0, committed: 42, hold: { status: 'committed' } });
      expect(actor.hold('c', 1, level(3, 2, 42))).toMatchObject({ hold: null });
    }
    expect(plain(readStock(writeStock(actor.state)))).toEqual(plain(actor.state));
  });

  test('and whose hold is over by time, though that was not told, do not make more of what is on hand', () => {
    const actor = new Actor();
    actor.hold('a', 2, level(5, 1, 40), SECOND);
    actor.hold('b', 9, level(3, 2, 42));
    actor.now = SECOND;
    expect(actor.look()).toMatchObject({ onHand: 3, held: 0, available: 3 });
  });

  test('of holds that were lost are not waited for', () => {
    const actor = pinned();
    actor.hold('x', 101, level(100, 2, 60));
    expect(actor.look()).toMatchObject({ held: 3, available: 100 });
    for (const hold of ['a', 'b']) actor.ok({ type: 'Release', hold });
    expect(actor.look()).toMatchObject({ held: 0, available: 100 });
  });
});

describe('a pinned hold that is not decided about', () => {
  test('is asked about after a minute, again and again, until it ends', () => {
    const actor = new Actor();
    for (const hold of ['a', 'b']) {
      actor.hold(hold, 1, level(5));
      actor.ok({ type: 'Pin', hold });
      actor.now += 10 * SECOND;
    }
    actor.now = STOCK_TIMES.doubtAfterMs;
    actor.ok({ type: 'Due' });
    expect(actor.state.asking).toEqual({ at: actor.now, holds: ['a'] });
    actor.now += STOCK_TIMES.doubtAgainMs;
    actor.ok({ type: 'Due' });
    expect([...actor.state.asking.holds].sort()).toEqual(['a', 'b']);
    actor.ok({ type: 'Release', hold: 'a' });
    expect(actor.state.asking.holds).toEqual(['b']);
    actor.ok({ type: 'Commit', holds: ['b'], level: level(4, 2) });
    expect(actor.state.asking.holds).toEqual([]);
    expect(actor.state.doubts).toEqual([]);
    expect(actor.look()).toMatchObject({ onHand: 4, held: 0 });
  });
});
