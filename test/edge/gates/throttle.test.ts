// Tests that each limit admits exactly its number of requests per UTC window across edges, and that refusals cost
// nothing.
import { beforeEach, describe, expect, test } from 'vitest';
import type { RateLease } from '#edge/gates/lease.ts';
import { leaseOf, Throttle, tightestOf, UNDECIDED } from '#edge/gates/throttle.ts';
import type { Refusal } from '#runtime/call/call.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';
import { windowAt } from '#values/window.ts';
import { Owners } from './owner.ts';

// The end of a minute is that of all longer windows too.
beforeEach(() => awayFromWindowEnd('auth_minute', 5_000));

const plan = (throttle: Throttle, limits: Partial<Record<'key_hour' | 'key_day' | 'month', number>>, sandbox = false) =>
  throttle.planLeases({
    storeId: 's',
    keyId: 'k',
    sandbox,
    limits: { key_hour: 0, key_day: 0, network_hour: 0, month: 0, ...limits },
  });

/** One request after the other: what becomes of each. */
const send = async (throttle: Throttle, leases: readonly RateLease[], count: number): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let n = 0; n < count; n++) outcomes.push((await throttle.settle(leases))?.code ?? 'ok');
  return outcomes;
};
const passed = (outcomes: readonly string[]): number => outcomes.filter((outcome) => outcome === 'ok').length;
/** Until nothing is under way. */
const quiet = async (owners: Owners): Promise<void> => {
  for (let before = -1; before !== owners.asks.length; ) {
    before = owners.asks.length;
    await Bun.sleep(2);
  }
};

describe('a plan', () => {
  test.each([1, 3, 5, 40, 1_000])('admits exactly its %d', async (limit) => {
    const throttle = new Throttle(new Owners());
    const outcomes = await send(throttle, plan(throttle, { key_hour: limit }), limit + 3);
    expect(outcomes).toEqual([...Array(limit).fill('ok'), ...Array(3).fill('rate_limited')]);
  });

  test('shows one less with each request, to nothing', async () => {
    const throttle = new Throttle(new Owners());
    const leases = plan(throttle, { key_hour: 50, key_day: 60 });
    const remaining: (number | undefined)[] = [];
    for (let n = 0; n < 50; n++) {
      await throttle.settle(leases);
      remaining.push(tightestOf(leases)?.remaining);
    }
    expect(remaining).toEqual(Array.from({ length: 50 }, (_, n) => 49 - n));
  });

  test('says of a refusal when the window ends, in seconds from now', async () => {
    const throttle = new Throttle(new Owners());
    const leases = plan(throttle, { key_hour: 1 });
    await throttle.settle(leases);
    const refused = (await throttle.settle(leases)) as Refusal;
    const { end } = windowAt('key_hour', Date.now());
    expect(leaseOf(refused)).toMatchObject({ scope: 'key_hour', limit: 1, remaining: 0, end });
    expect(Math.abs((refused.extra.retryAfterS ?? 0) - (end - Date.now() / 1_000))).toBeLessThan(5);
  });

  test('ends its month with quota_exceeded', async () => {
    const throttle = new Throttle(new Owners());
    expect(await send(throttle, plan(throttle, { key_hour: 9, month: 2 }), 3)).toEqual(['ok', 'ok', 'quota_exceeded']);
  });

  test('charges a refused request to no window at all', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 3, key_day: 5, month: 9 });
    await send(throttle, leases, 10);
    expect(leases.map(({ admitted }) => admitted)).toEqual([3, 3, 3]);
  });

  test('does not meter the month of a sandbox', () => {
    const throttle = new Throttle(new Owners());
    const all = { key_hour: 1, key_day: 1, month: 1 };
    expect(plan(throttle, all, true).map(({ scope }) => scope)).toEqual(['key_hour', 'key_day']);
  });

  test('asks no owner without limits and reports the month once per second', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, {});
    for (let n = 0; n < 100; n++) expect(throttle.charge(leases, Date.now())).toBeNull();
    expect([owners.asks.length, tightestOf(leases)]).toEqual([0, null]);
    throttle.tick();
    await quiet(owners);
    expect([owners.asks.length, owners.spent('s', 'month/')]).toEqual([1, 100]);
    throttle.tick();
    throttle.tick();
    await quiet(owners);
    expect(owners.asks.length).toBe(1);
  });

  test('resets with the next window', async () => {
    const throttle = new Throttle(new Owners());
    const leases = plan(throttle, { key_hour: 1 });
    expect(await send(throttle, leases, 2)).toEqual(['ok', 'rate_limited']);
    // The owners' clock is the asker's.
    const nextHour = windowAt('key_hour', Date.now()).end * 1_000;
    expect(throttle.charge(leases, nextHour)).toBe(UNDECIDED);
    expect(throttle.charge(leases, nextHour - 1)).toBe(UNDECIDED);
  });

  test('applies a raised or lowered limit at once', async () => {
    const throttle = new Throttle(new Owners());
    expect(passed(await send(throttle, plan(throttle, { key_hour: 3 }), 5))).toBe(3);
    expect(passed(await send(throttle, plan(throttle, { key_hour: 10 }), 20))).toBe(7);
    const other = new Throttle(new Owners());
    expect(passed(await send(other, plan(other, { key_hour: 10_000 }), 5))).toBe(5);
    expect(passed(await send(other, plan(other, { key_hour: 8 }), 20))).toBe(3);
  });
});

describe('a replay', () => {
  test('returns its token for the next request', async () => {
    const throttle = new Throttle(new Owners());
    const leases = plan(throttle, { key_hour: 2, month: 2 });
    expect(await send(throttle, leases, 2)).toEqual(['ok', 'ok']);
    throttle.refund(leases);
    expect(leases.map(({ admitted }) => admitted)).toEqual([1, 1]);
    expect(await send(throttle, leases, 2)).toEqual(['ok', 'rate_limited']);
  });
});

describe('asking', () => {
  test('takes at most 3 token requests for 1,000 requests', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 100_000 });
    expect(passed(await send(throttle, leases, 1_000))).toBe(1_000);
    await quiet(owners);
    expect(owners.asks.length).toBeLessThanOrEqual(3);
  });

  test('refills in the background at 50 %', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 100_000 });
    await throttle.settle(leases);
    const [lease] = leases as [RateLease];
    let sync = 0;
    while (owners.asks.length === 1) {
      expect(throttle.charge(leases, Date.now())).toBeNull();
      sync++;
    }
    expect(owners.asks[1]).toMatchObject({ need: 0, held: lease.tokens });
    expect(lease.tokens).toBeGreaterThanOrEqual(sync - 1);
  });

  test('sends one token request for many concurrent requests', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 5 });
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => send(throttle, leases, 1)));
    expect(passed(outcomes.flat())).toBe(5);
    expect(owners.asks.length).toBeLessThanOrEqual(3);
  });

  test('asks about an exhausted limit once per second', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 1 });
    await send(throttle, leases, 2);
    const before = owners.asks.length;
    await send(throttle, leases, 1_000);
    expect(owners.asks.length - before).toBeLessThanOrEqual(1);
  });

  test('returns surplus tokens', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 100_000 });
    await throttle.settle(leases);
    const [lease] = leases as [RateLease];
    expect(lease.tokens).toBe(1_023);
    // Simulates a request some seconds ago.
    lease.requestedAtMs -= 5_000;
    throttle.tick();
    await quiet(owners);
    expect(lease.tokens).toBe(32);
    expect(lease.remaining).toBe(99_999);
  });
});

describe('several edges', () => {
  const pair = () => {
    const owners = new Owners();
    const throttles = [new Throttle(owners), new Throttle(owners)] as const;
    owners.recall = (store, name) => {
      for (const throttle of throttles) throttle.recall(store, [name]);
    };
    return { owners, throttles };
  };

  test.each([
    [7, [1, 1, 1, 1, 1, 1]],
    [30, [20, 20]],
    [100, [1, 98, 20]],
    [400, [37, 1, 200, 5, 300]],
    [1_000, [900, 200]],
  ])('admit exactly %d together, with %j requests by turns', async (limit, turns) => {
    const { throttles } = pair();
    const leases = throttles.map((throttle) => plan(throttle, { key_hour: limit, month: limit + 1 }));
    let total = 0;
    for (const [turn, count] of [...turns, 40, 40].entries()) {
      const edge = (turn % 2) as 0 | 1;
      total += passed(await send(throttles[edge], leases[edge]!, count));
    }
    expect(total).toBe(
      Math.min(
        limit,
        turns.reduce((sum, count) => sum + count, 80),
      ),
    );
  });

  test('admit exactly the limit at once', async () => {
    const { throttles } = pair();
    const leases = throttles.map((throttle) => plan(throttle, { key_hour: 100 }));
    const outcomes = await Promise.all(
      Array.from({ length: 150 }, (_, n) => send(throttles[(n % 2) as 0 | 1], leases[n % 2]!, 1)),
    );
    expect(passed(outcomes.flat())).toBe(100);
  });

  test('returns tokens of an edge that shuts down', async () => {
    const { owners, throttles } = pair();
    owners.recall = () => {};
    const leases = throttles.map((throttle) => plan(throttle, { key_hour: 1_000, month: 5_000 }));
    await send(throttles[0], leases[0]!, 10);
    await throttles[0].close();
    expect(owners.spent('s', 'month/')).toBe(10);
    expect(passed(await send(throttles[1], leases[1]!, 1_000))).toBe(990);
  });

  test('admits fewer and never more requests after an edge crashed', async () => {
    const { owners, throttles } = pair();
    owners.recall = () => {};
    const leases = throttles.map((throttle) => plan(throttle, { key_hour: 1_000 }));
    await send(throttles[0], leases[0]!, 10);
    const after = passed(await send(throttles[1], leases[1]!, 1_000));
    expect(after).toBeGreaterThan(800);
    expect(after).toBeLessThan(990);
  });
});

describe('while the owner is away', () => {
  test('admits requests of a plan up to the last known remainder', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 100 });
    await send(throttle, leases, 10);
    owners.away = true;
    expect(passed(await send(throttle, leases, 200))).toBe(90);
    expect(throttle.passedWithoutOwner).toBeGreaterThan(0);
    owners.away = false;
    const [lease] = leases as [RateLease];
    lease.requestedAtMs -= 5_000;
    await send(throttle, leases, 1);
    await quiet(owners);
    expect([owners.spent('s', 'key_hour/k'), lease.ownerUnreachable]).toEqual([100, false]);
    expect(await send(throttle, leases, 1)).toEqual(['rate_limited']);
  });

  test('admits the whole limit of an unknown window', async () => {
    const owners = new Owners();
    owners.away = true;
    const throttle = new Throttle(owners);
    expect(passed(await send(throttle, plan(throttle, { key_hour: 5, month: 7 }), 9))).toBe(5);
  });

  test('admits payments and refuses sign-ins', async () => {
    const owners = new Owners();
    owners.away = true;
    const throttle = new Throttle(owners);
    const payment = throttle.operationLease('payment', 's', 'k', '1.2.3.4') as RateLease;
    const auth = throttle.operationLease('auth', 's', 'k', '1.2.3.4') as RateLease;
    expect(await send(throttle, [payment], 102)).toEqual([...Array(100).fill('ok'), 'rate_limited', 'rate_limited']);
    expect(await send(throttle, [auth], 2)).toEqual(['service_unavailable', 'service_unavailable']);
    expect(await throttle.settle([auth], true)).toBeNull();
    owners.away = false;
    expect(await send(throttle, [auth], 1)).toEqual(['ok']);
  });

  test('ignores a grant that arrives after a limit change', async () => {
    const owners = new Owners();
    const throttle = new Throttle(owners);
    const leases = plan(throttle, { key_hour: 100_000 });
    let open = (): void => {};
    owners.gate = new Promise<void>((done) => {
      open = done;
    });
    const first = throttle.settle(leases);
    await Bun.sleep(1);
    plan(throttle, { key_hour: 3 });
    open();
    expect(await first).toBeNull();
    expect(passed(await send(throttle, leases, 9))).toBe(2);
  });
});

test('asks the owner for each request of a limited operation', async () => {
  const owners = new Owners();
  const throttle = new Throttle(owners);
  const limitOf = (limit: 'payment' | 'review' | 'auth' | 'reset' | 'plan') =>
    throttle.operationLease(limit, 's', 'k', '1.2.3.4')?.limit;
  expect([limitOf('payment'), limitOf('review'), limitOf('auth'), limitOf('reset'), limitOf('plan')]).toEqual([
    100,
    600,
    10,
    10,
    undefined,
  ]);
  const auth = throttle.operationLease('auth', 's', 'k', '1.2.3.4') as RateLease;
  expect(passed(await send(throttle, [auth], 5))).toBe(5);
  expect(owners.asks.map(({ need, want, held }) => [need, want, held])).toEqual(Array(5).fill([1, 0, 0]));
});

test('drops expired windows and keeps those of keys', async () => {
  const throttle = new Throttle(new Owners());
  const network = throttle.lease('s', 'network_hour', '1.2.3.4', 2);
  const leases = [...plan(throttle, { key_hour: 5, month: 9 }), network];
  await throttle.settle(leases);
  const { generation } = throttle;
  throttle.sweep(windowAt('network_hour', Date.now()).end * 1_000);
  expect([throttle.size, throttle.generation]).toEqual([2, generation + 1]);
  expect(throttle.lease('s', 'network_hour', '1.2.3.4', 2)).not.toBe(network);
});
