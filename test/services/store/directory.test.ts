// What the house asks of stores: counters that edges share, and what is known while the database is not there.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UsageEntry } from '#proto/gen/store.ts';
import { Unavailable } from '#runtime/fault.ts';
import { type Caller, NOW, openStoreHost, type StoreHost } from './host.ts';

let host: StoreHost;
beforeAll(async () => {
  host = await openStoreHost();
});
afterAll(() => host.close());

const HOUR = Date.UTC(2026, 10, 21, 9) / 1000;
const DAY = Date.UTC(2026, 10, 21) / 1000;
const KEY = '6f6f6f6f-0000-4000-8000-000000000001';

const record = async (caller: Caller, entries: object[]) =>
  (await host.call('StoreDirectory/RecordUsage', caller, { entries })).entries;
const current = async (caller: Caller, counters: object[]) =>
  (await host.call('StoreDirectory/ReadUsage', caller, { counters })).entries;

describe('counters', () => {
  test('add up what every edge reports, and each is told the sum', async () => {
    const { store_id: store } = await host.newStore();
    const caller: Caller = { store };
    const entry = { scope: 'key_hour', subject: KEY, window_start: HOUR };
    expect(await record(caller, [{ ...entry, count: 3 }])).toEqual([{ ...entry, count: 3, store }]);
    expect(await record(caller, [{ ...entry, count: 4 }])).toEqual([{ ...entry, count: 7, store }]);
    expect(await current(caller, [{ scope: 'key_hour', subject: KEY }])).toEqual([{ ...entry, count: 7, store }]);
  });

  test('lose nothing when many edges report at once, in whatever order', async () => {
    const { store_id: store } = await host.newStore();
    const entries = [
      { scope: 'key_hour', subject: KEY, window_start: HOUR, count: 1 },
      { scope: 'key_day', subject: KEY, window_start: DAY, count: 1 },
      { scope: 'network_hour', subject: '203.0.113.9', window_start: HOUR, count: 1 },
      { scope: 'network_hour', subject: '2001:db8::/64', window_start: HOUR, count: 1 },
    ];
    const reports = Array.from({ length: 20 }, (_, n) => (n % 2 ? entries : [...entries].reverse()));
    await Promise.all(reports.map((report) => record({ store }, report)));
    const sums = await current(
      { store },
      entries.map(({ scope, subject }) => ({ scope, subject })),
    );
    expect(sums.map((sum: { count: number }) => sum.count)).toEqual([20, 20, 20, 20]);
  });

  test('take one counter named twice in a report as its sum', async () => {
    const { store_id: store } = await host.newStore();
    const entry = { scope: 'month', window_start: Date.UTC(2026, 10) / 1000 };
    const sums = await record({ store }, [
      { ...entry, count: 2 },
      { ...entry, count: 5 },
    ]);
    expect(sums).toEqual([{ ...entry, subject: '', count: 7, store }]);
  });

  test('are those of the windows open now', async () => {
    const { store_id: store } = await host.newStore();
    await record({ store }, [{ scope: 'key_hour', subject: KEY, window_start: HOUR - 3600, count: 9 }]);
    expect(await current({ store }, [{ scope: 'key_hour', subject: KEY }])).toEqual([]);
    expect(await current({ store }, [])).toEqual([]);
  });

  test('are each store’s own, one report or many', async () => {
    const [one, two] = [(await host.newStore()).store_id, (await host.newStore()).store_id];
    const entry = { scope: 'network_hour', subject: '203.0.113.9', window_start: HOUR };
    const sums = await record({}, [
      { ...entry, store: one, count: 2 },
      { ...entry, store: two, count: 5 },
      { ...entry, store: one, count: 1 },
    ]);
    expect(new Map(sums.map((sum: UsageEntry) => [sum.store, sum.count]))).toEqual(
      new Map([
        [one, 3],
        [two, 5],
      ]),
    );
    await record({ store: two }, [{ ...entry, count: 1 }]);
    const counter = [{ scope: 'network_hour', subject: '203.0.113.9' }];
    expect(await current({ store: one }, counter)).toEqual([{ ...entry, store: one, count: 3 }]);
    expect(await current({ store: two }, counter)).toEqual([{ ...entry, store: two, count: 6 }]);
  });

  test('are the whole store’s: one plan admits both environments', async () => {
    const { store_id: store } = await host.newStore();
    const entry = { scope: 'network_hour', subject: '203.0.113.9', window_start: HOUR };
    await record({ store, environment: 'sandbox' }, [{ ...entry, count: 2 }]);
    await record({ store, environment: 'production' }, [{ ...entry, count: 3 }]);
    const [sum] = await current({ store, environment: 'sandbox' }, [{ scope: 'network_hour', subject: '203.0.113.9' }]);
    expect(sum.count).toBe(5);
  });

  test('of an operator need no store', async () => {
    const operator = '9a9a9a9a-0000-4000-8000-000000000009';
    const [sum] = await record({ store: operator }, [
      { scope: 'key_hour', subject: KEY, window_start: HOUR, count: 1 },
    ]);
    expect(sum.count).toBe(1);
  });
});

describe('profiles and keys', () => {
  test('a name that nobody has is not found', async () => {
    for (const store of ['nowhere', '00000000-0000-4000-8000-000000000000', "'; drop table", '']) {
      const refusal = await host.refused('StoreDirectory/GetProfile', {}, { store });
      expect(refusal).toMatchObject({ code: 'not_found' });
    }
  });

  test('a store is found by its code and its id, in any letter case of the id', async () => {
    const { store_id, code } = await host.newStore({ name: 'Found' });
    for (const store of [code, store_id, store_id.toUpperCase()]) {
      expect((await host.call('StoreDirectory/GetProfile', {}, { store })).id).toBe(store_id);
    }
  });

  test('what was asked for once is known while the database is away, for as long as it takes', async () => {
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
