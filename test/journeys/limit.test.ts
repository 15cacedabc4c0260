// Limits through every gate, on real servers: exact over two edges, kept over a restart, and what becomes of them while
// NATS is away.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepExpired } from '#runtime/actor/snapshot.ts';
import { NO_TENANT, Refusal, type Tenant } from '#runtime/call/call.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, freshDatabase, freshNamespace, serverUrls, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, type SendOptions, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';

const namespace = freshNamespace();
let database: TestDatabase;
let proxy: TestProxy;
let stoa: Stoa;
let urls: readonly [string, string];

const start = async (): Promise<void> => {
  proxy = await startProxy(serverUrls().nats);
  stoa = await startStoa({
    databaseUrl: database.url,
    natsUrl: proxy.url,
    namespace,
    trustedProxies: '127.0.0.1',
  });
  urls = [stoa.url, stoa.anotherEdge().url];
  for (const url of urls)
    await eventually(async () => expect((await sendTo(url, 'GET', '/v1/health')).status).toBe(200));
};
const stop = async (): Promise<void> => {
  await stoa.stop();
  await proxy.close();
};

beforeAll(async () => {
  database = await freshDatabase();
  await start();
});
afterAll(async () => {
  await stop();
  await database.drop();
});
beforeEach(() => awayFromWindowEnd('key_hour', 20_000));

const limitedStore = async (limits: Readonly<Record<string, number>>): Promise<Keys> => {
  const keys = await stoa.createStore();
  await stoa.services.runtime.ask('StoreAdmin/SetLimits', NO_TENANT, { store: keys.store_id, ...limits });
  return keys;
};
const read = (edge: number, key: string, headers: SendOptions['headers'] = {}): Promise<Reply> =>
  sendTo(urls[edge % 2] as string, 'GET', '/v1/features', { key, headers });
const statuses = async (replies: readonly Promise<Reply>[]): Promise<number[]> =>
  (await Promise.all(replies)).map(({ status }) => status);
const count = (all: readonly number[], status: number): number => all.filter((each) => each === status).length;
const used = async (edge: number, key: string): Promise<number> =>
  (await sendTo(urls[edge % 2] as string, 'GET', '/v1/usage', { key })).body.usage.used;

describe('two edges', () => {
  test('admit exactly the limit, one request after the other', async () => {
    const { secret_key } = await limitedStore({ key_hour: 40 });
    const seen: number[] = [];
    // Different lengths, so that each holds tokens that the other needs in the end.
    for (const [turn, length] of [1, 17, 3, 12, 25].entries())
      for (let n = 0; n < length; n++) seen.push((await read(turn, secret_key)).status);
    expect(seen).toEqual([...Array(40).fill(200), ...Array(18).fill(429)]);
  });

  test('admit exactly the limit at once', async () => {
    const { secret_key } = await limitedStore({ key_hour: 60, key_day: 500, month: 1_000 });
    const all = await statuses(Array.from({ length: 90 }, (_, n) => read(n, secret_key)));
    expect([count(all, 200), count(all, 429)]).toEqual([60, 30]);
  });

  test('know what both have admitted: the one that is asked at once, the other within a second', async () => {
    const { secret_key, secret_test_key } = await stoa.createStore();
    for (let n = 0; n < 7; n++) await read(0, secret_key);
    expect(await used(0, secret_key)).toBe(8);
    for (let n = 0; n < 5; n++) await read(1, secret_key);
    await read(1, secret_test_key);
    // Each look is one more.
    let looks = 0;
    await eventually(async () => expect(await used(0, secret_key)).toBe(8 + 5 + ++looks));
  });

  test('keep the month over a restart of everything', async () => {
    const { secret_key } = await limitedStore({ month: 25 });
    const before = await statuses(Array.from({ length: 20 }, (_, n) => read(n, secret_key)));
    expect(count(before, 200)).toBe(20);
    await stop();
    await start();
    const after = await statuses(Array.from({ length: 9 }, (_, n) => read(n, secret_key)));
    expect([count(after, 200), count(after, 429)]).toEqual([5, 4]);
    const refused = await read(0, secret_key);
    expect([refused.body.error.code, refused.headers.get('x-ratelimit-scope')]).toEqual(['quota_exceeded', null]);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  });
});

describe('shoppers', () => {
  test('counts shoppers by network and store, an IPv6 one by its /64', async () => {
    const { publishable_key, publishable_test_key } = await limitedStore({ network_hour: 3 });
    const from = (address: string, key = publishable_key) =>
      read(Math.round(Math.random()), key, { 'X-Forwarded-For': address });
    const five = await statuses([1, 2, 3, 4, 5].map(() => from('203.0.113.7')));
    expect(five.toSorted()).toEqual([200, 200, 200, 429, 429]);
    expect((await from('203.0.113.8')).status).toBe(200);
    for (const host of ['2001:db8:1:2::1', '2001:0db8:1:2::2', '2001:db8:1:2:0:0:ffff:1'])
      expect((await from(host)).status).toBe(200);
    expect((await from('2001:db8:1:2:9:9:9:9')).status).toBe(429);
    expect((await from('2001:db8:1:3::1')).status).toBe(200);
    // One plan admits both environments.
    expect((await from('203.0.113.7', publishable_test_key)).status).toBe(429);
    const other = await limitedStore({ network_hour: 3 });
    expect((await from('203.0.113.7', other.publishable_key)).status).toBe(200);
  });

  test('leave nothing behind once their hour is over', async () => {
    const { publishable_key, store_id } = await limitedStore({ network_hour: 9 });
    for (const n of [1, 2, 3]) await read(0, publishable_key, { 'X-Forwarded-For': `198.51.100.${n}` });
    const { postgres } = stoa.services.runtime;
    const networks = async () => {
      const rows = await postgres.sql<{ id: string }[]>`
        select id from runtime.actor where kind = 'limit' and store = ${store_id} and id like 'network_hour/%'`;
      return rows.length;
    };
    await eventually(async () => expect(await networks()).toBe(3));
    await sweepExpired(postgres, Date.now());
    expect(await networks()).toBe(3);
    // A count that is repeated a second after its use is written again.
    await eventually(async () => {
      await sweepExpired(postgres, Date.now() + 2 * 3_600_000);
      expect(await networks()).toBe(0);
    });
  });

  test('sign in ten times a minute, and not once more through another edge', async () => {
    await awayFromWindowEnd('auth_minute', 15_000);
    const { secret_key } = await stoa.createStore();
    const login = (edge: number, shopper: string): Promise<Reply> =>
      sendTo(urls[edge % 2] as string, 'POST', '/v1/auth/login', {
        key: secret_key,
        body: { email: 'nobody@example.com', password: 'not this one' },
        headers: { 'X-Shopper-IP': shopper },
      });
    const replies = await Promise.all(Array.from({ length: 14 }, (_, n) => login(n, '203.0.113.50')));
    const refused = replies.filter(({ status }) => status === 429);
    const throttled = refused.filter(({ headers }) => headers.get('x-ratelimit-limit') === '10');
    expect(throttled).toHaveLength(4);
    for (const { headers, body } of throttled) {
      expect([headers.get('x-ratelimit-scope'), body.error.code, body.error.remaining]).toEqual([
        'abuse',
        'rate_limited',
        0,
      ]);
      expect(body.error.reset % 60).toBe(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    expect((await login(0, '203.0.113.51')).headers.get('x-ratelimit-limit')).not.toBe('10');
  });
});

describe('attempts to reset a password', () => {
  const attempt = async (tenant: Tenant, email_hash: string): Promise<number> => {
    const answer = await stoa.services.runtime.ask('Limit/AdmitReset', tenant, { email_hash });
    if (!(answer instanceof Refusal)) return 0;
    expect(answer.code).toBe('rate_limited');
    return answer.extra.retryAfterS ?? -1;
  };
  const tenant = (environment: Tenant['environment'] = 'production'): Tenant => ({
    store: crypto.randomUUID(),
    environment,
  });

  test('slows resets of a password past five at one store, past ten at all', async () => {
    const [one, two, three] = [tenant(), tenant(), tenant()];
    const email = crypto.randomUUID();
    for (let n = 0; n < 5; n++) expect(await attempt(one, email)).toBe(0);
    const wait = await attempt(one, email);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    for (let n = 0; n < 5; n++) expect(await attempt(two, email)).toBe(0);
    expect(await attempt(three, email)).toBeGreaterThan(0);
    expect(await attempt(three, crypto.randomUUID())).toBe(0);
    // The sandbox's people are others.
    expect(await attempt({ ...one, environment: 'sandbox' }, email)).toBe(0);
  });
});

describe('while NATS is away', () => {
  test('plans go on from what was left, sign-ins wait, and afterwards all of it counts', async () => {
    const { secret_key } = await limitedStore({ key_hour: 50 });
    const fresh = await stoa.createStore();
    const login = () =>
      sendTo(urls[0], 'POST', '/v1/auth/login', {
        key: fresh.secret_key,
        body: { email: 'nobody@example.com', password: 'not this one' },
      });
    for (let n = 0; n < 10; n++) expect((await read(0, secret_key)).status).toBe(200);
    proxy.freeze();
    proxy.cut();
    try {
      const all: number[] = [];
      for (let n = 0; n < 50; n++) all.push((await read(0, secret_key)).status);
      expect(all).toEqual([...Array(40).fill(200), ...Array(10).fill(429)]);
      // One that was never counted, too.
      expect((await read(0, fresh.secret_key)).status).toBe(200);
      const refused = await login();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    } finally {
      proxy.thaw();
      proxy.cut();
    }
    await eventually(async () => expect((await read(1, secret_key)).status).toBe(429));
    await eventually(async () => expect((await login()).status).toBe(401));
  });
});
