// Throttles: request N passes and N+1 does not, in fixed UTC windows, and a refusal costs nothing.
import { describe, expect, test } from 'vitest';
import { type Counter, counterOf, operationCounter, Throttle } from '#edge/gates/throttle.ts';
import { Refusal } from '#runtime/call.ts';

const NOON_S = Date.UTC(2026, 10, 21, 12, 0, 0) / 1000;
const limits = { key_hour: 3, key_day: 5, network_hour: 2, month: 4 };
const plan = (throttle: Throttle, sandbox = false) =>
  throttle.planCounters({ storeId: 's', keyId: 'k', publishable: false, sandbox, limits });
const times = (throttle: Throttle, counters: readonly Counter[], count: number, nowS: number) =>
  Array.from({ length: count }, () => throttle.charge(counters, nowS)).map((charge) =>
    charge instanceof Refusal ? charge.code : 'ok',
  );

describe('a plan', () => {
  test('admits exactly its limit an hour and begins anew with the next', () => {
    const throttle = new Throttle();
    const counters = plan(throttle);
    expect(times(throttle, counters, 5, NOON_S + 10)).toEqual(['ok', 'ok', 'ok', 'rate_limited', 'rate_limited']);
    expect(times(throttle, counters, 1, NOON_S + 3_600)).toEqual(['ok']);
  });

  test('says when the window ends, in seconds from now', () => {
    const throttle = new Throttle();
    const counters = plan(throttle);
    times(throttle, counters, 3, NOON_S + 600);
    const refused = throttle.charge(counters, NOON_S + 600.5) as Refusal;
    expect(refused.extra.retryAfterS).toBe(3_000);
    expect(counterOf(refused)).toMatchObject({ scope: 'key_hour', remaining: 0, end: NOON_S + 3_600 });
  });

  test('ends its month with quota_exceeded until the first, UTC', () => {
    const throttle = new Throttle();
    const counters = plan(throttle);
    times(throttle, counters, 3, NOON_S);
    times(throttle, counters, 1, NOON_S + 3_600);
    const refused = throttle.charge(counters, NOON_S + 7_200) as Refusal;
    expect(refused.code).toBe('quota_exceeded');
    expect(counterOf(refused)?.end).toBe(Date.UTC(2026, 11, 1) / 1000);
  });

  test('does not meter the month of a sandbox', () => {
    expect(plan(new Throttle(), true).map(({ scope }) => scope)).toEqual(['key_hour', 'key_day']);
  });

  test('limits nothing where a limit is 0, and still counts', () => {
    const throttle = new Throttle();
    const counter = throttle.counter('s', 'month', '', 0);
    expect(times(throttle, [counter], 100, NOON_S)).not.toContain('quota_exceeded');
    expect(counter.count).toBe(100);
  });

  test('a refused request is charged to no window at all', () => {
    const throttle = new Throttle();
    const counters = plan(throttle);
    times(throttle, counters, 10, NOON_S);
    expect(counters.map(({ count }) => count)).toEqual([3, 3, 3]);
  });

  test('a replay is given back', () => {
    const throttle = new Throttle();
    const counters = plan(throttle);
    const charge = throttle.charge(counters, NOON_S);
    if (charge instanceof Refusal) throw new Error('refused');
    throttle.refund(charge);
    expect(counters.map(({ count }) => count)).toEqual([0, 0, 0]);
  });

  test('shows the window with the least left', () => {
    const throttle = new Throttle();
    const charge = throttle.charge(plan(throttle), NOON_S);
    expect(charge).toMatchObject({ tightest: { scope: 'key_hour', remaining: 2 } });
  });
});

test('each operation has its own limit', () => {
  const throttle = new Throttle();
  const limitOf = (limit: 'payment' | 'review' | 'auth' | 'plan') =>
    operationCounter(throttle, limit, 's', 'k', '1.2.3.4')?.limit;
  expect([limitOf('payment'), limitOf('review'), limitOf('auth'), limitOf('plan')]).toEqual([100, 600, 10, undefined]);
});

describe('several edges', () => {
  test('report what they counted once, and learn what all counted', () => {
    const throttle = new Throttle();
    const [hour] = plan(throttle) as [Counter, ...Counter[]];
    throttle.charge([hour], NOON_S);
    const report = throttle.takeUnreported();
    expect(report).toEqual([{ store: 's', scope: 'key_hour', subject: 'k', window_start: NOON_S, count: 1 }]);
    expect(throttle.takeUnreported()).toEqual([]);
    throttle.charge([hour], NOON_S);
    throttle.learn([{ store: 's', scope: 'key_hour', subject: 'k', window_start: NOON_S, count: 2 }], NOON_S);
    expect(hour.count).toBe(3);
    expect(throttle.charge([hour], NOON_S)).toBeInstanceOf(Refusal);
  });

  test('report again what did not arrive', () => {
    const throttle = new Throttle();
    const [hour] = plan(throttle) as [Counter, ...Counter[]];
    throttle.charge([hour], NOON_S);
    const lost = throttle.takeUnreported();
    throttle.putBack(lost);
    expect(throttle.takeUnreported()).toEqual(lost);
  });

  test('do not take an old window for the new one', () => {
    const throttle = new Throttle();
    const [hour] = plan(throttle) as [Counter, ...Counter[]];
    throttle.charge([hour], NOON_S + 3_600);
    throttle.learn([{ store: 's', scope: 'key_hour', subject: 'k', window_start: NOON_S, count: 99 }], NOON_S + 3_600);
    expect(hour.count).toBe(1);
  });
});

test('windows that have ended are forgotten, keys are not', () => {
  const throttle = new Throttle();
  const network = throttle.counter('s', 'network_hour', '1.2.3.4', 2);
  throttle.charge([...plan(throttle), network], NOON_S);
  throttle.takeUnreported();
  throttle.sweep(NOON_S + 3_600);
  expect(throttle.counter('s', 'network_hour', '1.2.3.4', 2)).not.toBe(network);
});
