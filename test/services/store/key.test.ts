// A store's keys over HTTP: created, restricted and revoked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { RESOURCES } from '#services/commerce/scope.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { errorFields, type KeyOwner, LIVE_SECRET, openKeyOwner, statusWith as statusOf } from './key_owner.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const EVERY_SCOPE = RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]);

let stoa: Stoa;
let clock: ManualClock;
let owner: KeyOwner;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());
beforeEach(async () => {
  owner = await openKeyOwner(stoa);
});

const statusWith = (key: string, path?: string, url?: string) => statusOf(stoa, key, path, url);

describe('a key', () => {
  test('shows how it begins and ends, and its text at creation alone', async () => {
    const { secret, hmac_secret, ...key } = await owner.create({ name: ' Warehouse ' });
    expect(secret).toMatch(/^svc_sk_live_[0-9a-f]{48}$/);
    expect(hmac_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(hmac_secret).not.toBe(owner.keys.hmac_secret);
    expect(key).toEqual({
      id: expect.any(String),
      ...LIVE_SECRET,
      scopes: null,
      prefix: 'svc_sk_live_',
      last_four: secret.slice(-4),
      created_at: new Date(clock.real()).toISOString(),
      last_used_at: null,
      last_used_address: null,
      expires_at: null,
      revoked: false,
    });
    expect(await owner.listed(key.id)).toEqual(key);
    expect(await statusWith(secret)).toBe(200);
    expect((await owner.list()).map(({ name, type, environment }) => `${name} ${type} ${environment}`).sort()).toEqual([
      'Publishable key publishable production',
      'Publishable key publishable sandbox',
      'Secret key secret production',
      'Secret key secret sandbox',
      'Warehouse secret production',
    ]);
  });

  test('works in its environment, and a publishable one signs nothing', async () => {
    const test = await owner.create({ environment: 'sandbox' });
    const publishable = await owner.create({ type: 'publishable', environment: 'sandbox' });
    expect(test.secret).toMatch(/^svc_sk_test_/);
    expect(publishable.secret).toMatch(/^svc_pk_test_/);
    expect(publishable).not.toHaveProperty('hmac_secret');
    const { headers } = await stoa.send('GET', '/v1/store', { key: publishable.secret });
    expect(headers.get('svc-environment')).toBe('sandbox');
    const { body } = await owner.send('GET', '/v1/keys?environment=sandbox&fields=id');
    expect(body.keys).toHaveLength(4);
  });

  test('lists keys page by page, without a gap', async () => {
    for (const name of ['One', 'Two', 'Three']) await owner.create({ name });
    const names: string[] = [];
    let cursor = '';
    do {
      const { body } = await owner.send('GET', `/v1/keys?limit=2${cursor && `&cursor=${cursor}`}`);
      names.push(...body.keys.map(({ id }: { id: string }) => id));
      cursor = body.pagination.next_cursor;
    } while (cursor);
    expect(names).toEqual((await owner.list()).map(({ id }) => id));
    const { body } = await owner.send('GET', '/v1/keys?limit=2');
    const elsewhere = `/v1/keys?environment=sandbox&cursor=${body.pagination.next_cursor}`;
    expect(errorFields(await owner.send('GET', elsewhere))).toEqual([400, 'invalid_request', 'cursor']);
  });

  test('signs with its own secret, and with no other', async () => {
    const key = await owner.create({ scopes: ['ingestion:write'] });
    const push = (signWith: string) =>
      stoa.send('POST', '/v1/ingestion/push', {
        key: key.secret,
        signWith,
        body: { products: [{ external_id: 'lamp', name: 'Lamp', price: 3 }] },
      });
    expect((await push(key.hmac_secret)).status).toBe(202);
    expect((await push(owner.keys.hmac_secret)).status).toBe(401);
  });

  test('takes a signature to be created, also of another created key', async () => {
    const { secret, hmac_secret } = await owner.create();
    const body = { ...LIVE_SECRET, name: 'Second' };
    expect((await stoa.send('POST', '/v1/keys', { key: secret, body })).status).toBe(400);
    expect((await stoa.send('POST', '/v1/keys', { key: secret, body, signWith: owner.keys.hmac_secret })).status).toBe(
      401,
    );
    expect((await stoa.send('POST', '/v1/keys', { key: secret, body, signWith: hmac_secret })).status).toBe(201);
  });

  test('refuses the 101st key that works', async () => {
    const { sql } = stoa.services.runtime.postgres;
    await sql`
      insert into store.api_key (store, environment, id, type, hash, created_at)
      select ${owner.keys.store_id}::uuid, 'sandbox', gen_random_uuid(), 'secret', sha256(gen_random_uuid()::text::bytea), now()
      from generate_series(1, 96)`;
    const refused = await owner.send('POST', '/v1/keys', { body: LIVE_SECRET });
    expect(errorFields(refused)).toEqual([409, 'conflict', undefined]);
    const [one] = await owner.list();
    expect((await owner.roll(one.id, 1)).status).toBe(409);
    const replaced = await owner.roll(one.id, 0);
    expect(replaced.status).toBe(201);
    await owner.send('DELETE', `/v1/keys/${replaced.body.key.id}`);
    await owner.create();
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: undefined }, 'name'],
    [{ type: 'operator' }, 'type'],
    [{ environment: 'test' }, 'environment'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['orders:read', 'orders:*'] }, 'scopes[1]'],
    [{ scopes: 'orders:read' }, 'scopes'],
    [{ type: 'publishable', scopes: ['orders:read'] }, 'scopes'],
  ])('from %j is refused with the field', async (wrong, param) => {
    const refused = await owner.send('POST', '/v1/keys', { body: { ...LIVE_SECRET, ...wrong } });
    expect(errorFields(refused)).toEqual([400, 'invalid_request', param]);
    expect(await owner.list()).toHaveLength(4);
  });

  test.each([
    [{ overlap_hours: 169 }, 'overlap_hours'],
    [{ overlap_hours: -1 }, 'overlap_hours'],
    [{ overlap_hours: 1.5 }, 'overlap_hours'],
    [{}, 'overlap_hours'],
  ])('is not rolled by %j', async (body, param) => {
    const id = await owner.firstKey();
    expect(errorFields(await owner.send('POST', `/v1/keys/${id}/roll`, { body }))).toEqual([
      400,
      'invalid_request',
      param,
    ]);
    expect(await owner.list()).toHaveLength(4);
  });
});

describe('a restricted key', () => {
  test('opens its scopes and tells the missing one', async () => {
    const { secret } = await owner.create({ scopes: ['catalog:read', 'catalog:read'] });
    expect(await statusWith(secret, '/v1/products')).toBe(200);
    const refused = await stoa.send('GET', '/v1/orders', { key: secret });
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('restricted key lacks the scope `orders:read`');
    expect(refused.body.error.hint).toContain('PATCH /v1/keys/{id}');
    expect((await stoa.send('POST', '/v1/products', { key: secret, body: { name: 'Mug' } })).status).toBe(403);
  });

  test('opens no endpoint of keys, whatever its scopes; nor does a test or a publishable key', async () => {
    const { secret, hmac_secret } = await owner.create({ scopes: EVERY_SCOPE });
    const endpoints = routes.filter(({ path }) => path.startsWith('/v1/keys'));
    expect(endpoints).toHaveLength(5);
    for (const { verb, path } of endpoints)
      for (const [key, signWith] of [
        [secret, hmac_secret],
        [owner.keys.secret_test_key, owner.keys.hmac_test_secret],
        [owner.keys.publishable_key, owner.keys.hmac_secret],
      ] as const) {
        const body = verb === 'POST' || verb === 'PATCH' ? { body: LIVE_SECRET } : {};
        const refused = await stoa.send(verb, path.replace(':id', UNKNOWN_ID), { key, signWith, ...body });
        expect(errorFields(refused), `${verb} ${path}`).toEqual([403, 'forbidden', undefined]);
      }
    expect(await owner.list()).toHaveLength(5);
  });

  test('gets other scopes within a second, at every edge', async () => {
    const { id, secret } = await owner.create({ scopes: ['catalog:read', 'orders:read'] });
    const other = stoa.anotherEdge();
    for (const url of [stoa.url, other.url]) expect(await statusWith(secret, '/v1/orders', url)).toBe(200);
    const changed = await owner.send('PATCH', `/v1/keys/${id}`, { body: { scopes: ['catalog:read'] } });
    const at = performance.now();
    expect(changed.body.key).toMatchObject({ id, name: 'Warehouse', scopes: ['catalog:read'] });
    for (const url of [stoa.url, other.url]) {
      await eventually(async () => expect(await statusWith(secret, '/v1/orders', url)).toBe(403));
      expect(await statusWith(secret, '/v1/products', url)).toBe(200);
    }
    expect(performance.now() - at).toBeLessThan(1_000);
    const full = await owner.send('PATCH', `/v1/keys/${id}`, { body: { scopes: null, name: ' Till ' } });
    expect(full.body.key).toMatchObject({ name: 'Till', scopes: null });
    await eventually(async () => expect(await statusWith(secret, '/v1/orders')).toBe(200));
    const published = (await owner.list()).find(({ type }) => type === 'publishable').id;
    const wrong = { scopes: ['catalog:read'] };
    expect(errorFields(await owner.send('PATCH', `/v1/keys/${published}`, { body: wrong }))).toEqual([
      400,
      'invalid_request',
      'scopes',
    ]);
  });
});

describe('a revoked key', () => {
  test('opens nothing within a second, at every edge, and stays in the list', async () => {
    const { id, secret } = await owner.create();
    const other = stoa.anotherEdge();
    for (const url of [stoa.url, other.url]) expect(await statusWith(secret, '/v1/store', url)).toBe(200);
    const revoked = await owner.send('DELETE', `/v1/keys/${id}`);
    const at = performance.now();
    expect(revoked.body).toEqual({ deleted: true, id });
    for (const url of [stoa.url, other.url])
      await eventually(async () => expect(await statusWith(secret, '/v1/store', url)).toBe(401));
    expect(performance.now() - at).toBeLessThan(1_000);
    expect(await owner.listed(id)).toMatchObject({ revoked: true, expires_at: new Date(clock.real()).toISOString() });
    expect((await owner.send('DELETE', `/v1/keys/${id}`)).status).toBe(404);
    expect((await owner.send('PATCH', `/v1/keys/${id}`, { body: { name: 'Late' } })).status).toBe(404);
    expect((await owner.roll(id, 0)).status).toBe(404);
  });

  test('refuses to end the last full live secret key', async () => {
    const id = await owner.firstKey();
    await owner.create({ scopes: ['store:read'] });
    await owner.create({ environment: 'sandbox' });
    const replaced = (await owner.roll((await owner.create()).id, 24)).body.key;
    await owner.send('DELETE', `/v1/keys/${replaced.id}`);
    expect(errorFields(await owner.send('DELETE', `/v1/keys/${id}`))).toEqual([409, 'conflict', undefined]);
    const restricted = await owner.send('PATCH', `/v1/keys/${id}`, { body: { scopes: ['store:read'] } });
    expect(errorFields(restricted)).toEqual([409, 'conflict', undefined]);
    expect((await owner.send('PATCH', `/v1/keys/${id}`, { body: { name: 'Main' } })).status).toBe(200);
    const second = await owner.create();
    expect((await owner.send('DELETE', `/v1/keys/${id}`)).status).toBe(200);
    expect(await statusWith(second.secret)).toBe(200);
  });

  test('ends one of the last two full keys alone, where 20 requests at once revoke both', async () => {
    const { id: second, secret } = await owner.create();
    const first = await owner.firstKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => owner.send('DELETE', `/v1/keys/${n % 2 ? first : second}`)),
    );
    const counts = Map.groupBy(replies, ({ status }) => status);
    expect(counts.get(200)).toHaveLength(1);
    // A late request finds its key gone, the last one, or the sender's own key ended.
    expect([...counts.keys()].every((status) => [200, 401, 404, 409].includes(status))).toBe(true);
    expect([await statusWith(owner.keys.secret_key), await statusWith(secret)].sort()).toEqual([200, 401]);
  });
});

test('keys of another store do not exist', async () => {
  const { id, secret } = await owner.create();
  const first = owner.keys.secret_key;
  owner = await openKeyOwner(stoa);
  expect(await owner.listed(id)).toBeUndefined();
  expect((await owner.send('PATCH', `/v1/keys/${id}`, { body: { name: 'Mine' } })).status).toBe(404);
  expect((await owner.send('DELETE', `/v1/keys/${id}`)).status).toBe(404);
  expect((await owner.roll(id, 0)).status).toBe(404);
  expect(await statusWith(secret)).toBe(200);
  const { body } = await stoa.send('GET', '/v1/keys?limit=2', { key: first });
  expect((await owner.send('GET', `/v1/keys?cursor=${body.pagination.next_cursor}`)).status).toBe(400);
});
