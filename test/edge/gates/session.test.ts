// Tests how the edge resolves, caches and drops customer sessions.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Principal } from '#edge/gates/principal.ts';
import { type CustomerSessions, readSessionId, readToken, type Shopper } from '#edge/gates/session.ts';
import { Refusal } from '#runtime/call/call.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { ADA, BOB, type Gates, LIVE, openGates, SANDBOX, type Services, tokenOf } from '#test/edge/gates/stand_in.ts';

let services: Services;
let sessions: CustomerSessions;
let principals: Gates['principals'];

beforeEach(async () => {
  const gates = await openGates();
  ({ services, principals } = gates);
  ({ sessions } = gates.edge);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('of the three headers', () => {
  test.each<[string, Record<string, string>, string]>([
    ['none is no session', {}, 'none'],
    ['an empty one is no session', { 'x-auth-token': '' }, 'none'],
    ['one is a session', { 'x-auth-token': 'a' }, 'x-auth-token a'],
    ['another one is a session', { 'x-idp-token': 'b' }, 'x-idp-token b'],
    [
      'an empty one beside a full one counts for nothing',
      { 'x-auth-token': '', 'x-external-auth': 'c' },
      'x-external-auth c',
    ],
    ['two are one too many', { 'x-auth-token': 'a', 'x-idp-token': 'b' }, 'invalid_request x-idp-token'],
    [
      'three are two too many',
      { 'x-auth-token': 'a', 'x-external-auth': 'c', 'x-idp-token': 'b' },
      'invalid_request x-external-auth',
    ],
  ])('%s', (_name, headers, expected) => {
    const token = readToken(new Headers(headers));
    const seen =
      token === null
        ? 'none'
        : token instanceof Refusal
          ? `${token.code} ${token.extra.param}`
          : `${token.header} ${token.text}`;
    expect(seen).toBe(expected);
  });
});

test.each<[string | undefined, string | null]>([
  [undefined, ''],
  ['', ''],
  ['abc-123', 'abc-123'],
  ['x'.repeat(128), 'x'.repeat(128)],
  ['x'.repeat(129), null],
  ['two words', null],
  ['caf\u00e9', null],
])('X-Session-Id %j names %j', (text, expected) => {
  expect(readSessionId(new Headers(text === undefined ? {} : { 'X-Session-Id': text }))).toBe(expected);
});

describe('a session', () => {
  const resolve = async (letter = 'a', principal = principals.secret): Promise<string> => {
    const found = await sessions.shopper(principal, { header: 'x-auth-token', text: tokenOf(letter) });
    return found instanceof Refusal ? found.code : found.customer;
  };
  const later = (ms: number): void => {
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + ms);
  };

  test('resolves a token once, by its digest, and answers from the cache afterwards', async () => {
    services.signIn('a', ADA);
    expect(await Promise.all([resolve(), resolve(), resolve()])).toEqual([ADA, ADA, ADA]);
    expect(await resolve()).toBe(ADA);
    expect(services.questions).toBe(1);
    expect(JSON.stringify(services.asks)).not.toContain(tokenOf('a'));
    expect(sessions.shopper(principals.secret, { header: 'x-auth-token', text: tokenOf('a') })).not.toBeInstanceOf(
      Promise,
    );
  });

  test('returns one caller object per key', async () => {
    services.signIn('a', ADA);
    await resolve();
    const shopper = (principal: Principal) =>
      sessions.shopper(principal, { header: 'x-auth-token', text: tokenOf('a') });
    expect(shopper(principals.secret)).toBe(shopper(principals.secret));
    expect(shopper(principals.publishable)).toMatchObject({ keyType: 'publishable', customer: ADA, tenant: LIVE });
    expect((shopper(principals.publishable) as Shopper).scope).not.toBe((shopper(principals.secret) as Shopper).scope);
  });

  test('resolves a token again after 30 seconds', async () => {
    services.signIn('a', ADA);
    await resolve();
    services.signOut('a');
    later(29_000);
    expect(await resolve()).toBe(ADA);
    later(2_000);
    expect(await resolve()).toBe('unauthorized');
  });

  test('does not accept a session beyond its expiry', async () => {
    services.signIn('a', ADA).remainingMs = 5_000;
    expect(await resolve()).toBe(ADA);
    services.signOut('a');
    later(5_000);
    expect(await resolve()).toBe('unauthorized');
  });

  test('rejects a cached or uncached session of another tenant', async () => {
    services.signIn('a', ADA);
    expect(await resolve('a', principals.sandbox)).toBe('unauthorized');
    expect(await resolve()).toBe(ADA);
    expect(await resolve('a', principals.sandbox)).toBe('unauthorized');
    expect(await resolve()).toBe(ADA);
  });

  test('does not cache rejected tokens', async () => {
    expect(await resolve()).toBe('unauthorized');
    services.signIn('a', ADA);
    expect(await resolve()).toBe(ADA);
  });

  test.each(['', 'at_', 'rt_'.padEnd(46, 'x'), tokenOf('a').slice(0, -1), `${tokenOf('a')}x`, `${tokenOf('a')}, x`])(
    'cannot be "%s": no services host is asked',
    async (text) => {
      const found = await sessions.shopper(principals.secret, { header: 'x-auth-token', text });
      expect([(found as Refusal).code, services.questions]).toEqual(['unauthorized', 0]);
    },
  );

  test.each([
    ['x-external-auth', 'external_auth'],
    ['x-idp-token', 'idp'],
  ] as const)('in %s is another’s word: asked for, and believed for as long as it holds', async (header, kind) => {
    const word = async (principal = principals.secret): Promise<string> => {
      const found = await sessions.shopper(principal, { header, text: tokenOf('a') });
      if (found instanceof Refusal) return found.code;
      expect(found.customerSession).toBeUndefined();
      return found.customer;
    };
    services.signIn('a', BOB);
    expect(await word()).toBe('unauthorized');
    services.assertions.set(`${kind} ${tokenOf('a')}`, { customer: ADA, remainingMs: 10_000 });
    expect([await word(), await resolve()]).toEqual([ADA, BOB]);
    const asked = services.questions;
    expect([await word(), services.questions]).toEqual([ADA, asked]);
    services.assertions.clear();
    later(10_000);
    expect(await word()).toBe('unauthorized');
  });

  test('does not cache assertions without remaining lifetime', async () => {
    const token = { header: 'x-idp-token', text: 'opaque' } as const;
    services.assertions.set('idp opaque', { customer: ADA, remainingMs: 0 });
    expect(await sessions.shopper(principals.secret, token)).toMatchObject({ customer: ADA });
    services.assertions.clear();
    expect(await sessions.shopper(principals.secret, token)).toBeInstanceOf(Refusal);
    expect(sessions.size).toBe(0);
  });

  test.each(['two words', 'x'.repeat(8_193), 'caf\u00e9'])(
    'rejects the malformed external token "%s"',
    async (text) => {
      const found = await sessions.shopper(principals.secret, { header: 'x-idp-token', text });
      expect([(found as Refusal).code, services.questions]).toEqual(['unauthorized', 0]);
    },
  );

  test('reports service_unavailable without a services host', async () => {
    services.signIn('a', ADA);
    services.down = true;
    expect(await resolve()).toBe('service_unavailable');
    services.down = false;
    expect(await resolve()).toBe(ADA);
  });

  test('drops exactly the sessions that a notice names', async () => {
    const ended = services.signIn('a', ADA);
    services.sessions.set(sha256(tokenOf('b')).toString('hex'), ended);
    services.signIn('c', BOB);
    for (const letter of ['a', 'b', 'c']) await resolve(letter);
    for (const letter of ['a', 'b']) services.signOut(letter);
    services.tell({ kind: 'sessions', tenant: LIVE, ids: [ended.session] });
    expect([await resolve('a'), await resolve('b')]).toEqual(['unauthorized', 'unauthorized']);
    const asked = services.questions;
    expect(await resolve('c')).toBe(BOB);
    expect([services.questions, sessions.size]).toEqual([asked, 1]);
  });

  test('drops all sessions of a tenant if the notice names none', async () => {
    services.signIn('a', ADA);
    services.signIn('b', BOB, SANDBOX);
    await resolve();
    await resolve('b', principals.sandbox);
    services.tell({ kind: 'sessions', tenant: SANDBOX, ids: [] });
    expect(sessions.size).toBe(1);
    services.tell(null);
    expect(sessions.size).toBe(0);
  });

  test('does not cache a session that ends during its lookup', async () => {
    const { session } = services.signIn('a', ADA);
    let open = (): void => {};
    services.gate = new Promise((resolve) => {
      open = resolve;
    });
    const asking = resolve();
    services.tell({ kind: 'sessions', tenant: LIVE, ids: [session] });
    services.signOut('a');
    const after = resolve();
    open();
    expect([await asking, await after, await resolve()]).toEqual([ADA, 'unauthorized', 'unauthorized']);
  });
});
