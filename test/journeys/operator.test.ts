// An operator runs the platform: ends and replaces keys, sets limits, lets a subscription lapse and run again, and watches
// what merchants and the public see of it.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const admin = async <R extends RpcName>(rpc: R, input: RpcRequest<R>): Promise<RpcResponse<R>> =>
  ok(await stoa.services.runtime.ask(rpc, NO_TENANT, input));

/** The promise is a second. Machines may freeze for longer; an edge without notices revalidates after thirty. */
const WITHIN_MS = 15_000;

describe('keys', () => {
  test('closes a revoked key and no other, for cached reads too', async () => {
    const { keys, publishable } = await openMerchant(stoa);
    const read = (key: string) => stoa.send('GET', '/v1/products', { key });
    for (const _ of [1, 2]) expect((await publishable('GET', '/v1/products')).status).toBe(200);
    await admin('StoreAdmin/RevokeKey', { key: keys.publishable_key });
    await eventually(async () => expect((await read(keys.publishable_key)).status).toBe(401), WITHIN_MS);
    for (const key of [keys.secret_key, keys.secret_test_key, keys.publishable_test_key])
      expect((await read(key)).status).toBe(200);
    expect((await read(keys.publishable_key)).text).not.toContain('products');
  });

  test('ends rotated keys at once, each kind and environment on its own', async () => {
    const { keys } = await openMerchant(stoa);
    const open = async (key: string) => (await stoa.send('GET', '/v1/products', { key })).status === 200;
    const names = ['secret_key', 'publishable_key', 'secret_test_key', 'publishable_test_key'] as const;
    const kinds = {
      secret_key: 'secret',
      publishable_key: 'publishable',
      secret_test_key: 'secret',
      publishable_test_key: 'publishable',
    } as const;
    const now: Record<string, string> = Object.fromEntries(names.map((name) => [name, keys[name]]));
    for (const name of names) {
      const { value } = await admin('StoreAdmin/RotateKeys', {
        store: keys.store_id,
        kind: kinds[name],
        environment: name.includes('test') ? 'sandbox' : 'production',
      });
      expect(value.split('_').slice(0, 3)).toEqual(keys[name].split('_').slice(0, 3));
      now[name] = value;
      await eventually(async () => expect(await open(keys[name])).toBe(false), WITHIN_MS);
      for (const other of names) expect(await open(now[other]!), other).toBe(true);
    }
  });

  test('sign with the new HMAC secret alone once it is rotated', async () => {
    const { keys } = await openMerchant(stoa);
    const push = (signWith: string) =>
      stoa.send('POST', '/v1/ingestion/push', { key: keys.secret_key, signWith, body: { products: [] } });
    expect((await push(keys.hmac_secret)).status).toBe(202);
    const { value } = await admin('StoreAdmin/RotateKeys', { store: keys.store_id, kind: 'hmac' });
    await eventually(async () => expect((await push(keys.hmac_secret)).status).toBe(401), WITHIN_MS);
    expect((await push(value)).status).toBe(202);
  });
});

describe('limits', () => {
  beforeEach(() => awayFromWindowEnd('key_hour', 20_000));

  const until429 = async (merchant: Merchant, key: string, most: number): Promise<number> => {
    for (let count = 0; count <= most; count++) {
      const { status } = await stoa.send('GET', '/v1/features', { key });
      if (status === 429) return count;
    }
    throw new Error(`${merchant.keys.code} was never limited.`);
  };

  test('enforces limits exactly: the last request passes, the next does not, and a raise opens again', async () => {
    const merchant = await openMerchant(stoa);
    const { store_id: store, secret_key: key } = merchant.keys;
    await admin('StoreAdmin/SetLimits', { store, key_hour: 7 });
    await eventually(async () =>
      expect((await stoa.send('GET', '/v1/features', { key })).headers.get('x-ratelimit-limit')).toBe('7'),
    );
    const left = Number((await stoa.send('GET', '/v1/features', { key })).headers.get('x-ratelimit-remaining'));
    expect(await until429(merchant, key, 10)).toBe(left);
    const refused = await stoa.send('GET', '/v1/features', { key });
    expect(refused.body.error).toMatchObject({ code: 'rate_limited', remaining: 0 });
    expect(refused.body.error.reset % 3_600).toBe(0);
    expect([refused.headers.get('x-ratelimit-scope'), refused.headers.get('svc-environment')]).toEqual([
      'abuse',
      'production',
    ]);
    await admin('StoreAdmin/SetLimits', { store, key_hour: 20 });
    await eventually(async () => expect((await stoa.send('GET', '/v1/features', { key })).status).toBe(200), WITHIN_MS);
  });

  test('answers when a daily or monthly limit ends', async () => {
    const day = await openMerchant(stoa);
    await admin('StoreAdmin/SetLimits', { store: day.keys.store_id, key_day: 1 });
    await eventually(async () => expect((await day.secret('GET', '/v1/features')).status).toBe(429));
    const daily = (await day.secret('GET', '/v1/features')).body.error;
    expect([daily.code, daily.reset % 86_400]).toEqual(['rate_limited', 0]);

    const month = await openMerchant(stoa);
    await admin('StoreAdmin/SetLimits', { store: month.keys.store_id, month: 1 });
    await eventually(async () => expect((await month.secret('GET', '/v1/features')).status).toBe(429));
    const monthly = await month.secret('GET', '/v1/features');
    expect(monthly.body.error.code).toBe('quota_exceeded');
    const end = new Date(Number(monthly.headers.get('x-ratelimit-reset')) * 1000);
    expect([end.getUTCDate(), end.getUTCHours(), end.getUTCMinutes()]).toEqual([1, 0, 0]);
    expect(Number(monthly.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await month.test('GET', '/v1/features')).status).toBe(200);
  });

  test('counts no refused requests of unknown callers, and no 429 against the month', async () => {
    const merchant = await openMerchant(stoa);
    const used = async (): Promise<number> => {
      const tenant = { store: merchant.keys.store_id, environment: 'production' } as const;
      return ((await stoa.services.runtime.ask('Limit/GetMonth', tenant, {})) as { spent: number }).spent;
    };
    for (let count = 0; count < 5; count++)
      await stoa.send('GET', '/v1/features', { key: `svc_sk_live_${'0'.repeat(40)}` });
    // Refused for the kind of key, but counted.
    for (let count = 0; count < 4; count++)
      expect((await merchant.publishable('POST', '/v1/products', {})).status).toBe(403);
    let admitted = 4;
    await admin('StoreAdmin/SetLimits', { store: merchant.keys.store_id, key_hour: 4 });
    await eventually(async () => {
      const { status } = await merchant.publishable('GET', '/v1/features');
      if (status === 200) admitted++;
      expect(status).toBe(429);
    });
    for (let count = 0; count < 5; count++)
      expect((await merchant.publishable('GET', '/v1/features')).status).toBe(429);
    expect((await merchant.secret('GET', '/v1/features')).status).toBe(200);
    await eventually(async () => expect(await used()).toBe(admitted + 1));
  });

  test('gives each plan its documented limits', async () => {
    for (const [plan, keyHour, month] of [
      ['starter', 10_000, 100_000],
      ['growth', 30_000, 1_000_000],
      ['premium', 150_000, 5_000_000],
    ] as const) {
      const { secret } = await openMerchant(stoa, { plan });
      const { headers, body } = await secret('GET', '/v1/usage');
      expect([headers.get('x-ratelimit-limit'), body.usage.quota], plan).toEqual([
        String(Math.min(keyHour, month)),
        month,
      ]);
    }
    const enterprise = await openMerchant(stoa, { plan: 'enterprise' });
    const { headers, body } = await enterprise.secret('GET', '/v1/usage');
    expect([headers.get('x-ratelimit-limit'), body.usage.quota, body.usage.remaining]).toEqual([null, null, null]);
    const trial = await openMerchant(stoa, { plan: 'trial' });
    const tried = await trial.secret('GET', '/v1/usage');
    expect(tried.headers.get('x-ratelimit-limit')).toBe('2500');
    expect(tried.body.usage).toMatchObject({ plan: 'starter', trial: true, quota: 20_000 });
  });
});

describe('a subscription', () => {
  test('withdraws the feeds of a lapsed subscription, and restores them when it is renewed', async () => {
    const { keys, secret, publishable, createProduct } = await openMerchant(stoa);
    await createProduct();
    await secret('PATCH', '/v1/store', { feeds: { products_enabled: true } });
    const feeds = ['llms.txt', 'products.json', 'products.xml'].map((file) => `/v1/feeds/${keys.code}/${file}`);
    const statuses = async () => Promise.all(feeds.map(async (path) => (await stoa.send('GET', path)).status));
    await eventually(async () => expect(await statuses()).toEqual([200, 200, 200]));
    const tag = (await stoa.send('GET', feeds[0]!)).headers.get('etag')!;
    await admin('StoreAdmin/SetLapsed', { store: keys.store_id, lapsed: true });
    await eventually(async () => expect(await statuses()).toEqual([404, 404, 404]), WITHIN_MS);
    const held = await stoa.send('GET', feeds[0]!, { headers: { 'If-None-Match': tag } });
    expect([held.status, held.headers.get('etag')]).toEqual([404, null]);
    expect((await publishable('GET', '/v1/products')).status).toBe(200);
    await admin('StoreAdmin/SetPlan', { store: keys.store_id, plan: 'premium' });
    await eventually(async () => expect(await statuses()).toEqual([200, 200, 200]), WITHIN_MS);
    await admin('StoreAdmin/SetPlan', { store: keys.store_id, plan: 'premium', trial: true });
    await eventually(async () => expect(await statuses()).toEqual([404, 404, 404]), WITHIN_MS);
  });

  test('publishes llms.txt of a wholesale store only once it is turned on', async () => {
    const { keys, secret } = await openMerchant(stoa, { wholesale: true });
    const status = async () => (await stoa.send('GET', `/v1/feeds/${keys.store_id}/llms.txt`)).status;
    expect(await status()).toBe(404);
    await secret('PATCH', '/v1/store', { feeds: { llms_enabled: true } });
    await eventually(async () => expect(await status()).toBe(200), WITHIN_MS);
    await secret('PATCH', '/v1/store', { feeds: { llms_enabled: false } });
    await eventually(async () => expect(await status()).toBe(404), WITHIN_MS);
  });
});
