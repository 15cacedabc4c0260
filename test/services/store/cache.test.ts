// A change is known to every host: by its notice, and by looking while the bus is away.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startProxy } from '#test/support/proxy.ts';
import { eventually, serverUrls } from '#test/support/server.ts';
import { openStoreHost, type StoreHost } from './host.ts';

const hash = (key: string) => ({ key_hash: createHash('sha256').update(key).digest('hex') });
const resolve = (host: StoreHost, key: string) => host.call('StoreDirectory/ResolveKey', {}, hash(key));
const refused = async (host: StoreHost, key: string) =>
  (await host.refused('StoreDirectory/ResolveKey', {}, hash(key))).code;

test('drops copies of a store that another host changed, with and without the bus', async () => {
  const one = await openStoreHost();
  const proxy = await startProxy(serverUrls().nats);
  const two = await openStoreHost({ beside: one, natsUrl: proxy.url });
  try {
    await one.start();
    await two.start();
    await eventually(() => expect(two.runtime.bus.connected).toBe(true));
    const made = await one.newStore();
    const profile = () => two.call('Store/GetStore', { store: made.store_id, keyType: 'publishable' });

    await resolve(two, made.secret_key);
    await resolve(two, made.publishable_key);
    expect((await profile()).store.name).toBe('Acme');
    await one.call('StoreAdmin/RevokeKey', {}, { key: made.secret_key });
    await eventually(async () => expect(await refused(two, made.secret_key)).toBe('not_found'));

    await proxy.close();
    await eventually(() => expect(two.runtime.bus.connected).toBe(false));
    await resolve(two, made.publishable_key);
    await one.call('StoreAdmin/RevokeKey', {}, { key: made.publishable_key });
    await one.call('Store/UpdateStore', { store: made.store_id, keyType: 'secret' }, { name: 'Renamed' });
    await eventually(async () => expect(await refused(two, made.publishable_key)).toBe('not_found'));
    await eventually(async () => expect((await profile()).store.name).toBe('Renamed'));
  } finally {
    await two.close();
    await one.close();
  }
});

test('drops no key at a notice about something else', async () => {
  const host = await openStoreHost();
  try {
    await host.start();
    const made = await host.newStore();
    const tenant = { store: made.store_id, environment: 'production' } as const;
    const planAfter = async (plan: string, kind: 'store' | 'catalog'): Promise<string> => {
      await host.postgres.sql`update store.store set plan = ${plan} where id = ${made.store_id}`;
      host.runtime.notices.publish(kind === 'store' ? { kind, tenant } : { kind, tenant, revision: 4, ids: null });
      return (await resolve(host, made.secret_key)).principal.plan;
    };
    // Repeats until the notice of the store's creation has passed.
    await eventually(async () => {
      expect(await planAfter('starter', 'store')).toBe('starter');
      expect(await planAfter('premium', 'catalog')).toBe('starter');
    });
    host.runtime.notices.publish({ kind: 'store', tenant });
    expect((await resolve(host, made.secret_key)).principal.plan).toBe('premium');
  } finally {
    await host.close();
  }
});
