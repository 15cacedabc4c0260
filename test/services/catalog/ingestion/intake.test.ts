// Pushed rows: counts, errors, last row wins, replacement.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IngestionJob } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { untyped } from '#test/support/event.ts';
import { type IngestionHost, NOW, openIngestionHost, shoe, shoes } from './host.ts';

let host: IngestionHost;
beforeAll(async () => {
  host = await openIngestionHost();
  host.work();
});
afterAll(() => host.close());

describe('a push', () => {
  test('queues a job at once that completes later', async () => {
    const tenant = await host.newTenant();
    const job = await host.pushRows(tenant, [shoe('A'), shoe('B')]);
    expect(job).toMatchObject({ status: 'queued', mode: 'upsert', feed_id: null, rows_total: 2, finished_at: null });
    expect(await host.ended(tenant, job.id)).toEqual({
      id: job.id,
      status: 'completed',
      mode: 'upsert',
      feed_id: null,
      rows_total: 2,
      rows_created: 2,
      rows_updated: 0,
      rows_unchanged: 0,
      rows_failed: 0,
      rows_deactivated: 0,
      dry_run: false,
      errors: [],
      created_at: new Date(NOW).toISOString(),
      started_at: new Date(NOW).toISOString(),
      finished_at: new Date(NOW).toISOString(),
    });
    expect([...(await host.products(tenant)).values()]).toEqual([
      { external_id: 'A', name: 'Shoe A', is_active: true, brand: null, price: 1_000, on_hand: 5 },
      { external_id: 'B', name: 'Shoe B', is_active: true, brand: null, price: 1_000, on_hand: 5 },
    ]);
  });

  test('counts created, updated and unchanged rows', async () => {
    const tenant = await host.newTenant();
    expect(await host.take(tenant, [shoe('A'), shoe('B'), shoe('C')])).toEqual({ rows_total: 3, rows_created: 3 });
    expect(await host.take(tenant, [shoe('A'), shoe('B', { price: 11 }), shoe('C', { stock: 4 }), shoe('D')])).toEqual({
      rows_total: 4,
      rows_created: 1,
      rows_updated: 2,
      rows_unchanged: 1,
    });
    expect(await host.take(tenant, [shoe('A', { tags: ['x'], attributes: { a: 1, b: [true] } })])).toMatchObject({
      rows_updated: 1,
    });
    expect(await host.take(tenant, [shoe('A', { tags: ['x'], attributes: { a: 1, b: [true] } })])).toMatchObject({
      rows_unchanged: 1,
    });
  });

  test('changes only the fields that a row names', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A', { brand: 'Acme', is_active: false })]);
    expect(await host.take(tenant, [{ external_id: 'A', price: 12.5 }])).toEqual({ rows_total: 1, rows_updated: 1 });
    expect((await host.products(tenant)).get('A')).toMatchObject({
      name: 'Shoe A',
      brand: 'Acme',
      price: 1_250,
      is_active: false,
    });
    expect(await host.take(tenant, [{ external_id: 'A', brand: null }])).toMatchObject({ rows_updated: 1 });
    expect((await host.products(tenant)).get('A')?.brand).toBeNull();
  });

  test('lets the last of two rows with one external_id win, and counts each', async () => {
    const tenant = await host.newTenant();
    const rows = [shoe('A', { price: 1 }), shoe('B'), shoe('A', { price: 2 }), shoe('A', { price: 2 })];
    expect(await host.take(tenant, rows)).toEqual({
      rows_total: 4,
      rows_created: 2,
      rows_updated: 1,
      rows_unchanged: 1,
    });
    expect((await host.products(tenant)).get('A')?.price).toBe(200);
  });

  test('writes and emits a product once per batch, though thousands of rows name it', async () => {
    const tenant = await host.newTenant();
    const rows = Array.from({ length: 3_000 }, (_, at) => shoe('A', { price: 1 + (at % 700) }));
    const last = { external_id: 'A', brand: 'Last' };
    expect(await host.take(tenant, [...rows, last])).toEqual({
      rows_total: 3_001,
      rows_created: 1,
      rows_updated: 3_000,
    });
    expect((await host.products(tenant)).get('A')).toMatchObject({ price: 100 * (1 + (2_999 % 700)), brand: 'Last' });
    const batches = Math.ceil(rows.length / 250) + 1;
    expect((await host.events(tenant)).length).toBeLessThanOrEqual(2 * batches);
  });

  test('preserves a valid earlier row when the last one is invalid', async () => {
    const tenant = await host.newTenant();
    expect(await host.take(tenant, [shoe('A', { price: 1 }), shoe('A', { price: 'free' })])).toMatchObject({
      rows_created: 1,
      rows_failed: 1,
    });
    expect((await host.products(tenant)).get('A')?.price).toBe(100);
  });

  test('reports every invalid row and writes the others', async () => {
    const tenant = await host.newTenant();
    const rows = [
      shoe('A'),
      { external_id: 'N', price: 1 },
      shoe('P', { price: -1 }),
      { name: 'Unnamed' },
      'nonsense',
      shoe('D', { price: 1.234 }),
      shoe('M', { media: [{ url: 'https://x.example/1.jpg' }, { url: 'ftp://x.example/2.jpg' }] }),
      shoe('V', { variants: [{ sku: 'V1', price: 3, stock: 1.5 }] }),
      shoe('Z'),
      shoe('E1', { sku: 'taken' }),
      shoe('E2', { sku: 'taken' }),
    ];
    const { errors, ...counts } = await host.take(tenant, rows);
    expect(counts).toEqual({ rows_total: 11, rows_created: 3, rows_failed: 8 });
    expect(
      (errors as IngestionJob['errors']).map(({ row, external_id, code, param }) => [row, external_id, code, param]),
    ).toEqual([
      [1, 'N', 'invalid_request', 'name'],
      [2, 'P', 'invalid_request', 'price'],
      [3, null, 'invalid_request', 'external_id'],
      [4, null, 'invalid_request', null],
      [5, 'D', 'invalid_request', 'price'],
      [6, 'M', 'invalid_request', 'media[1].url'],
      [7, 'V', 'invalid_request', 'variants[0].stock'],
      [10, 'E2', 'conflict', 'sku'],
    ]);
    expect([...(await host.products(tenant)).keys()].sort()).toEqual(['A', 'E1', 'Z']);
  });

  test('validates prices by the currency’s decimals', async () => {
    const yen = await host.newTenant('JPY');
    expect(await host.take(yen, [shoe('A', { price: 1200 }), shoe('B', { price: 1200.5 })])).toMatchObject({
      rows_created: 1,
      rows_failed: 1,
    });
    const dinar = await host.newTenant('KWD');
    expect(await host.take(dinar, [shoe('A', { price: 1.234 })])).toMatchObject({ rows_created: 1 });
    expect((await host.products(dinar)).get('A')?.price).toBe(1_234);
  });

  test('counts every failed row and stores the first thousand errors', async () => {
    const tenant = await host.newTenant();
    const job = await host.pushRows(
      tenant,
      Array.from({ length: 1_300 }, () => ({ name: 'x' })),
    );
    const ended = await host.ended(tenant, job.id);
    expect([ended.status, ended.rows_failed, ended.errors.length]).toEqual(['completed', 1_300, 1_000]);
    expect(ended.errors.map(({ row }) => row)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
    const { jobs } = await host.call(tenant, 'Ingestion/ListJobs');
    expect(jobs[0].errors.length).toBe(10);
  });

  test('creates missing categories once', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, shoes(0, 700, { category: 'Shoes > Running' }));
    await host.take(tenant, [shoe('X', { category: 'shoes > Trail' })]);
    const rows = await host.postgres.sql<{ name: string; parent: string | null }[]>`
      select c.name, p.name as parent from catalog.category c
      left join catalog.category p on p.store = c.store and p.environment = c.environment and p.id = c.parent_id
      where c.store = ${tenant.store} order by c.name`;
    expect(rows.map(({ name, parent }) => [name, parent])).toEqual([
      ['Running', 'Shoes'],
      ['Shoes', null],
      ['Trail', 'Shoes'],
    ]);
  });

  test('emits the events of its changes', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B', { is_active: false })]);
    await host.take(tenant, [shoe('A', { price: 11 }), shoe('B', { is_active: false })]);
    const events = await host.events(tenant);
    expect(events.map(({ type, data }) => [type, untyped(data.object).name])).toEqual([
      ['product.created', 'Shoe A'],
      ['product.updated', 'Shoe A'],
    ]);
    expect(events[1]?.previous_attributes).toMatchObject({ price: 10 });
  });

  test('never changes another tenant’s products', async () => {
    const [one, other] = [await host.newTenant(), await host.newTenant()];
    const sandbox: Tenant = { ...one, environment: 'sandbox' };
    await host.take(one, [shoe('A')]);
    expect(await host.take(other, [shoe('A')])).toMatchObject({ rows_created: 1 });
    expect(await host.take(sandbox, [shoe('A')])).toMatchObject({ rows_created: 1 });
    expect(await host.take(sandbox, [], 'replace')).toEqual({ rows_deactivated: 1 });
    expect((await host.products(one)).get('A')?.is_active).toBe(true);
    expect((await host.products(other)).get('A')?.is_active).toBe(true);
  });
});

describe('a replace', () => {
  test('deactivates products it does not name, and activates those it names', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, shoes(0, 4));
    expect(await host.take(tenant, [shoe('S0'), shoe('S1', { price: 12 }), shoe('S9')], 'replace')).toEqual({
      rows_total: 3,
      rows_created: 1,
      rows_updated: 1,
      rows_unchanged: 1,
      rows_deactivated: 2,
    });
    const active = async () =>
      [...(await host.products(tenant)).values()]
        .filter((product) => product.is_active)
        .map(({ external_id }) => external_id);
    expect((await active()).sort()).toEqual(['S0', 'S1', 'S9']);
    expect(await host.take(tenant, [shoe('S2'), shoe('S0', { is_active: false })], 'replace')).toMatchObject({
      rows_updated: 2,
      rows_deactivated: 2,
    });
    expect(await active()).toEqual(['S2']);
  });

  test('ignores products without external id or named in a failed row', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B'), shoe('C')]);
    await host.postgres.transaction((tx) => host.write(tx, tenant, [{ name: 'By hand' }]));
    expect(await host.take(tenant, [shoe('A'), shoe('B', { price: -1 })], 'replace')).toMatchObject({
      rows_unchanged: 1,
      rows_failed: 1,
      rows_deactivated: 1,
    });
    const [hand] = await host.postgres.sql<{ is_active: boolean }[]>`
      select is_active from catalog.product where store = ${tenant.store} and name = 'By hand'`;
    expect(hand?.is_active).toBe(true);
    expect((await host.products(tenant)).get('B')?.is_active).toBe(true);
  });

  test('deactivates nothing if no row was readable, everything if it is empty', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A')]);
    expect(await host.take(tenant, [1, 2], 'replace')).toMatchObject({ rows_failed: 2 });
    expect((await host.products(tenant)).get('A')?.is_active).toBe(true);
    expect(await host.take(tenant, [], 'replace')).toEqual({ rows_deactivated: 1 });
    expect((await host.products(tenant)).get('A')?.is_active).toBe(false);
  });

  test('remembers names across batches', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, shoes(0, 1_300));
    expect(await host.take(tenant, shoes(600, 1_900), 'replace')).toEqual({
      rows_total: 1_300,
      rows_created: 600,
      rows_unchanged: 700,
      rows_deactivated: 600,
    });
    const left = await host.postgres.sql`select 1 from catalog.ingestion_seen where store = ${tenant.store}`;
    expect(left.length).toBe(0);
  });
});
