// The client's decision whether and when a call is sent again.
import { describe, expect, it } from 'vitest';
import { type ErrorFacts, StoaError } from '#proto/client/error.ts';
import { readRetryAfter, waitBefore } from '#proto/client/retry.ts';

const error = (facts: Partial<ErrorFacts>): StoaError =>
  new StoaError({ code: 'server_error', message: '', operation: '', status: 500, unknown: false, ...facts });

describe('a wait', () => {
  it.each([
    ['a throttled one', { status: 429, code: 'rate_limited' }, true, true],
    ['a month that is used up', { status: 429, code: 'quota_exceeded' }, false, false],
    ['a system that cannot now', { status: 503 }, true, true],
    ['a body that took too long', { status: 408 }, true, true],
    ['a lost connection', { status: 0, code: 'network_error' }, true, false],
    ['silence', { status: 0, code: 'timeout' }, true, false],
    ['an unknown outcome', { status: 500 }, true, false],
    ['a gateway', { status: 502, code: 'unreadable_answer' }, true, false],
    ['half an answer', { status: 200, code: 'unreadable_answer' }, true, false],
    ['a redirect', { status: 302, code: 'unreadable_answer' }, false, false],
    ['the same call, still running', { status: 409, code: 'conflict', retryAfterMs: 1_000 }, true, false],
    ['a conflict', { status: 409, code: 'conflict' }, false, false],
    ['a bad request', { status: 400, code: 'invalid_request' }, false, false],
    ['no such thing', { status: 404, code: 'not_found' }, false, false],
  ] as const)('after %s: %o, harmless %s, else %s', (_, facts, harmless, otherwise) => {
    expect(waitBefore(error(facts), true, 1) !== null).toBe(harmless);
    expect(waitBefore(error(facts), false, 1) !== null).toBe(otherwise);
  });

  it('doubles up to a bound, half of it by chance, and is what the server asks for where it asks', () => {
    const waits = [1, 2, 3, 9].map((attempts) => waitBefore(error({}), true, attempts, () => 1));
    expect(waits).toEqual([250, 500, 1_000, 8_000]);
    expect(waitBefore(error({}), true, 3, () => 0)).toBe(500);
    expect(waitBefore(error({ retryAfterMs: 7_000 }), true, 1)).toBe(7_000);
  });
});

it.each([
  [null, null],
  ['2', 2_000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 4_000],
  ['soon', null],
])('Retry-After: %s is %s ms', (header, expected) => expect(readRetryAfter(header, 1_000)).toBe(expected));
