// Handlers of ingestion: valid pushes, lists of jobs, and feeds.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InboundFeed, IngestionJob } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { countsOf, type IngestionHost, NOW, openIngestionHost, shoe, shoes } from './host.ts';

let host: IngestionHost;
beforeAll(async () => {
  host = await openIngestionHost();
  host.work();
});
afterAll(() => host.close());

describe('NDJSON', () => {
  const push = (tenant: Tenant, text: string | Uint8Array, mode?: string) =>
    host.push(tenant, text, 'application/x-ndjson', mode);

  test('reads one product per line; an unreadable line fails alone', async () => {
    const tenant = await host.newTenant();
    const text = `${JSON.stringify(shoe('A'))}\n{"external_id":"B",\n\n${JSON.stringify(shoe('C'))}\n`;
    const job = await push(tenant, text);
    expect(job.rows_total).toBe(3);
    expect(countsOf(await host.ended(tenant, job.id))).toEqual({
      rows_total: 3,
      rows_created: 2,
      rows_failed: 1,
      errors: [
        { row: 1, external_id: null, code: 'invalid_request', param: null, message: 'The row is not valid JSON.' },
      ],
    });
  });

  test('takes its mode from the query', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B')]);
    const job = await push(tenant, JSON.stringify(shoe('A')), 'replace');
    expect(countsOf(await host.ended(tenant, job.id))).toMatchObject({ rows_unchanged: 1, rows_deactivated: 1 });
  });

  test('refuses a byte-order mark', async () => {
    const tenant = await host.newTenant();
    await expect(push(tenant, '\ufeff{}')).rejects.toThrow('byte-order mark');
  });
});

describe('a JSON push', () => {
  test.each<[string, string, string]>([
    ['takes its mode from the body', '{"mode":"replace","products":[]}', 'replace'],
    ['wherever it stands', '{"products":[{"a":"}"}],"other":{"mode":"no"},"mode" : "replace"}', 'replace'],
    ['upserts where it names none', '{"products":[]}', 'upsert'],
  ])('%s', async (_name, body, mode) => {
    const tenant = await host.newTenant();
    expect((await host.push(tenant, body, 'application/json')).mode).toBe(mode);
  });

  test('refuses a body without products', async () => {
    const tenant = await host.newTenant();
    await expect(host.push(tenant, '{"mode":"upsert"}', 'application/json')).rejects.toThrow(
      '`products` or `csv` is required',
    );
    const { jobs } = await host.call(tenant, 'Ingestion/ListJobs');
    expect(jobs).toEqual([]);
  });

  test('reads a CSV file in place of products', async () => {
    const tenant = await host.newTenant();
    const csv = 'external_id,title,price,stock\nA,Shoe,19.90,3\nB,Boot,much,1\n';
    const job = await host.push(tenant, JSON.stringify({ csv }), 'application/json');
    expect(await host.ended(tenant, job.id)).toMatchObject({
      rows_total: 2,
      rows_created: 1,
      rows_failed: 1,
      errors: [{ row: 1, external_id: 'B', param: 'price' }],
    });
    expect((await host.products(tenant)).get('A')).toMatchObject({ name: 'Shoe', price: 1990, on_hand: 3 });
  });

  test('fails a CSV file without the column that names products', async () => {
    const tenant = await host.newTenant();
    const job = await host.push(tenant, JSON.stringify({ csv: 'name\nShoe\n' }), 'application/json');
    expect(await host.ended(tenant, job.id)).toMatchObject({
      status: 'failed',
      errors: [{ row: null, code: 'invalid_document', message: "The file's first line names no column external_id." }],
    });
  });

  test('checks and counts in a dry run, and writes nothing', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B')]);
    const before = await host.products(tenant);
    const rows = [shoe('A'), { ...shoe('B'), price: 5 }, shoe('C'), { external_id: 'D', name: 'D', price: -1 }];
    const body = { mode: 'upsert', dry_run: true, products: rows };
    const job = await host.push(tenant, JSON.stringify(body), 'application/json');
    expect(await host.ended(tenant, job.id)).toMatchObject({
      dry_run: true,
      status: 'completed',
      rows_total: 4,
      rows_created: 1,
      rows_updated: 1,
      rows_unchanged: 1,
      rows_failed: 1,
      errors: [{ row: 3, external_id: 'D', param: 'price' }],
    });
    expect(await host.products(tenant)).toEqual(before);
    const replacing = { ...body, mode: 'replace', products: [shoe('A')] };
    const replaced = await host.push(tenant, JSON.stringify(replacing), 'application/json');
    expect(await host.ended(tenant, replaced.id)).toMatchObject({ rows_unchanged: 1, rows_deactivated: 1 });
    expect(await host.products(tenant)).toEqual(before);
  });

  test('accepts the parsed request of an internal caller', async () => {
    const tenant = await host.newTenant();
    const { job } = await host.call(tenant, 'Ingestion/Push', { mode: 'replace', products: [shoe('A')] });
    expect(job).toMatchObject({ mode: 'replace', rows_total: 1 });
    expect(await host.ended(tenant, job.id)).toMatchObject({ rows_created: 1 });
  });
});

describe('the jobs of a tenant', () => {
  test('run in the order of acceptance, one at a time', async () => {
    const tenant = await host.newTenant();
    const jobs: IngestionJob[] = [];
    for (let price = 1; price <= 8; price++) jobs.push(await host.pushRows(tenant, shoes(0, 30, { price })));
    for (const job of jobs) await host.ended(tenant, job.id);
    expect(new Set([...(await host.products(tenant)).values()].map(({ price }) => price))).toEqual(new Set([800]));
  });

  test('list newest first, by page and status, for their own store only', async () => {
    const [tenant, other] = [await host.newTenant(), await host.newTenant()];
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await host.pushRows(tenant, [shoe('A')])).id);
    for (const id of ids) await host.ended(tenant, id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { jobs: IngestionJob[]; pagination: { next_cursor: string | null; has_more: boolean } } =
        await host.call(tenant, 'Ingestion/ListJobs', { limit: 2, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.jobs.map(({ id }) => id));
      cursor = page.pagination.next_cursor;
      expect(page.pagination.has_more).toBe(cursor !== null);
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    expect((await host.call(tenant, 'Ingestion/ListJobs', { status: 'failed' })).jobs).toEqual([]);
    expect((await host.call(tenant, 'Ingestion/ListJobs', { status: 'completed' })).jobs.length).toBe(5);
    const first = await host.call(tenant, 'Ingestion/ListJobs', { limit: 2 });
    const cursorOf = { limit: 2, cursor: first.pagination.next_cursor };
    expect(await host.refused(other, 'Ingestion/ListJobs', cursorOf)).toMatchObject({ code: 'invalid_request' });
    expect(await host.refused(tenant, 'Ingestion/ListJobs', { ...cursorOf, status: 'failed' })).toMatchObject({
      code: 'invalid_request',
      extra: { param: 'cursor' },
    });
    expect(await host.refused(other, 'Ingestion/GetJob', { id: ids[0]! })).toMatchObject({ code: 'not_found' });
  });
});

describe('a feed', () => {
  const address = 'http://127.0.0.1:8080/catalogue';
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await host.newTenant('USD', 'sandbox');
  });
  const create = async (more: object = {}): Promise<InboundFeed> =>
    (await host.call(tenant, 'Ingestion/CreateFeed', { url: address, format: 'csv', ...more })).feed;
  const list = async (): Promise<InboundFeed[]> => (await host.call(tenant, 'Ingestion/ListFeeds')).feeds;

  test('supports create, list, update and delete', async () => {
    const feed = await create({ mapping: { brand: 'Marke' }, interval_minutes: 60 });
    expect(feed).toEqual({
      id: feed.id,
      name: new URL(address).host,
      url: address,
      format: 'csv',
      mode: 'upsert',
      mapping: { brand: 'Marke' },
      interval_minutes: 60,
      next_sync_at: new Date(NOW + 3_600_000).toISOString(),
      last_sync_at: null,
      last_status: null,
      last_job_id: null,
      created_at: new Date(NOW).toISOString(),
      updated_at: new Date(NOW).toISOString(),
    });
    expect(await list()).toEqual([feed]);
    const change = { id: feed.id, name: 'Mine', mode: 'replace', mapping: null, interval_minutes: null };
    const { feed: changed } = await host.call(tenant, 'Ingestion/UpdateFeed', change);
    expect(changed).toEqual({
      ...feed,
      name: 'Mine',
      mode: 'replace',
      mapping: {},
      interval_minutes: null,
      next_sync_at: null,
    });
    expect(await host.call(tenant, 'Ingestion/DeleteFeed', { id: feed.id })).toEqual({ deleted: true, id: feed.id });
    expect(await list()).toEqual([]);
    for (const rpc of ['Ingestion/UpdateFeed', 'Ingestion/DeleteFeed', 'Ingestion/SyncFeed'])
      expect(await host.refused(tenant, rpc, { id: feed.id })).toMatchObject({ code: 'not_found' });
  });

  test('belongs to its own store only', async () => {
    const feed = await create();
    for (const other of [await host.newTenant(), { ...tenant, environment: 'production' as const }]) {
      expect((await host.call(other, 'Ingestion/ListFeeds')).feeds).toEqual([]);
      for (const rpc of ['Ingestion/UpdateFeed', 'Ingestion/DeleteFeed', 'Ingestion/SyncFeed'])
        expect(await host.refused(other, rpc, { id: feed.id })).toMatchObject({ code: 'not_found' });
    }
  });

  test.each([
    ['http', 'http://shop.example.com/feed.csv'],
    ['this machine', 'https://127.0.0.1:8443/feed.csv'],
    ['the inside of our network', 'https://10.0.0.1/feed.csv'],
    ['cloud metadata', 'https://169.254.169.254/latest'],
    ['a low port', 'https://shop.example.com:22/feed.csv'],
    ['a password', 'https://user:word@shop.example.com/feed.csv'],
  ])('of a live key may not be at %s', async (_name, url) => {
    const live = { ...tenant, environment: 'production' as const };
    expect(await host.refused(live, 'Ingestion/CreateFeed', { url, format: 'csv' })).toMatchObject({
      code: 'invalid_request',
      extra: { param: 'url' },
    });
    const { feed } = await host.call(live, 'Ingestion/CreateFeed', {
      url: 'https://shop.example.com/a',
      format: 'csv',
    });
    expect(await host.refused(live, 'Ingestion/UpdateFeed', { id: feed.id, url })).toMatchObject({
      extra: { param: 'url' },
    });
  });

  test('maps only fields that products have', async () => {
    const mapping = { external_id: 'a', 'attributes.colour': 'b', 'variant_attributes.size': 'c' };
    expect((await create({ mapping })).mapping).toEqual(mapping);
    for (const name of ['id', 'colour', '__proto__', 'attributes.', 'category_id'])
      expect(
        await host.refused(tenant, 'Ingestion/CreateFeed', {
          url: address,
          format: 'csv',
          mapping: Object.fromEntries([[name, 'x']]),
        }),
      ).toMatchObject({ code: 'invalid_request', extra: { param: 'mapping' } });
  });

  test('counts towards a limit of one hundred', async () => {
    for (let count = 0; count < 100; count++) await create();
    expect(await host.refused(tenant, 'Ingestion/CreateFeed', { url: address, format: 'csv' })).toMatchObject({
      code: 'conflict',
    });
    const page = await host.call(tenant, 'Ingestion/ListFeeds', { limit: 100 });
    expect([page.feeds.length, page.pagination]).toEqual([100, { limit: 100, has_more: false, next_cursor: null }]);
  });
});
