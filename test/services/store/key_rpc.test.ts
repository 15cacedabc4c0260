// Keys that are rolled, whose overlap ends by the clock, and keys in the dashboard, where the owner alone manages them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { dashboard, join } from '#test/services/staff/client.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';
import { errorFields, type KeyOwner, LIVE_SECRET, openKeyOwner, statusWith as statusOf } from './key_owner.ts';

const HOUR_MS = 3_600_000;

let stoa: Stoa;
let clock: ManualClock;
let owner: KeyOwner;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock, trustedProxies: '127.0.0.1' });
});
afterAll(() => stoa.stop());
beforeEach(async () => {
  owner = await openKeyOwner(stoa);
});

const statusWith = (key: string, path?: string, url?: string) => statusOf(stoa, key, path, url);

describe('a rolled key', () => {
  test('works beside the new one until the overlap ends', async () => {
    const former = await owner.create({ scopes: ['store:read'] });
    const ends = new Date(clock.real() + 24 * HOUR_MS).toISOString();
    const reply = await owner.roll(former.id, 24);
    const { key: replaced } = reply.body;
    expect(reply.status).toBe(201);
    expect(replaced).toMatchObject({ name: 'Warehouse', scopes: ['store:read'], expires_at: null, revoked: false });
    expect(replaced.secret).not.toBe(former.secret);
    expect(replaced.hmac_secret).not.toBe(former.hmac_secret);
    expect(await owner.listed(former.id)).toMatchObject({ expires_at: ends, revoked: false });
    for (const { secret } of [former, replaced]) expect(await statusWith(secret)).toBe(200);
    const again = await owner.roll(former.id, 0);
    expect([again.status, again.body.error.details]).toEqual([409, `This one works until ${ends}.`]);

    const both = async () => {
      // The edge remembers a key for a minute of real time, which this clock jumps over.
      stoa.edge.edge.principals.invalidateAll();
      return [await statusWith(former.secret), await statusWith(replaced.secret)];
    };
    clock.advance(24 * HOUR_MS - 1);
    expect(await both()).toEqual([200, 200]);
    clock.advance(1);
    expect(await both()).toEqual([401, 200]);
    expect(await owner.listed(former.id)).toMatchObject({ expires_at: ends, revoked: true });
  });

  test('ends at once without an overlap, be it the last full one', async () => {
    const reply = await owner.roll(await owner.firstKey(), 0);
    const { secret } = reply.body.key;
    expect(await statusWith(owner.keys.secret_key)).toBe(401);
    expect(await statusWith(secret)).toBe(200);
  });

  test('may be revoked before its overlap ends', async () => {
    const former = await owner.create();
    await owner.roll(former.id, 168);
    expect((await owner.send('DELETE', `/v1/keys/${former.id}`)).status).toBe(200);
    expect(await statusWith(former.secret)).toBe(401);
  });

  test('rolls once for 20 requests under one idempotency key, and shows its text to all', async () => {
    const { id } = await owner.create();
    const headers = { 'Idempotency-Key': 'roll once' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        eventually(async () => {
          const reply = await owner.roll(id, 24, { headers });
          // Still running: the answer asks to come again.
          expect(reply.status, reply.text).toBe(201);
          return reply;
        }),
      ),
    );
    expect(new Set(replies.map(({ body }) => body.key.secret)).size).toBe(1);
    expect(await owner.list()).toHaveLength(6);
  });

  test('rolls once for 20 requests at once', async () => {
    const { id } = await owner.create();
    const replies = await Promise.all(Array.from({ length: 20 }, () => owner.roll(id, 24)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await owner.list()).toHaveLength(6);
  });
});

test('the audit log tells what became of a key, and no text of it', async () => {
  const key = await owner.create({ scopes: ['orders:read'] });
  await owner.send('PATCH', `/v1/keys/${key.id}`, { body: { name: 'Till', scopes: ['orders:write'] } });
  const replaced = (await owner.roll(key.id, 24)).body.key;
  await owner.send('DELETE', `/v1/keys/${replaced.id}`);
  const secrets = [key, replaced].flatMap(({ secret, hmac_secret }) => [secret, hmac_secret]);
  const { text, body } = await owner.send('GET', '/v1/audit-log');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  const changes = body.audit_log.map(({ operation, resource, before, after }: Reply['body']) => [
    `${operation} ${resource.type} ${resource.id}`,
    before,
    after,
  ]);
  expect(changes).toEqual([
    [`deleteKey key ${replaced.id}`, expect.objectContaining({ name: 'Till' }), null],
    [
      `rollKey key ${key.id}`,
      { expires_at: null, replaced_by: null },
      { expires_at: new Date(clock.real() + 24 * HOUR_MS).toISOString(), replaced_by: replaced.id },
    ],
    [
      `updateKey key ${key.id}`,
      { name: 'Warehouse', scopes: ['orders:read'] },
      { name: 'Till', scopes: ['orders:write'] },
    ],
    [`createKey key ${key.id}`, null, expect.objectContaining({ name: 'Warehouse', scopes: ['orders:read'] })],
  ]);
});

describe('in the dashboard', () => {
  test('an owner creates, rolls and revokes keys without a signature', async () => {
    const { cookie } = await join(stoa, owner.keys, 'owner');
    const write = (verb: string, path: string, body?: object) =>
      dashboard(stoa, verb, path, { cookie, body, headers: { 'Idempotency-Key': `${verb} ${path}` } });
    const created = await write('POST', '/v1/keys', LIVE_SECRET);
    expect(created.status, created.text).toBe(201);
    const { id, secret } = created.body.key;
    expect(await statusWith(secret)).toBe(200);
    expect((await write('PATCH', `/v1/keys/${id}`, { scopes: ['orders:read'] })).status).toBe(200);
    const rolled = await write('POST', `/v1/keys/${id}/roll`, { overlap_hours: 0 });
    expect(rolled.body.key).toMatchObject({ name: 'Warehouse', scopes: ['orders:read'] });
    expect((await write('DELETE', `/v1/keys/${rolled.body.key.id}`)).status).toBe(200);
    expect((await dashboard(stoa, 'GET', '/v1/keys', { cookie })).body.keys).toHaveLength(6);
    const sandbox = await dashboard(stoa, 'GET', '/v1/keys', { cookie, environment: 'sandbox' });
    expect(errorFields(sandbox)).toEqual([403, 'forbidden', undefined]);
  });

  test.each(['manager', 'analyst'] as const)('a %s sees and changes none', async (role) => {
    const { cookie } = await join(stoa, owner.keys, role);
    const id = await owner.firstKey();
    for (const [verb, path, body] of [
      ['GET', '/v1/keys', undefined],
      ['POST', '/v1/keys', LIVE_SECRET],
      ['PATCH', `/v1/keys/${id}`, { name: 'Mine' }],
      ['POST', `/v1/keys/${id}/roll`, { overlap_hours: 0 }],
      ['DELETE', `/v1/keys/${id}`, undefined],
    ] as const) {
      const headers = { 'Idempotency-Key': 'once' };
      const refused = await dashboard(stoa, verb, path, { cookie, body, headers });
      expect(errorFields(refused), `${verb} ${path}`).toEqual([403, 'forbidden', undefined]);
      expect(refused.body.error.hint).toContain('owner');
    }
    expect(await owner.list()).toHaveLength(4);
  });
});
