// The rule of failed logins: ten in 15 minutes are free, from then on one login a minute is looked at.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, type LoginFailures, NO_FAILURES, tooMany } from '#services/customer/login_failure.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const S = 1_000;
const MINUTE = 60 * S;

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
    const refusal = tooMany(failures, NOON);
    expect(refusal?.extra.retryAfterS).toBe(retryAfterS);
    expect(refusal?.code).toBe(retryAfterS === undefined ? undefined : 'rate_limited');
  });
});

test('a success is remembered only while logins are slowed', () => {
  expect(after(failuresAt(0), true, NOON)).toBeNull();
  expect(after(tenAt(2 * MINUTE), true, NOON)?.admitted).toEqual(new Date(NOON));
});

test('whatever is tried, no more than ten logins and one a minute fail in any 15 minutes, and some login is soon looked at', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 200 }), (pausesS) => {
      let failures = NO_FAILURES;
      let now = NOON;
      const lookedAt: number[] = [];
      for (const pauseS of pausesS) {
        now += pauseS * S;
        const refusal = tooMany(failures, now);
        if (refusal) {
          expect(refusal.extra.retryAfterS).toBeLessThanOrEqual(60);
          expect(tooMany(failures, now + refusal.extra.retryAfterS! * S)).toBeNull();
        } else {
          lookedAt.push(now);
          failures = after(failures, false, now)!;
        }
      }
      for (const at of lookedAt)
        expect(lookedAt.filter((each) => each > at - 15 * MINUTE && each <= at).length).toBeLessThanOrEqual(10 + 15);
      expect(failures.failed.length).toBeLessThanOrEqual(10 + 15);
    }),
  );
});
