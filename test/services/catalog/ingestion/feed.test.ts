// Inbound feeds: who may configure what, what a pull does, what it tells, and when it happens by itself.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InboundFeed } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call.ts';
import { pullDue } from '#services/catalog/ingestion/schedule.ts';
import { countsOf, type IngestionHost, NOW, openIngestionHost } from './host.ts';

let host: IngestionHost;
let tenant: Tenant;
let served: { status: number; body: string | Uint8Array; headers?: Record<string, string> };
const merchant = http.createServer((_request, response) => {
  response.writeHead(served.status, served.headers);
  response.end(served.body);
});
let address: string;

beforeAll(async () => {
  host = await openIngestionHost();
  host.work();
  await new Promise<void>((done) => merchant.listen(0, '127.0.0.1', () => done()));
  address = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/catalogue`;
});
afterAll(async () => {
  merchant.close();
  await host.close();
});
beforeEach(async () => {
  tenant = await host.newTenant('USD', 'sandbox');
  served = { status: 200, body: 'id,name,price\nA,Shoe,10\nB,Boot,20\n' };
});

const create = async (more: object = {}): Promise<InboundFeed> =>
  (await host.call(tenant, 'Ingestion/CreateFeed', { url: address, format: 'csv', ...more })).feed;
const sync = async (feed: InboundFeed) => {
  const { job } = await host.call(tenant, 'Ingestion/SyncFeed', { id: feed.id });
  return host.ended(tenant, job.id);
};
const list = async (): Promise<InboundFeed[]> => (await host.call(tenant, 'Ingestion/ListFeeds')).feeds;

describe('a feed', () => {
  test('is created, listed, changed and deleted', async () => {
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

  test('is nobody else’s', async () => {
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

  test('is one of a hundred at most', async () => {
    for (let count = 0; count < 100; count++) await create();
    expect(await host.refused(tenant, 'Ingestion/CreateFeed', { url: address, format: 'csv' })).toMatchObject({
      code: 'conflict',
    });
    const page = await host.call(tenant, 'Ingestion/ListFeeds', { limit: 100 });
    expect([page.feeds.length, page.pagination]).toEqual([100, { limit: 100, has_more: false, next_cursor: null }]);
  });
});

describe('a pull', () => {
  test('takes the file in, notes how it ended, and tells it', async () => {
    const feed = await create();
    const job = await sync(feed);
    expect(job).toMatchObject({ status: 'completed', feed_id: feed.id, rows_total: 2, rows_created: 2 });
    expect((await list())[0]).toMatchObject({
      last_status: 'completed',
      last_job_id: job.id,
      last_sync_at: new Date(NOW).toISOString(),
    });
    served.body = 'id,name,price\nA,Shoe,12\nB,Boot,cheap\nC,Sock,1\n';
    await sync(feed);
    const told = (await host.events(tenant)).filter(({ type }) => type === 'feed.sync.completed');
    expect(told.map(({ data }) => data.object)).toMatchObject([
      {
        id: feed.id,
        job_id: job.id,
        status: 'completed',
        rows_created: 2,
        rows_updated: 0,
        rows_failed: 0,
        errors: [],
      },
      {
        id: feed.id,
        status: 'completed',
        rows_created: 1,
        rows_updated: 1,
        rows_failed: 1,
        errors: [{ row: 1, external_id: 'B', code: 'invalid_request', param: 'price', message: expect.any(String) }],
      },
    ]);
  });

  test.each<[string, string, object, string]>([
    [
      'json',
      'json',
      {},
      '{"products":[{"external_id":"A","name":"Shoe","price":10},{"external_id":"B","name":"Boot"}]}',
    ],
    ['ndjson', 'ndjson', {}, '{"external_id":"A","name":"Shoe","price":10}\n{"external_id":"B","name":"Boot"}\n'],
    [
      'mapped json',
      'json',
      { mapping: { external_id: 'nr', name: 'titel', price: 'preis' } },
      '[{"nr":"A","titel":"Shoe","preis":10},{"nr":"B","titel":"Boot"}]',
    ],
    [
      'google_xml',
      'google_xml',
      {},
      '<rss><channel><item><id>A</id><title>Shoe</title><price>10 USD</price></item><item><id>B</id><title>Boot</title></item></channel></rss>',
    ],
  ])('reads %s', async (_name, format, more, body) => {
    served.body = body;
    expect(countsOf(await sync(await create({ format, ...more })))).toEqual({ rows_total: 2, rows_created: 2 });
    expect((await host.products(tenant)).get('A')).toMatchObject({ name: 'Shoe', price: 1_000 });
  });

  test('in replace mode deactivates what the file leaves out', async () => {
    const feed = await create({ mode: 'replace' });
    await sync(feed);
    served.body = 'id,name\nB,Boot\n';
    expect(countsOf(await sync(feed))).toMatchObject({ rows_unchanged: 1, rows_deactivated: 1 });
  });

  test.each<[string, () => typeof served, string]>([
    ['an error page', () => ({ status: 404, body: 'none' }), 'The address answered with status 404.'],
    [
      'a redirect',
      () => ({ status: 302, body: '', headers: { location: 'http://169.254.169.254/' } }),
      'The address answered with status 302.',
    ],
    ['a page of HTML', () => ({ status: 200, body: '<html></html>' }), 'names no column external_id'],
    ['no rows', () => ({ status: 200, body: 'id,name\n' }), 'The file holds no products.'],
    ['nothing', () => ({ status: 200, body: '' }), 'The file is empty.'],
    ['a file cut off in a quote', () => ({ status: 200, body: 'id,name\nA,"Shoe\nB,Boot' }), 'not valid CSV'],
    [
      'a compressed file',
      () => ({ status: 200, body: gzipSync('id\nA'), headers: { 'content-encoding': 'gzip' } }),
      'compressed (gzip)',
    ],
    ['too large a file', () => ({ status: 200, body: Buffer.alloc(17 * 1024 * 1024, 0x20) }), 'larger than 16777216'],
  ])('of %s fails, changes nothing and says why', async (_name, answer, message) => {
    const feed = await create({ mode: 'replace' });
    await sync(feed);
    served = answer();
    const job = await sync(feed);
    expect(job).toMatchObject({ status: 'failed', rows_created: 0, rows_deactivated: 0 });
    expect(job.errors).toEqual([
      {
        row: null,
        external_id: null,
        code: expect.any(String),
        param: null,
        message: expect.stringContaining(message),
      },
    ]);
    expect([...(await host.products(tenant)).values()].map(({ is_active }) => is_active)).toEqual([true, true]);
    const told = (await host.events(tenant)).at(-1);
    expect([told?.type, told?.data.object.status]).toEqual(['feed.sync.completed', 'failed']);
    expect((await list())[0]?.last_status).toBe('failed');
  });

  test('waits behind the jobs before it, and only once', async () => {
    const own = await openIngestionHost();
    try {
      const whose = await own.newTenant('USD', 'sandbox');
      const { feed } = await own.call(whose, 'Ingestion/CreateFeed', { url: address, format: 'csv' });
      await own.call(whose, 'Ingestion/SyncFeed', { id: feed.id });
      expect(await own.refused(whose, 'Ingestion/SyncFeed', { id: feed.id })).toMatchObject({ code: 'conflict' });
    } finally {
      await own.close();
    }
  });
});

describe('a schedule', () => {
  test('pulls when the tenant’s time has come, once, and again an interval later', async () => {
    const own = await openIngestionHost();
    try {
      const [live, test] = [await own.newTenant('USD'), await own.newTenant('USD', 'sandbox')];
      const jobsOf = async (whose: Tenant) => (await own.call(whose, 'Ingestion/ListJobs')).jobs.length;
      const options = { ...own.foundation, wake: () => {} };
      const feed = { url: 'https://shop.example.com/feed.csv', format: 'csv', interval_minutes: 30 };
      for (const whose of [live, test]) await own.call(whose, 'Ingestion/CreateFeed', feed);
      expect(await pullDue(options)).toBe(0);
      // Only the sandbox's clock runs ahead.
      own.clock.setOffset(test, 30 * 60_000);
      expect(await pullDue(options)).toBe(1);
      expect([await jobsOf(live), await jobsOf(test)]).toEqual([0, 1]);
      own.clock.advance(30 * 60_000);
      expect(await pullDue(options)).toBe(1);
      expect([await jobsOf(live), await jobsOf(test)]).toEqual([1, 1]);
      expect((await own.call(live, 'Ingestion/ListFeeds')).feeds[0].next_sync_at).toBe(
        new Date(NOW + 60 * 60_000).toISOString(),
      );
    } finally {
      await own.close();
    }
  });
});
