// The first proof of an address ends earlier sessions and passwords, over HTTP in the sandbox.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  auth,
  clock,
  closeShop,
  keys,
  login,
  MINUTE_MS,
  me,
  openShop,
  PASSWORD,
  refresh,
  type SignedIn,
  statusOf,
} from '#test/services/customer/client.ts';
import { ask, codeFor, linkFor, shopper } from '#test/services/customer/mailbox.ts';
import type { Reply } from '#test/support/stoa.ts';

beforeAll(openShop);
afterAll(closeShop);

describe.each([
  ['a magic link', async (email: string) => ['magic-link/verify', { token: await linkFor('magic-link', email) }]],
  ['a one-time code', async (email: string) => ['verify-otp', { email, code: await codeFor(email) }]],
] as const)('%s of an address that was never proved', (_, prepared) => {
  const key = (): string => keys.secret_test_key;
  const sent = async (email: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const [path, body] = await prepared(email);
    return auth('POST', `/v1/auth/${path}`, { key: key(), body, headers });
  };
  /** One who registered too long ago to be signing up still. */
  const registered = async (): Promise<SignedIn> => {
    const early = await shopper();
    clock.advance(60 * MINUTE_MS);
    const { session } = (await refresh(early.refresh, key())).body;
    return { ...early, access: session.access_token, refresh: session.refresh_token };
  };
  /** Checks each way into the account: access token, refresh token and password. */
  const open = async ({ email, access, refresh: token }: SignedIn): Promise<number[]> => [
    await statusOf(me(access, { key: key() })),
    await statusOf(refresh(token, key())),
    await statusOf(login(email, PASSWORD, key())),
  ];

  test('ends an outsider’s registration with the address, and signs its owner in', async () => {
    const outsider = await registered();
    expect(await statusOf(me(outsider.access, { key: key() }))).toBe(200);
    const { status, body } = await sent(outsider.email);
    expect([status, body.customer.id]).toEqual([200, outsider.id]);
    expect(await open(outsider)).toEqual([401, 401, 401]);
    expect(await statusOf(me(body.session.access_token, { key: key() }))).toBe(200);
    // Later sign-ins of the owner keep their sessions.
    const reset = { token: await linkFor('reset-password', outsider.email), password: PASSWORD };
    expect(await statusOf(ask('reset-password/confirm', reset))).toBe(200);
    expect(await statusOf(sent(outsider.email))).toBe(200);
    expect(await statusOf(login(outsider.email, PASSWORD, key()))).toBe(200);
  });

  test('keeps sessions and password for a request from within a session of the account', async () => {
    const mine = await registered();
    expect(await statusOf(sent(mine.email, { 'x-auth-token': mine.access }))).toBe(200);
    expect(await statusOf(sent(mine.email))).toBe(200);
    expect(await open(mine)).toEqual([200, 200, 200]);
  });

  test('keeps sessions and password of a customer who registered within the hour', async () => {
    const mine = await shopper();
    clock.advance(60 * MINUTE_MS - 1);
    expect(await statusOf(sent(mine.email))).toBe(200);
    expect((await open(mine)).slice(1)).toEqual([200, 200]);
  });

  test.each([
    ['of another account', async () => (await shopper()).access],
    ['that is none', async () => 'at_none'],
    ['named by its refresh token', async (outsider: SignedIn) => outsider.refresh],
  ])('is no less strict beside a session %s', async (_session, token) => {
    const outsider = await registered();
    expect(await statusOf(sent(outsider.email, { 'x-auth-token': await token(outsider) }))).toBe(200);
    expect(await open(outsider)).toEqual([401, 401, 401]);
  });

  test('admits no concurrent login', async () => {
    const outsider = await registered();
    const logins = Promise.all(Array.from({ length: 4 }, () => login(outsider.email, PASSWORD, key())));
    const [replies] = await Promise.all([logins, sent(outsider.email)]);
    for (const { status, body } of replies) {
      expect([200, 401]).toContain(status);
      if (status === 200) expect(await statusOf(me(body.session.access_token, { key: key() }))).toBe(401);
    }
  });
});
