// A customer's sessions as the store lists and ends them.
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
  me,
  newCustomer,
  openShop,
  other,
  PASSWORD,
  refresh,
  statusOf,
  stoa,
} from '#test/services/customer/client.ts';
import { eventually } from '#test/support/server.ts';

beforeAll(openShop);
afterAll(closeShop);

const list = (id: string, query = '', key?: string) =>
  auth('GET', `/v1/customers/${id}/sessions${query}`, key ? { key } : {});
const sessionsOf = async (id: string) => (await list(id)).body.sessions;
const end = (id: string, session: string, key?: string) =>
  auth('DELETE', `/v1/customers/${id}/sessions/${session}`, key ? { key } : {});
const endAll = (id: string, key?: string) => auth('DELETE', `/v1/customers/${id}/sessions`, key ? { key } : {});
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('GET /v1/customers/{id}/sessions', () => {
  test('lists sign-ins, the newest first, with when they were refreshed last', async () => {
    const customer = await newCustomer();
    const started = clock.real();
    clock.advance(HOUR_MS);
    const later = (await login(customer.email)).body.session;
    clock.advance(HOUR_MS);
    await refresh(later.refresh_token);
    const iso = (ms: number) => new Date(ms).toISOString();
    const now = clock.real();
    const { status, body } = await list(customer.id);
    const session = (created: number, refreshed: number) => ({
      id: expect.any(String),
      created_at: iso(created),
      last_refreshed_at: iso(refreshed),
      expires_at: iso(refreshed + 30 * DAY_MS),
      user_agent: null,
    });
    expect([status, body.sessions]).toEqual([200, [session(started + HOUR_MS, now), session(started, started)]]);
    expect(JSON.stringify(body)).not.toMatch(/[ar]t_/);
    const first = (await list(customer.id, '?limit=1')).body;
    const rest = (await list(customer.id, `?limit=1&cursor=${first.pagination.next_cursor}`)).body;
    expect([...first.sessions, ...rest.sessions]).toEqual(body.sessions);
    expect(rest.pagination).toEqual({ limit: 1, has_more: false, next_cursor: null });
  });

  test('shows the browser that the store names as it signs a shopper in or refreshes, at most 256 characters of it', async () => {
    const customer = await newCustomer();
    const [{ id: unnamed }] = await sessionsOf(customer.id);
    const named = (name: string) => ({ headers: { 'x-shopper-user-agent': name } });
    const body = { email: customer.email, password: PASSWORD };
    const { session } = (await auth('POST', '/v1/auth/login', { body, ...named('Firefox/140.0') })).body;
    const shown = async () => {
      const found = (await sessionsOf(customer.id)).find(({ id }: { id: string }) => id !== unnamed);
      return found.user_agent;
    };
    expect(await shown()).toBe('Firefox/140.0');
    const again = (token: string, more = {}) =>
      auth('POST', '/v1/auth/refresh', { body: { refresh_token: token }, ...more });
    const next = (await again(session.refresh_token)).body.session;
    expect(await shown()).toBe('Firefox/140.0');
    const refreshed = await again(next.refresh_token, named(`Firefox/141.0 ${'x'.repeat(400)}`));
    expect(refreshed.status, refreshed.text).toBe(200);
    expect(await shown()).toMatch(/^Firefox\/141\.0 x{242}$/);
  });

  test('leaves out a session that has expired', async () => {
    const customer = await newCustomer();
    clock.advance(30 * DAY_MS);
    expect(await sessionsOf(customer.id)).toEqual([]);
  });

  test('refuses a customer of another store or environment, and a publishable key', async () => {
    const { id } = await newCustomer();
    for (const key of [other.secret_key, keys.secret_test_key]) expect(await statusOf(list(id, '', key))).toBe(404);
    expect(await statusOf(list(id, '', keys.publishable_key))).toBe(403);
    expect(await statusOf(list(UNKNOWN_ID))).toBe(404);
  });
});

describe('DELETE /v1/customers/{id}/sessions/{session_id}', () => {
  test('ends one session with all its tokens, on every edge, and no other', async () => {
    const customer = await newCustomer();
    // Sessions of one moment have no order.
    clock.advance(1_000);
    const elsewhere = (await login(customer.email)).body.session;
    const second = stoa.anotherEdge();
    const there = { url: second.url };
    for (const token of [customer.access, elsewhere.access_token]) {
      expect(await statusOf(me(token))).toBe(200);
      await eventually(async () => expect(await statusOf(me(token, there))).toBe(200));
    }
    const [newest, oldest] = await sessionsOf(customer.id);
    const { status, body } = await end(customer.id, newest.id);
    expect([status, body]).toEqual([200, { deleted: true, id: newest.id }]);
    expect(await statusOf(me(elsewhere.access_token))).toBe(401);
    await eventually(async () => expect(await statusOf(me(elsewhere.access_token, there))).toBe(401));
    expect(await statusOf(refresh(elsewhere.refresh_token))).toBe(401);
    expect(await statusOf(me(customer.access))).toBe(200);
    expect(await sessionsOf(customer.id)).toEqual([oldest]);
    expect(errorOf(await end(customer.id, newest.id))).toEqual([404, 'not_found', 'session_id']);
  });

  test('refuses a session of another customer, store or environment, and leaves it', async () => {
    const [one, another] = [await newCustomer(), await newCustomer()];
    const [session] = await sessionsOf(one.id);
    expect(errorOf(await end(another.id, session.id))).toEqual([404, 'not_found', 'session_id']);
    for (const key of [other.secret_key, keys.secret_test_key])
      expect(await statusOf(end(one.id, session.id, key))).toBe(404);
    expect(await statusOf(end(one.id, session.id, keys.publishable_key))).toBe(403);
    expect(await statusOf(me(one.access))).toBe(200);
  });
});

describe('DELETE /v1/customers/{id}/sessions', () => {
  test('ends every session of the customer and of no other, and leaves the password', async () => {
    const [customer, another] = [await newCustomer(), await newCustomer()];
    const elsewhere = (await login(customer.email)).body.session;
    for (const token of [customer.access, elsewhere.access_token]) expect(await statusOf(me(token))).toBe(200);
    expect((await endAll(customer.id)).body).toEqual({ ended: 2 });
    for (const token of [customer.access, elsewhere.access_token]) expect(await statusOf(me(token))).toBe(401);
    expect(await statusOf(refresh(customer.refresh))).toBe(401);
    expect(await statusOf(me(another.access))).toBe(200);
    expect((await endAll(customer.id)).body).toEqual({ ended: 0 });
    expect(await statusOf(login(customer.email))).toBe(200);
  });

  test('ends twenty sessions that are being refreshed: no token made meanwhile works afterwards', async () => {
    const customer = await newCustomer();
    const sessions = await Promise.all(
      Array.from({ length: 20 }, async () => (await login(customer.email)).body.session),
    );
    const [ended, ...refreshed] = await Promise.all([
      endAll(customer.id),
      ...sessions.map(({ refresh_token }) => refresh(refresh_token)),
    ]);
    expect(ended.body).toEqual({ ended: 21 });
    const tokens = refreshed.flatMap(({ body }) => (body.session ? [body.session] : []));
    for (const { access_token, refresh_token } of tokens) {
      expect(await statusOf(me(access_token))).toBe(401);
      expect(await statusOf(refresh(refresh_token))).toBe(401);
    }
    expect(await sessionsOf(customer.id)).toEqual([]);
  });

  test('refuses a customer of another store or environment', async () => {
    const customer = await newCustomer();
    for (const key of [other.secret_key, keys.secret_test_key])
      expect(await statusOf(endAll(customer.id, key))).toBe(404);
    expect(await statusOf(me(customer.access))).toBe(200);
  });
});
