// StoreAdmin, which the command line calls: stores, keys, operators and plans.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '#proto/gen/store_directory.ts';
import { codeOf, codeWithSuffix } from '#services/store/admin.ts';
import { openStoreHost, type StoreHost } from './host.ts';

describe('codes', () => {
  test.each([
    ['Acme Outdoor', 'acme-outdoor'],
    ['  Čapek & Söhne!  ', 'capek-sohne'],
    ['100% Wool', '100-wool'],
    ['Łódź Straße', 'lodz-strasse'],
    ['日本', 'store'],
    ['---', 'store'],
    ['a'.repeat(80), 'a'.repeat(32)],
    ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-42661417'],
  ])('%j is %s', (name, code) => {
    expect(codeOf(name)).toBe(code);
  });

  test('makes codes that fit a URL and never look like an id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uuid()), (name) => {
        for (const code of [codeOf(name), codeWithSuffix(codeOf(name))]) {
          expect(code).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
          expect(code).not.toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        }
      }),
    );
  });

  test('adds a suffix to a taken code', () => {
    expect(codeWithSuffix('acme')).toMatch(/^acme-[0-9a-f]{8}$/);
  });
});

let host: StoreHost;
beforeAll(async () => {
  host = await openStoreHost();
  await host.start();
});
afterAll(() => host.close());

const hash = (key: string) => ({ key_hash: createHash('sha256').update(key).digest('hex') });
const resolve = async (key: string): Promise<Principal> =>
  (await host.call('StoreDirectory/ResolveKey', {}, hash(key))).principal;
const unknown = async (key: string) => (await host.refused('StoreDirectory/ResolveKey', {}, hash(key))).code;

describe('a new store', () => {
  test('creates a store with four keys, one for each environment and type', async () => {
    const made = await host.newStore({ currency: 'kes', country: 'ke', plan: 'growth' });
    const secrets = { production: made.hmac_secret, sandbox: made.hmac_test_secret };
    expect(secrets.production).not.toBe(secrets.sandbox);
    for (const [key, key_type, environment] of [
      [made.secret_key, 'secret', 'production'],
      [made.publishable_key, 'publishable', 'production'],
      [made.secret_test_key, 'secret', 'sandbox'],
      [made.publishable_test_key, 'publishable', 'sandbox'],
    ] as const) {
      expect(await resolve(key)).toEqual({
        key_id: expect.any(String),
        key_type,
        store_id: made.store_id,
        environment,
        plan: 'growth',
        trial: false,
        limits: {
          key_hour: 30_000,
          key_day: 150_000,
          network_hour: 5_000,
          month: environment === 'sandbox' ? 0 : 1_000_000,
        },
        hmac_secret: secrets[environment],
        previous_hmac_secret: null,
        currency: 'KES',
        operator_stores: [],
        wholesale: false,
        languages: ['en'],
      });
    }
  });

  test('creates a store with the documented defaults', async () => {
    const { store_id, code } = await host.newStore({ name: 'Fresh Start' });
    expect(code).toBe('fresh-start');
    const profile = await host.call('StoreDirectory/GetProfile', {}, { store: code });
    expect(profile).toMatchObject({
      id: store_id,
      plan: 'starter',
      trial: false,
      lapsed: false,
      timezone: 'UTC',
      country: null,
      return_window_days: 30,
      cart_abandoned_after_minutes: 60,
      intent_ttl_minutes: 30,
      feeds: { llms_enabled: true, products_enabled: false },
    });
    expect(await host.call('StoreDirectory/GetProfile', {}, { store: store_id })).toEqual(profile);
  });

  test('gives a store whose name is taken another code', async () => {
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await host.newStore({ name: 'Twin' })).code);
    expect(codes[0]).toBe('twin');
    expect(new Set(codes).size).toBe(3);
    for (const code of codes) expect(code).toMatch(/^twin(-[0-9a-f]{8})?$/);
  });

  test('publishes no llms.txt for wholesale, and reads trial as a trial of starter', async () => {
    const { code } = await host.newStore({ name: 'Bulk', wholesale: true, plan: 'trial' });
    expect(await host.call('StoreDirectory/GetProfile', {}, { store: code })).toMatchObject({
      plan: 'starter',
      trial: true,
      wholesale_enabled: true,
      feeds: { llms_enabled: false },
    });
  });

  test.each([
    [{ name: 'A', currency: 'ZZZ' }, 'currency'],
    [{ name: 'A', currency: 'USD', country: 'UK' }, 'country'],
  ])('%j is refused', async (request, param) => {
    expect(await host.refused('StoreAdmin/CreateStore', {}, request)).toMatchObject({
      code: 'invalid_request',
      extra: { param },
    });
  });

  test('stores no key or secret of a new store in readable form', async () => {
    const made = await host.newStore({ name: 'Quiet' });
    const tables = await host.postgres.sql<{ text: string }[]>`
      select to_jsonb(k)::text as text from store.api_key k
      union all select to_jsonb(e)::text from store.environment e
      union all select to_jsonb(s)::text from store.store s`;
    const everything = tables.map((row) => row.text).join('\n');
    expect(everything).toContain(made.store_id);
    const { store_id: _id, code: _code, ...secrets } = made;
    for (const secret of Object.values(secrets)) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('keys', () => {
  test('resolves no unknown key', async () => {
    expect(await unknown('svc_sk_live_0000')).toBe('not_found');
  });

  test('revokes only the named key, by text or by id', async () => {
    const made = await host.newStore();
    const { key_id } = await resolve(made.publishable_key);
    await resolve(made.secret_key);
    await host.call('StoreAdmin/RevokeKey', {}, { key: made.secret_key });
    expect(await unknown(made.secret_key)).toBe('not_found');
    await host.call('StoreAdmin/RevokeKey', {}, { key_id });
    expect(await unknown(made.publishable_key)).toBe('not_found');
    expect((await resolve(made.secret_test_key)).store_id).toBe(made.store_id);
    expect(await host.refused('StoreAdmin/RevokeKey', {}, { key: made.secret_key })).toMatchObject({
      code: 'not_found',
    });
    expect(await host.refused('StoreAdmin/RevokeKey', {}, {})).toMatchObject({ code: 'invalid_request' });
  });

  test.each([
    ['secret', 'sandbox', 'secret_test_key'],
    ['publishable', 'production', 'publishable_key'],
  ] as const)('rotate: the %s key of the %s', async (kind, environment, name) => {
    const made = await host.newStore();
    await resolve(made[name]);
    const rotated = await host.call('StoreAdmin/RotateKeys', {}, { store: made.code, environment, kind });
    expect(await unknown(made[name])).toBe('not_found');
    expect(await resolve(rotated.value)).toMatchObject({ key_type: kind, environment, store_id: made.store_id });
    const others = ['secret_key', 'publishable_key', 'secret_test_key', 'publishable_test_key'] as const;
    for (const other of others) if (other !== name) expect((await resolve(made[other])).store_id).toBe(made.store_id);
  });

  test('rotates the HMAC secret of one environment', async () => {
    const made = await host.newStore();
    await resolve(made.secret_key);
    const { value } = await host.call('StoreAdmin/RotateKeys', {}, { store: made.store_id, kind: 'hmac' });
    expect(value).not.toBe(made.hmac_secret);
    expect((await resolve(made.secret_key)).hmac_secret).toBe(value);
    expect((await resolve(made.secret_test_key)).hmac_secret).toBe(made.hmac_test_secret);
  });

  test('notifies every host of a changed store, for both environments', async () => {
    const made = await host.newStore();
    host.notices.length = 0;
    await host.call('StoreAdmin/RevokeKey', {}, { key: made.secret_key });
    const whole = { revision: 0, ids: [] };
    expect(host.notices).toEqual([
      { kind: 'store', tenant: { store: made.store_id, environment: 'production' }, ...whole },
      { kind: 'store', tenant: { store: made.store_id, environment: 'sandbox' }, ...whole },
    ]);
  });
});

describe('operators', () => {
  test('gives an operator two keys over its stores', async () => {
    const [one, two] = [await host.newStore({ name: 'One' }), await host.newStore({ name: 'Two' })];
    const made = await host.call('StoreAdmin/CreateOperator', {}, { name: 'Market', stores: [one.store_id, two.code] });
    const live = await resolve(made.operator_key);
    expect(live).toMatchObject({
      key_type: 'operator',
      store_id: made.operator_id,
      environment: 'production',
      limits: { key_hour: 0, key_day: 0, network_hour: 0, month: 0 },
      hmac_secret: null,
      currency: null,
    });
    expect([...live.operator_stores].sort()).toEqual([one.store_id, two.store_id].sort());
    expect(await resolve(made.operator_test_key)).toMatchObject({ environment: 'sandbox' });
    await host.call('StoreAdmin/RevokeKey', {}, { key: made.operator_key });
    expect(await unknown(made.operator_key)).toBe('not_found');
  });

  test('refuses an operator over an unknown store', async () => {
    const { code } = await host.newStore({ name: 'Real' });
    const refusal = await host.refused('StoreAdmin/CreateOperator', {}, { name: 'M', stores: [code, 'nowhere'] });
    expect(refusal).toMatchObject({ code: 'not_found', extra: { param: 'stores[1]' } });
    const [count] = await host.postgres.sql`select count(*) as n from store.operator where name = 'M'`;
    expect(count?.n).toBe(0);
  });
});

describe('plans', () => {
  test('changes the limits of every key with the plan', async () => {
    const made = await host.newStore({ plan: 'starter' });
    expect((await resolve(made.secret_key)).limits.key_hour).toBe(10_000);
    const plan = await host.call('StoreAdmin/SetPlan', {}, { store: made.code, plan: 'premium', trial: true });
    expect(plan).toMatchObject({ plan: 'premium', trial: true, lapsed: false, limits: { month: 1_000_000 } });
    expect(await resolve(made.secret_key)).toMatchObject({ plan: 'premium', trial: true, limits: { key_hour: 2_500 } });
  });

  test('lapses a store and restores it when a plan is set', async () => {
    const { code } = await host.newStore();
    const lapsed = async () => (await host.call('StoreDirectory/GetProfile', {}, { store: code })).lapsed;
    expect(await lapsed()).toBe(false);
    await host.call('StoreAdmin/SetLapsed', {}, { store: code });
    expect(await lapsed()).toBe(true);
    await host.call('StoreAdmin/SetLapsed', {}, { store: code, lapsed: false });
    expect(await lapsed()).toBe(false);
    await host.call('StoreAdmin/SetLapsed', {}, { store: code });
    await host.call('StoreAdmin/SetPlan', {}, { store: code, plan: 'growth' });
    expect(await lapsed()).toBe(false);
  });

  test('overrides single limits and removes the overrides', async () => {
    const made = await host.newStore();
    const set = (limits: object) => host.call('StoreAdmin/SetLimits', {}, { store: made.code, ...limits });
    expect((await set({ key_hour: 5, month: 9 })).limits).toMatchObject({ key_hour: 5, key_day: 50_000, month: 9 });
    expect((await set({ key_day: 7 })).limits).toMatchObject({ key_hour: 5, key_day: 7, month: 9 });
    expect((await set({ key_hour: null })).limits).toMatchObject({ key_hour: 10_000, key_day: 7, month: 9 });
    expect((await resolve(made.publishable_key)).limits).toMatchObject({ key_hour: 10_000, key_day: 7, month: 9 });
    expect((await resolve(made.publishable_test_key)).limits).toMatchObject({ key_day: 7, month: 0 });
  });

  test.each([
    ['SetPlan', { plan: 'growth' }],
    ['SetLapsed', {}],
    ['SetLimits', { key_hour: 1 }],
    ['RotateKeys', {}],
    ['CreateExternalAuthSecret', {}],
  ])('%s of a store that does not exist is refused', async (method, rest) => {
    const refusal = await host.refused(`StoreAdmin/${method}`, {}, { store: 'nowhere', ...rest });
    expect(refusal).toMatchObject({ code: 'not_found', extra: { param: 'store' } });
  });
});

test('replaces the external-auth secret at each call and seals it', async () => {
  const { code, store_id } = await host.newStore();
  const first = await host.call('StoreAdmin/CreateExternalAuthSecret', {}, { store: code, environment: 'sandbox' });
  const second = await host.call('StoreAdmin/CreateExternalAuthSecret', {}, { store: code, environment: 'sandbox' });
  expect(first.external_auth_secret).not.toBe(second.external_auth_secret);
  const rows = await host.postgres.sql<{ environment: string; external_auth_secret: Uint8Array | null }[]>`
    select environment, external_auth_secret from store.environment where store = ${store_id} order by environment`;
  expect(rows[0]).toMatchObject({ environment: 'production', external_auth_secret: null });
  const sealed = rows[1]!.external_auth_secret!;
  expect(host.runtime.seal.open(sealed, `store/${store_id}/sandbox/external_auth`)).toBe(second.external_auth_secret);
});
