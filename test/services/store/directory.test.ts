// StoreDirectory, which the edge and other domains call, with and without the database.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Unavailable } from '#runtime/call/fault.ts';
import { NOW, openStoreHost, type StoreHost } from './host.ts';

let host: StoreHost;
beforeAll(async () => {
  host = await openStoreHost();
});
afterAll(() => host.close());

describe('profiles and keys', () => {
  test('finds no store by an unknown name', async () => {
    for (const store of ['nowhere', '00000000-0000-4000-8000-000000000000', "'; drop table", '']) {
      const refusal = await host.refused('StoreDirectory/GetProfile', {}, { store });
      expect(refusal).toMatchObject({ code: 'not_found' });
    }
  });

  test('finds a store by its code and its id, in any letter case of the id', async () => {
    const { store_id, code } = await host.newStore({ name: 'Found' });
    for (const store of [code, store_id, store_id.toUpperCase()]) {
      expect((await host.call('StoreDirectory/GetProfile', {}, { store })).id).toBe(store_id);
    }
  });

  test('answers from cache for as long as the database is away', async () => {
    const away = await openStoreHost();
    const made = await away.newStore();
    const key_hash = createHash('sha256').update(made.secret_key).digest('hex');
    const before = await away.call('StoreDirectory/ResolveKey', {}, { key_hash });
    const profile = await away.call('Store/GetStore', { store: made.store_id, keyType: 'publishable' });
    await away.postgres.close();
    away.clock.advance(3_600_000);
    expect(away.clock.real()).toBe(NOW + 3_600_000);
    for (let i = 0; i < 3; i++) {
      expect(await away.call('StoreDirectory/ResolveKey', {}, { key_hash })).toEqual(before);
      expect(await away.call('Store/GetStore', { store: made.store_id, keyType: 'publishable' })).toEqual(profile);
    }
    const other = { key_hash: createHash('sha256').update('other').digest('hex') };
    expect(await away.refused('StoreDirectory/ResolveKey', {}, other)).toMatchObject({ code: 'service_unavailable' });
    await expect(away.postgres.sql`select 1`).rejects.toBeInstanceOf(Unavailable);
    await away.close();
  });
});
