// What an edge remembers of a store's requests, over HTTP and beyond its bounds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Activity } from '#edge/activity.ts';
import type { Principal } from '#edge/gates/principal.ts';
import { Visit } from '#edge/visit.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

const read = (key: string, query = '') => stoa.send('GET', `/v1/console/activity${query}`, { key });

describe('the activity of a store', () => {
  test('is its latest requests, newest first, whatever came of them', async () => {
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

  test('is for a secret key', async () => {
    const keys = await stoa.createStore();
    expect((await read(keys.publishable_key)).status).toBe(403);
    expect((await stoa.send('GET', '/v1/console/activity')).status).toBe(401);
    expect((await read(keys.secret_key, '?limit=0')).status).toBe(400);
  });
});

describe('what is kept', () => {
  const principalOf = (store: string): Principal =>
    ({ tenant: { store, environment: 'sandbox' }, keyType: 'secret' }) as Principal;
  const visitOf = (principal: Principal, path: string): Visit => {
    const visit = new Visit(new Request(`http://localhost${path}`), path);
    visit.principal = principal;
    return visit;
  };

  test('is of a bounded size: old requests go, and so do the stores that were quiet longest', () => {
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
    // Whoever was forgotten and comes again is remembered again.
    activity.note(visitOf(first, '/again'), 200);
    expect(activity.read(first, 1).requests[0]?.path).toBe('/again');
  });
});
