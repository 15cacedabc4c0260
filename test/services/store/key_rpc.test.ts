// Keys that are rolled: the former one works until its overlap ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { type KeyOwner, openKeyOwner, statusWith as statusOf } from './key_owner.ts';

const HOUR_MS = 3_600_000;

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
