// Catalogues load, follow writes of any host, and unload; on real Postgres and NATS.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { detailAnswer } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { CataloguePool, type CataloguePoolLimits, POOL_LIMITS } from '#services/catalog/memory/pool.ts';
import { openProfiles } from '#services/catalog/profile.ts';
import { currentRevision } from '#services/catalog/table/revision.ts';
import { type CatalogHost, openCatalogHost } from '#test/services/catalog/host.ts';
import { productRecord } from '#test/support/catalog.ts';
import { startProxy } from '#test/support/proxy.ts';
import { eventually } from '#test/support/server.ts';

let host: CatalogHost;
let other: CatalogHost;
beforeAll(async () => {
  host = await openCatalogHost();
  other = await openCatalogHost({ beside: host });
});
afterAll(async () => {
  await other?.close();
  await host?.close();
});

const names = (catalogue: Catalogue): string[] =>
  catalogue.sorted('name').map((entry) => JSON.parse(detailAnswer(entry, catalogue).toString()).name);

const poolOf = (limits: Partial<CataloguePoolLimits> = {}): CataloguePool =>
  new CataloguePool(host.runtime, openProfiles(host.runtime), { ...POOL_LIMITS, ...limits });

const get = async (pool: CataloguePool, tenant: Tenant, revisionMin = 0): Promise<Catalogue> =>
  pool.get({ tenant, revisionMin, deadline: host.clock.real() + 5_000 });

const stocked = async (count: number, description = ''): Promise<Tenant> => {
  const tenant = await host.newTenant();
  await host.upsert(
    tenant,
    Array.from({ length: count }, (_, at) => ({ name: `P${at}`, description, price: at })),
  );
  return tenant;
};

/** The same tag, counting statements. */
const counted = (sql: Sql, count: () => void): Sql =>
  new Proxy(sql, {
    apply: (target, self, input) => {
      count();
      return Reflect.apply(target as never, self, input);
    },
  });

describe('a catalogue', () => {
  test('loads once for concurrent callers, and then answers synchronously', async () => {
    const tenant = await stocked(250);
    const pool = poolOf();
    expect(pool.isLoaded(tenant)).toBe(false);
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => get(pool, tenant)));
    expect(first?.size).toBe(250);
    for (const same of others) expect(same).toBe(first);
    expect(pool.get({ tenant, revisionMin: 0, deadline: 0 })).toBe(first);
  });

  test('loads empty for a store that never wrote', async () => {
    const catalogue = await get(poolOf(), await host.newTenant());
    expect([catalogue.size, catalogue.revision]).toEqual([0, 0]);
  });

  test('reaches the revision that its caller has seen', async () => {
    const tenant = await stocked(1);
    const pool = poolOf();
    expect((await get(pool, tenant)).revision).toBe(1);
    await host.upsert(tenant, [{ name: 'Another' }]);
    expect((await get(pool, tenant, 2)).size).toBe(2);
    // A revision that a database lost.
    expect((await get(pool, tenant, 99)).revision).toBe(2);
  });

  test('follows another host’s writes by notice', async () => {
    const tenant = await stocked(1);
    await other.read(tenant);
    await host.upsert(tenant, [{ name: 'From afar' }]);
    await eventually(async () => expect(names(await other.read(tenant))).toEqual(['From afar', 'P0']));
  });

  test('follows a write without a notice by polling', async () => {
    const tenant = await stocked(1);
    const pool = poolOf();
    await get(pool, tenant);
    await host.upsert(tenant, [{ name: 'Unheard of' }]);
    expect((await get(pool, tenant)).size).toBe(1);
    await pool.poll();
    expect((await get(pool, tenant)).size).toBe(2);
  });

  test('applies this process’s writes directly, in order, and reads back missed ones', async () => {
    const tenant = await stocked(1);
    await host.read(tenant);
    const other = host.runtime.postgres;
    let reads = 0;
    const watched = { ...other, sql: counted(other.sql, () => reads++) };
    const pool = new CataloguePool({ ...host.runtime, postgres: watched }, openProfiles(host.runtime));
    const catalogue = await get(pool, tenant);
    reads = 0;
    const record = (name: string) => ({ products: [productRecord({ name })], categories: [] });
    await Promise.all([
      pool.applyRevision(tenant, 2, record('Second')),
      pool.applyRevision(tenant, 3, record('Third')),
    ]);
    expect([names(catalogue), catalogue.revision, reads]).toEqual([['P0', 'Second', 'Third'], 3, 0]);
    await pool.applyRevision(tenant, 3, record('Told twice'));
    expect(catalogue.size).toBe(3);
    // One is missing: Postgres, which has none of these, is queried.
    await pool.applyRevision(tenant, 5, record('Fifth'));
    expect([catalogue.size, catalogue.revision]).toEqual([3, 3]);
    expect(reads).toBeGreaterThan(0);
  });

  test('pulls in pages', async () => {
    const tenant = await stocked(1);
    const pool = poolOf();
    await get(pool, tenant);
    const rows = Array.from({ length: 450 }, (_, at) => ({ external_id: `${at}`, name: `N${at}` }));
    await host.upsert(tenant, rows);
    await host.upsert(
      tenant,
      rows.map((row) => ({ ...row, is_active: false })),
    );
    const catalogue = await get(pool, tenant, 3);
    expect([catalogue.size, catalogue.active]).toEqual([451, 1]);
  });
});

describe('catalogues unload', () => {
  test('beyond a number, least recently used first, and load again with later writes', async () => {
    const tenants = await Promise.all([stocked(1), stocked(2), stocked(3)]);
    const [a, b, c] = tenants as [Tenant, Tenant, Tenant];
    const pool = poolOf({ cataloguesMax: 2 });
    await get(pool, a);
    await get(pool, b);
    await get(pool, a);
    await get(pool, c);
    expect(tenants.map((tenant) => pool.isLoaded(tenant))).toEqual([true, false, true]);
    await host.upsert(b, [{ name: 'While asleep' }]);
    expect(names(await get(pool, b))).toEqual(['P0', 'P1', 'While asleep']);
    expect(pool.size).toBe(2);
  });

  test('beyond a memory bound, except the one in use', async () => {
    const [small, large] = await Promise.all([stocked(1), stocked(30, 'x'.repeat(50_000))]);
    const pool = poolOf({ bytesMax: 1 << 20 });
    await get(pool, small!);
    const before = pool.bytes;
    expect((await get(pool, large!)).size).toBe(30);
    expect([pool.isLoaded(small!), pool.isLoaded(large!)]).toEqual([false, true]);
    await get(pool, small!);
    expect([pool.isLoaded(small!), pool.isLoaded(large!)]).toEqual([true, false]);
    expect(pool.bytes).toBe(before);
  });

  test('while loaded ones grow', async () => {
    const [grows, sleeps] = await Promise.all([stocked(1), stocked(1)]);
    const pool = poolOf({ bytesMax: 1 << 20 });
    await get(pool, sleeps!);
    await get(pool, grows!);
    await host.upsert(
      grows!,
      Array.from({ length: 30 }, (_, at) => ({ name: `${at}`, description: 'x'.repeat(50_000) })),
    );
    await get(pool, grows!, 2);
    expect([pool.isLoaded(grows!), pool.isLoaded(sleeps!)]).toEqual([true, false]);
  });
});

describe('without its database', () => {
  test('loaded catalogues are served, others are unavailable, and both recover', async () => {
    const proxy = await startProxy(host.databaseUrl);
    const behind = await openCatalogHost({ beside: host, databaseUrl: proxy.url });
    try {
      const [awake, asleep] = await Promise.all([stocked(2), stocked(3)]);
      expect((await behind.read(awake!)).size).toBe(2);
      proxy.freeze();
      await expect(
        behind.pool.get({ tenant: asleep!, revisionMin: 0, deadline: host.clock.real() + 200 }),
      ).rejects.toThrow(Unavailable);
      await eventually(() => expect(behind.runtime.postgres.available).toBe(false));
      await host.upsert(awake!, [{ name: 'Meanwhile' }]);
      expect((await behind.read(awake!, 2)).size).toBe(2);
      proxy.thaw();
      await eventually(async () => expect((await behind.read(awake!, 2)).size).toBe(3));
      await eventually(async () => expect((await behind.read(asleep!)).size).toBe(3));
    } finally {
      await behind.close();
      await proxy.close();
    }
  });
});

describe('after any writes', () => {
  const at = fc.nat(5);
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('upsert'),
      at,
      price: fc.nat(900),
      stock: fc.nat(9),
      active: fc.boolean(),
      place: fc.constantFrom('A', 'A > B', 'C > B', null),
    }),
    fc.record({
      kind: fc.constant('family'),
      at,
      sizes: fc.uniqueArray(fc.constantFrom('S', 'M', 'L'), { minLength: 1 }),
    }),
    fc.record({ kind: fc.constant('delete'), at }),
    fc.record({ kind: fc.constant('adjust'), at, on_hand: fc.nat(9) }),
    fc.record({ kind: fc.constant('category'), at, what: fc.constantFrom('rename', 'delete') }),
    fc.record({ kind: fc.constant('collection'), at, members: fc.uniqueArray(at) }),
    fc.record({ kind: fc.constant('price list'), at, price: fc.nat(900) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  const perform = async (tenant: Tenant, ids: Map<number, string>, one: Step): Promise<void> => {
    // Requests at least the revision seen, as an edge does.
    const call = async (rpc: string, input: object) =>
      host.call(tenant, rpc, input, await currentRevision(host.runtime.postgres.sql, tenant));
    const id = ids.get(one.at);
    switch (one.kind) {
      case 'upsert': {
        const { price, stock, active: is_active, place: category } = one;
        const row = {
          external_id: `${one.at}`,
          name: `P${one.at}`,
          variants: null,
          price: price / 100,
          stock,
          is_active,
          category,
        };
        const { created } = await host.upsert(tenant, [row]);
        if (created[0]) ids.set(one.at, created[0]);
        return;
      }
      case 'family':
        if (id)
          await call('Catalog/UpdateProduct', {
            id,
            variants: one.sizes.map((size) => ({ variant_attributes: { size } })),
          });
        return;
      case 'delete':
        if (id) await call('Catalog/DeleteProduct', { id });
        ids.delete(one.at);
        return;
      case 'adjust': {
        if (!id) return;
        const { variant_id, variants } = await call('Catalog/GetProduct', { id });
        await call('Inventory/CreateAdjustment', {
          variant_id: variant_id ?? variants[0].variant_id,
          on_hand: one.on_hand,
        });
        return;
      }
      case 'category': {
        const { categories } = await call('Category/ListCategories', {});
        const category = categories[one.at % Math.max(1, categories.length)];
        if (!category) return;
        if (one.what === 'delete') await call('Category/DeleteCategory', { id: category.id });
        else await call('Category/UpdateCategory', { id: category.id, name: `${category.name}'` });
        return;
      }
      case 'collection': {
        const { collection } = await call('Collection/CreateCollection', { name: `C${one.at}` });
        const product_ids = one.members.flatMap((member) => ids.get(member) ?? []);
        await call('Collection/SetCollectionProducts', { id: collection.id, product_ids });
        return;
      }
      case 'price list': {
        if (!id) return;
        const { variant_id, variants } = await call('Catalog/GetProduct', { id });
        const prices = [{ variant_id: variant_id ?? variants[0].variant_id, price: one.price / 100 }];
        await call('PriceList/CreatePriceList', { name: 'L', prices });
      }
    }
  };

  const readings = async (from: CatalogHost, tenant: Tenant, revision: number): Promise<unknown[]> => {
    const call = (rpc: string, input: object) => from.call(tenant, rpc, input, revision);
    const { collections } = await call('Collection/ListCollections', { limit: 200 });
    const { products } = await call('Catalog/ListProducts', { limit: 100, sort: 'price_asc' });
    return [
      collections,
      products,
      await Promise.all(products.map(({ id }: { id: string }) => call('Catalog/GetProduct', { id }))),
      await Promise.all(
        collections.map(({ id }: { id: string }) =>
          call('Catalog/ListProducts', { collection_id: id, sort: 'collection' }),
        ),
      ),
      await call('Category/ListCategories', {}),
    ];
  };

  test('every host reads the same, by following, by notice or by loading', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const tenant = await host.newTenant();
        // Loaded from the start, each in its own way.
        await readings(other, tenant, 0);
        const ids = new Map<number, string>();
        for (const one of steps) await perform(tenant, ids, one);
        const fresh = await openCatalogHost({ beside: host });
        try {
          const { revision } = await fresh.read(tenant);
          const expected = await readings(fresh, tenant, revision);
          expect(await readings(host, tenant, revision)).toEqual(expected);
          expect(await readings(other, tenant, revision)).toEqual(expected);
        } finally {
          await fresh.close();
        }
      }),
      { numRuns: 15 },
    );
  });
});
