// A sandbox reset during saving: an index read before the reset is not stored after it.
import { beforeAll, describe, expect, test } from 'vitest';
import { openSavedIndexes, type SavedIndexes } from '#services/search/index_storage.ts';
import { SearchStore } from '#services/search/search_store.ts';
import { TrainedVectors } from '#services/search/semantic/trained.ts';
import { openSource } from '#services/search/source.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const send = async (keys: Keys, path: string, body: unknown) => {
  const reply = await stoa.send('POST', path, { key: keys.secret_test_key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
};
const reset = (keys: Keys) => send(keys, '/v1/sandbox/reset', {});
const sandbox = async (): Promise<Keys> => {
  const keys = await stoa.createStore();
  await send(keys, '/v1/products', { name: 'Lamp', price: 5, stock: 1 });
  return keys;
};

/** Rows of a saved index. */
const PARTS = 7;
const storedParts = async ({ store_id }: Keys): Promise<number> =>
  (await stoa.services.runtime.postgres.sql`select from search.saved_index where store = ${store_id}`).length;

/** This process's index, saved through `saved`. */
const loaded = async (keys: Keys, saved: SavedIndexes): Promise<SearchStore> => {
  const { runtime } = stoa.services;
  const tenant = { store: keys.store_id, environment: 'sandbox' } as const;
  const shop = new SearchStore(tenant, openSource(runtime), saved, (index) => new TrainedVectors(index, runtime.log));
  await shop.load();
  return shop;
};

/** Resolves when a packed index is about to be written, with a function that continues. */
const heldBack = () => {
  const real = openSavedIndexes(stoa.services.runtime.postgres);
  const gate = { reached: (): void => {}, open: (): void => {} };
  const reached = new Promise<void>((resolve) => (gate.reached = resolve));
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  const saved: SavedIndexes = {
    ...real,
    write: async (...written) => {
      gate.reached();
      await opened;
      await real.write(...written);
    },
  };
  return { saved, reached, open: () => gate.open() };
};

describe('an index being saved', () => {
  test('reaches the database without a reset', async () => {
    const keys = await sandbox();
    const shop = await loaded(keys, openSavedIndexes(stoa.services.runtime.postgres));
    await shop.save();
    expect(await storedParts(keys)).toBe(PARTS);
    await reset(keys);
    expect(await storedParts(keys)).toBe(0);
  });

  test('uses production’s single generation even without the database, and none for a sandbox', async () => {
    const { store_id: store } = await sandbox();
    const { generation } = openSavedIndexes({ ...stoa.services.runtime.postgres, available: false });
    expect(await generation({ store, environment: 'production' })).toBe(0);
    expect(await generation({ store, environment: 'sandbox' })).toBeNull();
  });

  test('disappears after a reset', async () => {
    const keys = await sandbox();
    const { saved, reached, open } = heldBack();
    const shop = await loaded(keys, saved);
    const saving = shop.save();
    await reached;
    await reset(keys);
    open();
    await saving;
    expect(await storedParts(keys)).toBe(0);
    // The process has not received the reset yet.
    await shop.save();
    expect(await storedParts(keys)).toBe(0);
    // An index loaded from here on has the new generation.
    await send(keys, '/v1/products', { name: 'Chair', price: 5, stock: 1 });
    await (await loaded(keys, saved)).save();
    expect(await storedParts(keys)).toBe(PARTS);
  });

  test('disappears if a reset meets its write', async () => {
    const keys = await sandbox();
    const { postgres } = stoa.services.runtime;
    const KEY = 4_713;
    await postgres.sql.unsafe(`
      create or replace function block_saving() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(${KEY}); return new; end';
      create trigger block_saving before insert on search.saved_index for each row execute function block_saving()`);
    const session = await postgres.session();
    try {
      await session.sql`select pg_advisory_lock(${KEY})`;
      const shop = await loaded(keys, openSavedIndexes(postgres));
      const saving = shop.save();
      await eventually(async () => {
        const waiting = await postgres.sql`
          select from pg_locks where locktype = 'advisory' and not granted and objid = ${KEY}`;
        expect(waiting.length).toBeGreaterThan(0);
      });
      const resetting = reset(keys);
      // Enough time for a reset without other sessions.
      await Bun.sleep(400);
      await session.sql`select pg_advisory_unlock(${KEY})`;
      await Promise.all([saving, resetting]);
    } finally {
      session.close();
      await postgres.sql.unsafe('drop trigger block_saving on search.saved_index');
    }
    expect(await storedParts(keys)).toBe(0);
  });
});
