// The write core on real Postgres: batches, names, events and concurrent writers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { type ProductRow, writeProduct } from '#services/catalog/product.ts';
import type { WrittenProduct } from '#services/catalog/product_write.ts';
import { currentRevision } from '#services/catalog/table/revision.ts';
import { type CatalogHost, openCatalogHost } from './host.ts';

let host: CatalogHost;
beforeAll(async () => {
  host = await openCatalogHost();
});
afterAll(() => host?.close());

const revisionOf = (tenant: Tenant): Promise<number> => currentRevision(host.runtime.postgres.sql, tenant);

const change = async (tenant: Tenant, id: string, row: ProductRow): Promise<WrittenProduct> => {
  const written = await host.runtime.postgres.transaction((tx) =>
    host.products.change(tx, tenant, id, (before, around) => writeProduct(before, row, around), row),
  );
  if (written === null || written instanceof Refusal) throw new Error(JSON.stringify(written));
  return written;
};

const summaries = (events: Awaited<ReturnType<CatalogHost['events']>>): unknown[] =>
  events.map(({ type, object, previous_attributes: previous }) => [type, object.name, ...(previous ? [previous] : [])]);

describe('a batch', () => {
  test('creates, leaves unchanged the second time, and updates rows that differ', async () => {
    const tenant = await host.newTenant();
    const rows = [
      {
        external_id: 'a',
        name: 'A',
        price: 1.5,
        stock: 3,
        tags: ['x'],
        attributes: { z: 1, a: 2 },
        media: [{ url: 'https://a.example/p' }],
      },
      {
        external_id: 'b',
        name: 'B',
        variants: [
          { sku: 'b1', price: 1 },
          { sku: 'b2', price: 2, media: [{ url: 'https://a.example/v' }] },
        ],
      },
    ];
    const first = await host.upsert(tenant, rows);
    expect(first).toMatchObject({ updated: [], unchanged: [], failed: [], revision: 1 });
    expect(first.created).toHaveLength(2);
    const again = await host.upsert(tenant, structuredClone(rows));
    expect(again).toEqual({ created: [], updated: [], unchanged: first.created, failed: [], revision: 0 });
    expect(await revisionOf(tenant)).toBe(1);
    const third = await host.upsert(tenant, [rows[0]!, { external_id: 'b', description: 'D' }]);
    expect(third).toEqual({
      created: [],
      updated: [first.created[1]],
      unchanged: [first.created[0]],
      failed: [],
      revision: 2,
    });
  });

  test('rejects only invalid rows', async () => {
    const tenant = await host.newTenant('JPY');
    await host.upsert(tenant, [{ external_id: 'old', name: 'Old', sku: 'taken' }]);
    const { created, failed } = await host.upsert(tenant, [
      { external_id: '1', name: 'Fine', price: 100 },
      { external_id: '2', name: 'Too fine', price: 1.5 },
      { external_id: '3' },
      { external_id: '4', name: 'Again', sku: 'taken' },
      { external_id: '5', name: 'First', sku: 'twice' },
      { external_id: '6', name: 'Second', sku: 'twice' },
      { external_id: '7', name: 'Within', variants: [{ sku: 'own' }, { sku: 'own' }] },
      { external_id: '8', name: 'Nowhere', category: ' > ' },
      { id: '00000000-0000-4000-8000-000000000000', name: 'Unknown' },
    ]);
    expect(created).toHaveLength(2);
    expect(failed.map(({ row, refusal }) => [row, refusal.code, refusal.extra.param])).toEqual([
      [1, 'invalid_request', 'price'],
      [2, 'invalid_request', 'name'],
      [3, 'conflict', 'sku'],
      [5, 'conflict', 'sku'],
      [6, 'conflict', 'variants[1].sku'],
      [7, 'invalid_request', 'category'],
      [8, 'not_found', 'id'],
    ]);
  });

  test('lets the last of two rows with one name win', async () => {
    const tenant = await host.newTenant();
    const { created } = await host.upsert(tenant, [
      { external_id: 'a', name: 'First', brand: 'B' },
      { external_id: 'a', name: 'Last' },
    ]);
    const catalogue = await host.read(tenant, 1);
    expect(created).toEqual([catalogue.sorted('newest')[0]?.id]);
    expect(catalogue.size).toBe(1);
    expect(summaries(await host.events(tenant))).toEqual([['product.created', 'Last']]);
  });

  test('may move an article number between products', async () => {
    const tenant = await host.newTenant();
    await host.upsert(tenant, [
      { external_id: 'a', name: 'A', variants: [{ sku: 'one' }, { sku: 'two' }] },
      { external_id: 'b', name: 'B', sku: 'three' },
    ]);
    const { failed, updated } = await host.upsert(tenant, [
      { external_id: 'a', variants: [{ sku: 'two' }] },
      { external_id: 'b', sku: 'one' },
    ]);
    expect(failed).toEqual([]);
    expect(updated).toHaveLength(2);
  });

  test('treats another spelling of an article number as the same', async () => {
    const tenant = await host.newTenant();
    const write = (...rows: ProductRow[]) => host.upsert(tenant, rows);
    await write({ external_id: 'a', name: 'A', variants: [{ sku: 'AB-1 ' }, { sku: 'CAFÉ' }] });
    const { failed } = await write(
      { external_id: 'b', name: 'B', sku: ' ab-1' },
      { external_id: 'c', name: 'C', sku: 'cafe\u0301' },
      { external_id: 'd', name: 'D', variants: [{ sku: 'x-1' }, { sku: 'X-1' }] },
      { external_id: 'e', name: 'E', sku: 'new' },
      { external_id: 'f', name: 'F', sku: 'NEW' },
    );
    expect(failed.map(({ row, refusal }) => [row, refusal.code, refusal.extra.param])).toEqual([
      [0, 'conflict', 'sku'],
      [1, 'conflict', 'sku'],
      [2, 'conflict', 'variants[1].sku'],
      [4, 'conflict', 'sku'],
    ]);
    // The product itself may respell it, and identifies variants by it.
    const { updated } = await write({ external_id: 'a', variants: [{ sku: 'ab-1' }, { sku: 'café', stock: 2 }] });
    expect(updated).toHaveLength(1);
    const { sql } = host.runtime.postgres;
    const variants = await sql`
      select sku from catalog.variant where product_id = ${updated[0]!} and deleted_at is null order by position`;
    expect(variants.map(({ sku }) => sku)).toEqual(['ab-1', 'café']);
  });

  test('preserves numbers that already differed only by letter case', async () => {
    const tenant = await host.newTenant();
    const { created } = await host.upsert(tenant, [
      { external_id: 'a', name: 'A', sku: 'old-1' },
      { external_id: 'b', name: 'B', sku: 'old-2' },
    ]);
    const { sql } = host.runtime.postgres;
    await sql`update catalog.variant set sku = 'OLD-1' where product_id = ${created[1]!}`;
    const again = await host.upsert(tenant, [
      { external_id: 'a', stock: 3 },
      { external_id: 'b', stock: 4, sku: 'OLD-1' },
      { external_id: 'c', name: 'C', sku: 'Old-1' },
    ]);
    expect(again.updated).toHaveLength(2);
    expect(again.failed).toMatchObject([{ row: 2, refusal: { code: 'conflict', extra: { param: 'sku' } } }]);
  });

  test('rejects a product with two variants of the same options', async () => {
    const tenant = await host.newTenant();
    const options = (...sizes: string[]) => sizes.map((size) => ({ variant_attributes: { size } }));
    const { created, failed } = await host.upsert(tenant, [
      { external_id: 'a', name: 'A', variants: options('S', 'M') },
      { external_id: 'b', name: 'B', variants: options('S', ' s') },
    ]);
    expect(created).toHaveLength(1);
    expect(failed).toMatchObject([
      { row: 1, refusal: { code: 'invalid_request', extra: { param: 'variants[1].variant_attributes' } } },
    ]);
  });

  test('creates named categories once, in any letter case, two levels deep', async () => {
    const tenant = await host.newTenant();
    await host.upsert(tenant, [
      { external_id: '1', name: '1', category: 'Shoes > Running' },
      { external_id: '2', name: '2', category: ' shoes>RUNNING > Trail' },
      { external_id: '3', name: '3', category: 'Shoes' },
      { external_id: '4', name: '4', category: 'Hats > Running' },
      { external_id: '5', name: '5', category: 'Shoes' },
    ]);
    await host.upsert(tenant, [
      { external_id: '5', category: null },
      { external_id: '6', name: '6', category: 'HATS' },
    ]);
    const catalogue = await host.read(tenant, 2);
    const names = [...catalogue.categories].map(({ name, slug, parent_id }) => [
      name,
      slug,
      parent_id === null ? null : catalogue.category(parent_id)?.name,
      catalogue.countIn([...catalogue.categories].find((other) => other.slug === slug)!.id),
    ]);
    expect(names.sort()).toEqual([
      ['Hats', 'hats', null, 2],
      ['Running', 'running', 'Shoes', 2],
      ['Running', 'running-2', 'Hats', 1],
      ['Shoes', 'shoes', null, 3],
    ]);
  });

  test('does not affect another tenant’s equal names and numbers', async () => {
    const mine = await host.newTenant();
    const sandbox: Tenant = { ...mine, environment: 'sandbox' };
    const row = { external_id: 'a', name: 'A', sku: 's', category: 'Shoes' };
    const [first] = (await host.upsert(mine, [row])).created;
    const [second] = (await host.upsert(sandbox, [row])).created;
    expect(second).not.toBe(first);
    const foreign = await host.upsert(sandbox, [{ id: first!, name: 'Mine now' }]);
    expect(foreign.failed.map(({ refusal }) => refusal.code)).toEqual(['not_found']);
    expect((await host.read(mine, 1)).product(second!)).toBeUndefined();
    expect((await host.read(sandbox, 1)).product(first!)).toBeUndefined();
  });

  test('waits for the one before: concurrent ones all succeed with a revision each', async () => {
    const tenant = await host.newTenant();
    const batches = Array.from({ length: 8 }, (_, at) => [
      { external_id: 'shared', name: 'Shared', stock: at + 1, category: 'New' },
      { external_id: `own ${at}`, name: 'Own' },
    ]);
    const done = await Promise.all(batches.map((rows) => host.upsert(tenant, rows)));
    expect(done.map(({ revision }) => revision).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(done.flatMap(({ created }) => created)).toHaveLength(9);
    const catalogue = await host.read(tenant, 8);
    expect(catalogue.size).toBe(9);
    expect([...catalogue.categories]).toHaveLength(1);
  });
});

describe('the events of a write', () => {
  test('announce the first publication, then changed fields', async () => {
    const tenant = await host.newTenant();
    const [id] = (await host.upsert(tenant, [{ name: 'Draft', is_active: false, price: 10 }])).created;
    await change(tenant, id!, { name: 'Ready' });
    expect(await host.events(tenant)).toEqual([]);
    const published = await change(tenant, id!, { is_active: true });
    host.clock.advance(1_000);
    const renamed = await change(tenant, id!, { name: 'Renamed', price: 12, sale_price: 11 });
    await change(tenant, id!, { name: 'Renamed' });
    await change(tenant, id!, { is_active: false });
    const events = await host.events(tenant);
    expect(summaries(events)).toEqual([
      ['product.created', 'Ready'],
      ['product.updated', 'Renamed', { name: 'Ready', price: 10, sale_price: null, selling_price: 10 }],
      ['product.updated', 'Renamed', { is_active: true }],
    ]);
    expect(events[0]?.object).toEqual(JSON.parse(published.detail));
    expect(events[1]?.object).toEqual(JSON.parse(renamed.detail));
  });

  test('announce a deletion as deactivation', async () => {
    const tenant = await host.newTenant();
    const [id] = (await host.upsert(tenant, [{ name: 'Going' }])).created;
    const remove = () => host.runtime.postgres.transaction((tx) => host.products.delete(tx, tenant, id!));
    expect(await remove()).toBe(2);
    expect(await remove()).toBeNull();
    expect(summaries(await host.events(tenant))).toEqual([
      ['product.created', 'Going'],
      ['product.updated', 'Going', { is_active: true }],
    ]);
  });

  test.each<[string, number, number, number | null, string[]]>([
    ['down to the threshold', 10, 5, null, []],
    ['below the threshold', 10, 4, null, ['product.stock_low']],
    ['from below to further below', 4, 3, null, []],
    ['to nothing at once', 10, 0, null, ['product.stock_low', 'product.out_of_stock']],
    ['from low to nothing', 3, 0, null, ['product.out_of_stock']],
    ['up again', 0, 9, null, []],
    ['below its own threshold', 10, 7, 8, ['product.stock_low']],
    ['below the store’s threshold, with a lower one of its own', 10, 3, 2, []],
    ['with a threshold of 0', 3, 0, 0, ['product.out_of_stock']],
  ])('tell of stock that goes %s (%d to %d, threshold %j)', async (_what, from, to, low_stock_threshold, types) => {
    const tenant = await host.newTenant();
    const [id] = (await host.upsert(tenant, [{ name: 'P', sku: 's', stock: from, low_stock_threshold }])).created;
    await change(tenant, id!, { stock: to });
    const events = (await host.events(tenant)).filter(({ type }) => /stock/.test(type));
    expect(events.map(({ type }) => type)).toEqual(types);
    for (const { object } of events) {
      expect(object).toMatchObject({ id, sku: 's', stock: to, low_stock_threshold: low_stock_threshold ?? 5 });
    }
  });

  test('name the variant that ran out', async () => {
    const tenant = await host.newTenant();
    const variants = [
      { sku: 'a', stock: 9 },
      { sku: 'b', stock: 1, low_stock_threshold: 0 },
    ];
    const [id] = (await host.upsert(tenant, [{ name: 'P', variants }])).created;
    await change(tenant, id!, { variants: [{ sku: 'a' }, { sku: 'b', stock: 0 }] });
    const [event] = (await host.events(tenant)).filter(({ type }) => type === 'product.out_of_stock');
    const sold = (event!.object.variants as { variant_id: string; sku: string }[]).find(({ sku }) => sku === 'b');
    expect(event?.object).toMatchObject({ id, variant_id: sold?.variant_id, sku: 'b', stock: 0 });
  });

  test('commit with the change or not at all', async () => {
    const tenant = await host.newTenant();
    const undone = host.runtime.postgres.transaction(async (tx) => {
      await host.products.upsert(tx, tenant, [{ name: 'Never' }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await host.events(tenant)).toEqual([]);
    expect((await host.read(tenant)).size).toBe(0);
    expect(await revisionOf(tenant)).toBe(0);
  });
});

test('a created product has the time of the tenant’s clock', async () => {
  const tenant = await host.newTenant('USD', 'sandbox');
  host.clock.setOffset(tenant, 86_400_000);
  await host.upsert(tenant, [{ name: 'Tomorrow' }]);
  expect((await host.read(tenant, 1)).sorted('newest')[0]?.createdAt).toBe(host.clock.real() + 86_400_000);
});
