// Tests the pending changes of a channel, and how much of the catalogue is compared.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import {
  findPendingChanges,
  type PendingChangeChannel,
  type PendingChanges,
  type SyncCursor,
} from '#services/channel/pending_change.ts';
import { insertChannel } from '#services/channel/table/channel.ts';
import { saveItems } from '#services/channel/table/item.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const send = (method: string, path: string, body?: object) => stoa.send(method, path, { key: keys.secret_key, body });
const make = async (name: string): Promise<string> => (await send('POST', '/v1/products', { name, price: 10 })).body.id;

/** A paused channel, and a function that lists its pending changes. */
const openLook = async () => {
  const { postgres, clock, ask } = stoa.services.runtime;
  const now = new Date(clock.real());
  const channel: PendingChangeChannel = {
    store: keys.store_id,
    environment: 'production',
    id: randomUUID(),
    full_sync_since: null,
  };
  await insertChannel(postgres.sql, channel, {
    ...{ id: channel.id, provider: 'compass', name: 'Compass', url: 'https://compass.example.com', format: 'stoa' },
    ...{
      language: null,
      secret: new Uint8Array(),
      status: 'paused',
      failures: 0,
      last_error: null,
      full_sync_since: null,
    },
    ...{ items_total: 0, items_pushed: 0, items_rejected: 0 },
    ...{ due_at: now, last_sync_at: null, created_at: now, updated_at: now },
  });
  const { askOrThrow } = openDomainClient({ ask });
  const looked = { products: 0, ids: 0 };
  const counting = (async (name: Parameters<typeof askOrThrow>[0], ...rest: unknown[]) => {
    const answer = await Reflect.apply(askOrThrow, null, [name, ...rest]);
    if (name === 'CatalogSource/ListProductDigests') looked.products += answer.digests.length;
    if (name === 'CatalogSource/ListProductIds') looked.ids++;
    return answer;
  }) as typeof askOrThrow;
  let passedMs = 0;
  const later = { ...clock, real: () => clock.real() + passedMs };
  const asker = { tenant: { store: channel.store, environment: channel.environment } };
  return {
    wait: (ms: number) => {
      passedMs += ms;
    },
    at: async (
      before: SyncCursor | null,
      anew: Date | null = null,
    ): Promise<PendingChanges & { products: number; ids: number }> => {
      Object.assign(looked, { products: 0, ids: 0 });
      const due = await findPendingChanges(
        { postgres, askOrThrow: counting, clock: later },
        asker,
        { ...channel, full_sync_since: anew },
        before,
      );
      return { ...due, ...looked };
    },
    /** Records the changes as sent. */
    received: async ({ changed, gone }: PendingChanges) => {
      const items = [...changed].map(([product, digest]) => ({
        product,
        digest,
        rejection: null,
        pushed_at: new Date(clock.real()),
      }));
      await saveItems(postgres.sql, channel, channel.id, items, gone);
    },
  };
};

test('compares everything first, then changes only, and everything again a minute later', async () => {
  keys = await stoa.createStore();
  const ids = [await make('Lamp'), await make('Chair'), await make('Table')];
  const look = await openLook();
  const first = await look.at(null);
  expect([first.products, [...first.changed.keys()].sort()]).toEqual([3, [...ids].sort()]);
  await look.received(first);

  const quiet = await look.at(first.cursor);
  expect([quiet.products, quiet.ids, quiet.changed.size]).toEqual([0, 0, 0]);

  await send('PATCH', `/v1/products/${ids[0]}`, { price: 12 });
  const priced = await look.at(quiet.cursor);
  expect([priced.products, priced.ids, [...priced.changed.keys()]]).toEqual([1, 0, [ids[0]]]);
  // Unsent changes stay pending.
  expect([...(await look.at(quiet.cursor)).changed.keys()]).toEqual([ids[0]]);
  await look.received(priced);

  await send('DELETE', `/v1/products/${ids[1]}`);
  const left = await look.at(priced.cursor);
  expect([left.products, left.gone]).toEqual([0, [ids[1]]]);
  await look.received(left);
  expect((await look.at(left.cursor)).ids).toBe(0);

  look.wait(60_000);
  const whole = await look.at(left.cursor);
  expect([whole.products, whole.ids, whole.changed.size, whole.gone]).toEqual([2, 1, 0, []]);
});

test('a full sync sends everything, regardless of the cursor', async () => {
  keys = await stoa.createStore();
  const ids = [await make('Lamp'), await make('Chair')];
  const look = await openLook();
  const first = await look.at(null);
  await look.received(first);
  const anew = await look.at(first.cursor, new Date(Date.now() + 60_000));
  expect([...anew.changed.keys()].sort()).toEqual([...ids].sort());
});
