// Public feeds: access, and how they follow the catalogue and the store.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CreateStoreRequest, CreateStoreResponse } from '#proto/gen/store_admin.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type IngestionHost, openIngestionHost } from '#test/services/catalog/ingestion/host.ts';
import { hasIcecat, icecatPushes, someIcecatRows } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';

const NO_TENANT: Tenant = { store: '', environment: 'production' };
const FEEDS = ['GetSummary', 'GetProductFeed', 'GetShoppingFeed'] as const;

let host: IngestionHost;
beforeAll(async () => {
  host = await openIngestionHost({ whole: true });
});
afterAll(() => host.close());

const newStore = async (more: Partial<CreateStoreRequest> = {}, published = true): Promise<CreateStoreResponse> => {
  const made = await host.call(NO_TENANT, 'StoreAdmin/CreateStore', { name: 'Acme', currency: 'USD', ...more });
  if (published) await update(made, { feeds: { products_enabled: true } });
  return made;
};
const update = (made: CreateStoreResponse, change: object) =>
  host.call({ store: made.store_id, environment: 'production' }, 'Store/UpdateStore', change);
const tenantOf = (made: CreateStoreResponse): Tenant => ({ store: made.store_id, environment: 'production' });

/** Null if the feed does not exist. */
// biome-ignore lint/suspicious/noExplicitAny: feeds of every shape
const read = async (rpc: (typeof FEEDS)[number], store: string): Promise<any> => {
  try {
    const answer = await host.call(NO_TENANT, `Feed/${rpc}`, { store });
    return answer.text ?? answer;
  } catch (problem) {
    if (problem instanceof Error && problem.message.includes('not_found')) return null;
    throw problem;
  }
};
const there = async (store: string) => Promise.all(FEEDS.map(async (rpc) => (await read(rpc, store)) !== null));

describe('a feed', () => {
  test('opens by the id or the code of the store', async () => {
    const made = await newStore();
    for (const rpc of FEEDS) expect(await read(rpc, made.code)).toEqual(await read(rpc, made.store_id));
    expect(await there('no-such-store')).toEqual([false, false, false]);
    expect(await there('01900000-0000-7000-8000-000000000000')).toEqual([false, false, false]);
  });

  test.each<[string, Partial<CreateStoreRequest>, object | null, boolean[]]>([
    ['an ordinary store: the summary, the others once they are turned on', {}, null, [true, false, false]],
    ['turned on', {}, { feeds: { products_enabled: true } }, [true, true, true]],
    ['turned off', {}, { feeds: { llms_enabled: false } }, [false, false, false]],
    ['a wholesale store: none', { wholesale: true }, null, [false, false, false]],
    [
      'a wholesale store that turned it on',
      { wholesale: true },
      { feeds: { llms_enabled: true } },
      [true, false, false],
    ],
    [
      'a trial: none',
      { plan: 'trial' },
      { feeds: { llms_enabled: true, products_enabled: true } },
      [false, false, false],
    ],
  ])('of %s', async (_name, request, change, expected) => {
    const made = await newStore(request, false);
    if (change) await update(made, change);
    expect(await there(made.code)).toEqual(expected);
  });

  test('closes with the subscription or by the merchant’s setting, and reopens', async () => {
    const made = await newStore();
    expect(await there(made.code)).toEqual([true, true, true]);
    await host.call(NO_TENANT, 'StoreAdmin/SetLapsed', { store: made.code });
    expect(await there(made.code)).toEqual([false, false, false]);
    await host.call(NO_TENANT, 'StoreAdmin/SetLapsed', { store: made.code, lapsed: false });
    expect(await there(made.code)).toEqual([true, true, true]);
    await update(made, { feeds: { llms_enabled: false, products_enabled: false } });
    expect(await there(made.code)).toEqual([false, false, false]);
  });

  test('holds production’s catalogue only', async () => {
    const made = await newStore();
    await host.take({ ...tenantOf(made), environment: 'sandbox' }, [{ external_id: 'T', name: 'Test', price: 1 }]);
    await host.take(tenantOf(made), [{ external_id: 'L', name: 'Live', price: 1 }]);
    const { products } = await read('GetProductFeed', made.code);
    expect(products.map(({ name }: { name: string }) => name)).toEqual(['Live']);
    expect(await read('GetShoppingFeed', made.code)).not.toContain('Test');
    expect(await read('GetSummary', made.code)).toContain('- Products: 1\n');
  });

  test('follows the catalogue and the store', async () => {
    const made = await newStore();
    await host.take(tenantOf(made), [{ external_id: 'A', name: 'Shoe', price: 10, category: 'Shoes' }]);
    expect(await read('GetSummary', made.code)).toContain('- Shoes (1 product)');
    await host.take(tenantOf(made), [{ external_id: 'A', price: 12 }]);
    await eventually(async () => expect(await read('GetShoppingFeed', made.code)).toContain('12.00 USD'));
    expect((await read('GetProductFeed', made.code)).products[0].price).toBe(12);
    await update(made, { name: 'Acme & Sons', website_url: 'https://acme.example' });
    expect(await read('GetSummary', made.code)).toMatch(/^# Acme & Sons\n/);
    expect(await read('GetShoppingFeed', made.code)).toContain('<title>Acme &amp; Sons</title>');
    expect((await read('GetProductFeed', made.code)).store.website_url).toBe('https://acme.example');
  });

  test('shows when the catalogue last changed', async () => {
    const made = await newStore();
    await host.take(tenantOf(made), [{ external_id: 'A', name: 'Shoe', price: 10 }]);
    const { updated_at } = await read('GetProductFeed', made.code);
    const [row] = await host.postgres.sql<{ changed_at: Date }[]>`
      select changed_at from catalog.revision where store = ${made.store_id} and environment = 'production'`;
    expect(updated_at).toBe(row!.changed_at.toISOString());
  });
});

describe.runIf(hasIcecat())('the feeds of the real catalogue', () => {
  test('hold every product, well formed', async () => {
    const made = await newStore();
    const rows = someIcecatRows();
    for (const push of icecatPushes(rows)) {
      const { id } = await host.push(tenantOf(made), push, 'application/x-ndjson');
      expect((await host.ended(tenantOf(made), id)).rows_failed).toBe(0);
    }
    const { products } = await read('GetProductFeed', made.code);
    expect(new Set(products.map(({ sku }: { sku: string }) => sku)).size).toBe(rows.length);
    const xml: string = await read('GetShoppingFeed', made.code);
    expect(xml.split('<item>').length - 1).toBe(rows.length);
    expect(xml.match(/&(?!(amp|lt|gt|quot|apos);)/)).toBeNull();
    expect(await read('GetSummary', made.code)).toContain(`- Products: ${rows.length}\n`);
  }, 120_000);
});
