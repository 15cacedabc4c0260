// Tests the recent requests of a store: over HTTP and beyond their bounds.
import { beforeAll, describe, expect, test } from 'vitest';
import { Activity } from '#edge/activity.ts';
import type { Principal } from '#edge/gates/principal.ts';
import { RequestContext } from '#edge/request_context.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const read = (key: string, query = '') => stoa.send('GET', `/v1/console/activity${query}`, { key });

describe('the activity of a store', () => {
  test('lists the latest requests, newest first, with any outcome', async () => {
    const keys = await stoa.createStore();
    const key = keys.secret_test_key;
    await stoa.send('GET', '/v1/products?limit=5', { key });
    await stoa.send('POST', '/v1/categories', { key, body: {} });
    await stoa.send('GET', '/v1/orders', { key: keys.publishable_test_key });
    const { body } = await read(key);
    expect(
      body.requests.map((note: Record<string, unknown>) => [note.method, note.path, note.status, note.key_type]),
    ).toEqual([
      ['GET', '/v1/orders', 403, 'publishable'],
      ['POST', '/v1/categories', 400, 'secret'],
      ['GET', '/v1/products', 200, 'secret'],
    ]);
    const sum = (name: string) =>
      body.seconds.reduce((all: number, second: Record<string, number>) => all + second[name]!, 0);
    expect([sum('requests'), sum('refused'), sum('failed')]).toEqual([3, 2, 0]);
    for (const { p50_ms, p95_ms } of body.seconds) expect(p95_ms).toBeGreaterThanOrEqual(p50_ms);
    expect((await read(key, '?limit=1')).body.requests).toHaveLength(1);
    // Reading it is no news, and the other environment's has none of it.
    expect((await read(key)).body.requests).toHaveLength(3);
    expect((await read(keys.secret_key)).body).toEqual({ requests: [], seconds: [] });
  });

  test('lists unknown paths, wrong verbs and queries, without what opens something', async () => {
    const keys = await stoa.createStore();
    const key = keys.secret_test_key;
    await stoa.send('GET', '/v1/produkts?limit=5', { key });
    await stoa.send('PUT', '/v1/products', { key, body: {} });
    await stoa.send('GET', '/v1/gift-cards?code=7K3M-9QTR-XW2B-H5ND', { key });
    await stoa.send('GET', '/v1/nothing');
    const { body } = await read(key);
    expect(
      body.requests.map(({ method, path, query, status }: Record<string, unknown>) => [method, path, query, status]),
    ).toEqual([
      ['GET', '/v1/gift-cards', 'code=…', 404],
      ['PUT', '/v1/products', '', 405],
      ['GET', '/v1/produkts', 'limit=5', 404],
    ]);
  });

  test('shows of a refused request what was sent and answered, without secrets, to its own store alone', async () => {
    const keys = await stoa.createStore();
    const key = keys.secret_test_key;
    const sent = { email: 'ada@example.com', password: 'open sesame', phone: 5 };
    const refused = await stoa.send('POST', '/v1/auth/register', { key, body: sent });
    expect(refused.status).toBe(400);
    const id = refused.body.error.request_id as string;
    const one = (by: string) => stoa.send('GET', `/v1/console/requests/${id}`, { key: by });
    const { body } = await one(key);
    expect(body.request).toMatchObject({ request_id: id, method: 'POST', path: '/v1/auth/register', status: 400 });
    expect(JSON.parse(body.request_body)).toEqual({ email: 'ada@example.com', password: '…', phone: 5 });
    expect(JSON.parse(body.response_body).error).toMatchObject({ code: 'invalid_request', param: 'phone' });
    expect(JSON.stringify(body)).not.toContain('sesame');
    expect((await one(keys.secret_key)).status).toBe(404);
    expect((await one((await stoa.createStore()).secret_test_key)).status).toBe(404);
    expect((await one(keys.publishable_test_key)).status).toBe(403);
    const fine = await stoa.send('GET', '/v1/products', { key });
    const stored = await stoa.send('GET', `/v1/console/requests/${fine.headers.get('x-request-id')}`, { key });
    expect(stored.body).toMatchObject({ request: { status: 200 }, request_body: null, response_body: null });
  });

  test('counts a long poll, and not its waiting as latency', async () => {
    const key = (await stoa.createStore()).secret_test_key;
    await stoa.send('GET', '/v1/webhook-events?follow=now&wait_seconds=1', { key });
    const { body } = await read(key);
    expect(body.requests).toHaveLength(1);
    expect(body.seconds).toMatchObject([{ requests: 1, p50_ms: 0, p95_ms: 0 }]);
  });

  test('requires a secret key', async () => {
    const keys = await stoa.createStore();
    expect((await read(keys.publishable_key)).status).toBe(403);
    expect((await stoa.send('GET', '/v1/console/activity')).status).toBe(401);
    expect((await read(keys.secret_key, '?limit=0')).status).toBe(400);
  });
});

describe('what is kept', () => {
  const principalOf = (store: string): Principal =>
    ({ tenant: { store, environment: 'sandbox' }, keyType: 'secret' }) as Principal;
  const visitOf = (principal: Principal, path: string): RequestContext => {
    const context = new RequestContext(new Request(`http://localhost${path}`), path);
    context.principal = principal;
    return context;
  };

  test('stores the bodies of the latest 1,000 refused requests', () => {
    const activity = new Activity();
    const store = Array.from({ length: 1_100 }, (_, n) => principalOf(`store ${n}`));
    for (const [n, principal] of store.entries()) {
      const context = visitOf(principal, `/${n}`);
      context.requestBody = new TextEncoder().encode('{"name":5}');
      activity.note(context, 400);
    }
    const bodies = store.map((principal, n) => activity.readOne(principal, `/${n}`)?.request_body ?? null);
    expect(bodies.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => null));
    expect(new Set(bodies.slice(100))).toEqual(new Set(['{\n  "name": 5\n}']));
  });

  test('evicts the oldest requests and the longest idle stores', () => {
    const activity = new Activity();
    const first = principalOf('first');
    for (let n = 0; n < 250; n++) activity.note(visitOf(first, `/${n}`), 200);
    const { requests, seconds } = activity.read(first, 100);
    expect(requests.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, n) => `/${249 - n}`));
    expect(seconds.reduce((sum, second) => sum + second.requests, 0)).toBe(250);
    const others = Array.from({ length: 1_000 }, (_, n) => principalOf(`store ${n}`));
    for (const other of others) activity.note(visitOf(other, '/'), 200);
    const left = [first, ...others].filter((each) => activity.read(each, 1).requests.length > 0);
    expect(left).toHaveLength(1_000);
    // A key that was forgotten and comes again is remembered again.
    activity.note(visitOf(first, '/again'), 200);
    expect(activity.read(first, 1).requests[0]?.path).toBe('/again');
  });
});
