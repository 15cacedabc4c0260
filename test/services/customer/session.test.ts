// Sessions over HTTP: how long tokens live, how they rotate, and that an ended session is ended everywhere.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  auth,
  clock,
  closeShop,
  DAY_MS,
  errorOf,
  HOUR_MS,
  keys,
  login,
  logout,
  me,
  newCustomer,
  openShop,
  other,
  PASSWORD,
  refresh,
  statusOf,
  stoa,
} from '#test/services/customer/client.ts';
import { moveSandboxClock } from '#test/support/sandbox_clock.ts';
import { eventually } from '#test/support/server.ts';

beforeAll(openShop);
afterAll(closeShop);

describe('POST /v1/auth/refresh', () => {
  test('replaces a refresh token by a new pair', async () => {
    const customer = await newCustomer();
    const { status, body } = await refresh(customer.refresh);
    expect([status, body.customer.id]).toEqual([200, customer.id]);
    expect(body.session.expires_at).toBe(new Date(clock.real() + HOUR_MS).toISOString());
    expect(await statusOf(me(body.session.access_token))).toBe(200);
    // Requests under way with the old token still succeed.
    expect(await statusOf(me(customer.access))).toBe(200);
    expect(await statusOf(refresh(body.session.refresh_token))).toBe(200);
  });

  test('ends the whole family of a token used twice, and no other', async () => {
    const customer = await newCustomer();
    const elsewhere = (await login(customer.email)).body.session;
    const next = (await refresh(customer.refresh)).body.session;
    expect(await statusOf(me(next.access_token))).toBe(200);
    expect(errorOf(await refresh(customer.refresh))).toEqual([401, 'unauthorized', undefined]);
    for (const token of [customer.access, next.access_token]) expect(await statusOf(me(token))).toBe(401);
    for (const token of [customer.refresh, next.refresh_token]) expect(await statusOf(refresh(token))).toBe(401);
    expect(await statusOf(me(elsewhere.access_token))).toBe(200);
    expect(await statusOf(refresh(elsewhere.refresh_token))).toBe(200);
  });

  test('issues one pair for ten concurrent uses, and ends the family', async () => {
    const customer = await newCustomer();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(customer.refresh)));
    const given = replies.filter(({ status }) => status === 200);
    expect([given.length, replies.filter(({ status }) => status === 401).length]).toEqual([1, 9]);
    expect(await statusOf(me(given[0]!.body.session.access_token))).toBe(401);
  });

  test('requires a refresh token of the same tenant', async () => {
    const customer = await newCustomer();
    for (const key of [keys.secret_test_key, other.secret_key])
      expect(await statusOf(refresh(customer.refresh, key))).toBe(401);
    for (const token of [customer.access, 'rt_nonsense', `${customer.refresh} `])
      expect(await statusOf(refresh(token))).toBe(401);
    expect(await statusOf(refresh(customer.refresh))).toBe(200);
  });

  test.each<[unknown, string]>([
    [{}, 'refresh_token'],
    [{ refresh_token: '' }, 'refresh_token'],
    [{ refresh_token: null }, 'refresh_token'],
    [{ refresh_token: 'x'.repeat(201) }, 'refresh_token'],
  ])('of %j is 400', async (body, param) => {
    expect(errorOf(await auth('POST', '/v1/auth/refresh', { body }))).toEqual([400, 'invalid_request', param]);
  });

  test('works for 30 days, and 30 more after each use', async () => {
    const customer = await newCustomer();
    clock.advance(30 * DAY_MS - 1);
    const next = (await refresh(customer.refresh)).body.session;
    clock.advance(30 * DAY_MS - 1);
    expect(await statusOf(refresh(next.refresh_token))).toBe(200);
    const late = await newCustomer();
    clock.advance(30 * DAY_MS);
    expect(await statusOf(refresh(late.refresh))).toBe(401);
  });
});

describe('an access token', () => {
  test('works for one hour', async () => {
    const [early, late] = [await newCustomer(), await newCustomer()];
    clock.advance(HOUR_MS - 1);
    expect(await statusOf(me(early.access))).toBe(200);
    clock.advance(1);
    expect(await statusOf(me(late.access))).toBe(401);
    expect(await statusOf(refresh(late.refresh))).toBe(200);
  });

  test('ends by the clock of its own sandbox', async () => {
    const [sandbox, production] = [await newCustomer(keys.secret_test_key), await newCustomer()];
    await moveSandboxClock(stoa.services.runtime, keys.store_id, 2 * HOUR_MS);
    expect(await statusOf(me(sandbox.access, { key: keys.secret_test_key }))).toBe(401);
    expect(await statusOf(me(production.access))).toBe(200);
    const fresh = (await login(sandbox.email, PASSWORD, keys.secret_test_key)).body.session;
    expect(fresh.expires_at).toBe(new Date(clock.real() + 3 * HOUR_MS).toISOString());
    await moveSandboxClock(stoa.services.runtime, keys.store_id, 0);
  });

  test('rejects an access token in another environment or store', async () => {
    const [live, sandbox] = [await newCustomer(), await newCustomer(keys.secret_test_key)];
    expect(await statusOf(me(live.access))).toBe(200);
    for (const key of [keys.secret_test_key, other.secret_key])
      expect(await statusOf(me(live.access, { key }))).toBe(401);
    expect(await statusOf(me(sandbox.access))).toBe(401);
    expect(await statusOf(me(sandbox.access, { key: keys.secret_test_key }))).toBe(200);
    expect(await statusOf(logout(live.access, { key: other.secret_key }))).toBe(401);
    expect(await statusOf(me(live.access))).toBe(200);
  });
});

describe('POST /v1/auth/logout', () => {
  test('ends its session and refresh token at once, and no other session', async () => {
    const customer = await newCustomer();
    const elsewhere = (await login(customer.email)).body.session;
    expect(await statusOf(me(customer.access))).toBe(200);
    const reply = await logout(customer.access);
    expect([reply.status, reply.body]).toEqual([200, { logged_out: true }]);
    expect(await statusOf(me(customer.access))).toBe(401);
    expect(await statusOf(logout(customer.access))).toBe(401);
    expect(await statusOf(refresh(customer.refresh))).toBe(401);
    expect(await statusOf(me(elsewhere.access_token))).toBe(200);
  });

  test('ends every access token of its family', async () => {
    const customer = await newCustomer();
    const next = (await refresh(customer.refresh)).body.session;
    for (const token of [customer.access, next.access_token]) expect(await statusOf(me(token))).toBe(200);
    await logout(next.access_token);
    for (const token of [customer.access, next.access_token]) expect(await statusOf(me(token))).toBe(401);
  });

  test('takes a body, an empty one and none', async () => {
    for (const body of [undefined, {}, { anything: 1 }]) {
      const { access } = await newCustomer();
      expect(await statusOf(logout(access, body === undefined ? {} : { body }))).toBe(200);
    }
  });

  test('reaches every other edge within a second', async () => {
    const second = stoa.anotherEdge();
    const customer = await newCustomer();
    await eventually(async () => expect(await statusOf(me(customer.access, { url: second.url }))).toBe(200));
    expect(second.edge.sessions.size).toBe(1);
    await logout(customer.access);
    await eventually(async () => expect(await statusOf(me(customer.access, { url: second.url }))).toBe(401));
  });
});

test('deletes all customers of a sandbox that is reset', async () => {
  const [sandbox, production] = [await newCustomer(keys.secret_test_key), await newCustomer()];
  const inSandbox = { key: keys.secret_test_key };
  expect(await statusOf(me(sandbox.access, inSandbox))).toBe(200);
  const reset = await stoa.send('POST', '/v1/sandbox/reset', { key: keys.secret_test_key, body: {} });
  expect(reset.status, reset.text).toBe(200);
  expect(await statusOf(me(sandbox.access, inSandbox))).toBe(401);
  expect(await statusOf(refresh(sandbox.refresh, keys.secret_test_key))).toBe(401);
  expect(await statusOf(login(sandbox.email, PASSWORD, keys.secret_test_key))).toBe(401);
  expect(await statusOf(me(production.access))).toBe(200);
});
