// Failed logins: after ten in 15 minutes one login a minute is checked. The rule itself, and over HTTP.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoginFailures, NO_FAILURES, recordLogin, refuseIfSlowed } from '#services/commerce/login_failure.ts';
import {
  clock,
  closeShop,
  errorOf,
  keys,
  login,
  MINUTE_MS,
  me,
  newCustomer,
  newEmail,
  openShop,
  PASSWORD,
  register,
  statusOf,
} from '#test/services/customer/client.ts';
import { eventually } from '#test/support/server.ts';

beforeAll(openShop);
afterAll(closeShop);

const NOON = Date.UTC(2026, 10, 21, 12);
const S = 1_000;
const MINUTE = MINUTE_MS;

const failuresAt = (...agoMs: number[]): LoginFailures => ({
  failed: agoMs.map((ago) => new Date(NOON - ago)),
  admitted: null,
});
const tenAt = (agoMs: number): LoginFailures => failuresAt(...Array<number>(10).fill(agoMs));

describe('a login is', () => {
  test.each<[string, LoginFailures, number | undefined]>([
    ['looked at when none has failed', NO_FAILURES, undefined],
    ['looked at after nine failures this very moment', failuresAt(...Array<number>(9).fill(0)), undefined],
    ['refused for a minute after ten', tenAt(0), 60],
    ['refused until the minute is over', tenAt(59 * S), 1],
    ['refused for the last part of a second too', tenAt(59.5 * S), 1],
    ['looked at a minute after the tenth', tenAt(60 * S), undefined],
    [
      'looked at when one of the ten is 15 minutes old',
      failuresAt(15 * MINUTE, ...Array<number>(9).fill(0)),
      undefined,
    ],
    ['refused when it is not quite so old', failuresAt(15 * MINUTE - 1, ...Array<number>(9).fill(0)), 60],
    [
      'refused within a minute of one that succeeded meanwhile',
      { ...tenAt(5 * MINUTE), admitted: new Date(NOON - 20 * S) },
      40,
    ],
  ])('%s', (_name, failures, retryAfterS) => {
    const refusal = refuseIfSlowed(failures, NOON);
    expect(refusal?.extra.retryAfterS).toBe(retryAfterS);
    expect(refusal?.code).toBe(retryAfterS === undefined ? undefined : 'rate_limited');
  });
});

test('records a success only while logins are slowed', () => {
  expect(recordLogin(failuresAt(0), true, NOON)).toBeNull();
  expect(recordLogin(tenAt(2 * MINUTE), true, NOON)?.admitted).toEqual(new Date(NOON));
});

test('admits at most ten failures and one a minute in any 15 minutes, and checks some login soon', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 200 }), (pausesS) => {
      let failures = NO_FAILURES;
      let now = NOON;
      const lookedAt: number[] = [];
      for (const pauseS of pausesS) {
        now += pauseS * S;
        const refusal = refuseIfSlowed(failures, now);
        if (refusal) {
          expect(refusal.extra.retryAfterS).toBeLessThanOrEqual(60);
          expect(refuseIfSlowed(failures, now + refusal.extra.retryAfterS! * S)).toBeNull();
        } else {
          lookedAt.push(now);
          failures = recordLogin(failures, false, now)!;
        }
      }
      for (const at of lookedAt)
        expect(lookedAt.filter((each) => each > at - 15 * MINUTE && each <= at).length).toBeLessThanOrEqual(10 + 15);
      expect(failures.failed.length).toBeLessThanOrEqual(10 + 15);
    }),
  );
});

describe('failed logins', () => {
  const fail = async (email: string, times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < times; at++) statuses.push(await statusOf(login(email, 'wrong password')));
    return statuses;
  };

  test.each(['of an account', 'of an address without an account'])(
    'past ten %s are looked at once a minute',
    async (whose) => {
      const email = whose === 'of an account' ? (await newCustomer()).email : newEmail();
      expect(await fail(email, 10)).toEqual(Array(10).fill(401));
      const slowed = await login(email, 'wrong password');
      expect(errorOf(slowed)).toEqual([429, 'rate_limited', undefined]);
      expect([slowed.headers.get('retry-after'), slowed.headers.get('x-ratelimit-scope')]).toEqual(['60', 'abuse']);
      expect(slowed.body.error).toMatchObject({ remaining: 0, reset: expect.any(Number) });
      clock.advance(MINUTE_MS - 1);
      expect(await fail(email, 1)).toEqual([429]);
      clock.advance(1);
      expect(await fail(email, 2)).toEqual([401, 429]);
      clock.advance(15 * MINUTE_MS);
      expect(await fail(email, 10)).toEqual(Array(10).fill(401));
    },
  );

  test('never lock: the right password opens within the minute', async () => {
    const { email } = await newCustomer();
    await fail(email, 10);
    expect(await statusOf(login(email))).toBe(429);
    clock.advance(MINUTE_MS);
    expect(await statusOf(login(email))).toBe(200);
    expect(await statusOf(login(email))).toBe(429);
    clock.advance(MINUTE_MS);
    expect(await statusOf(login(email))).toBe(200);
  });

  test('slow down that account alone', async () => {
    const [slowed, free] = [await newCustomer(), await newCustomer()];
    await register({ email: slowed.email, password: PASSWORD }, keys.secret_test_key);
    await fail(slowed.email, 11);
    expect(await statusOf(login(free.email))).toBe(200);
    expect(await statusOf(login(slowed.email, PASSWORD, keys.secret_test_key))).toBe(200);
    expect(await statusOf(me(slowed.access))).toBe(200);
  });

  /** Retries while the system is too busy. */
  const insist = (email: string, password?: string): Promise<number> =>
    eventually(async () => {
      const status = await statusOf(login(email, password));
      expect(status).not.toBe(503);
      return status;
    }, 60_000);

  test('counts concurrent failures one after the other', async () => {
    const { email } = await newCustomer();
    const statuses = await Promise.all(Array.from({ length: 25 }, () => insist(email, 'wrong password')));
    expect(statuses.filter((status) => status === 401).length).toBe(10);
    expect(statuses.filter((status) => status === 429).length).toBe(15);
  });

  test('counts concurrent successes as no failures', async () => {
    const { email } = await newCustomer();
    const statuses = await Promise.all(Array.from({ length: 15 }, () => insist(email)));
    expect(statuses).toEqual(Array(15).fill(200));
  });
});
