// Pulls from a merchant's server: every format, replacement, and broken files.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InboundFeed } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { untyped } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
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

describe('a pull', () => {
  test('writes the file, and records and emits the outcome', async () => {
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
    const events = (await host.events(tenant)).filter(({ type }) => type === 'feed.sync.completed');
    expect(events.map(({ data }) => data.object)).toMatchObject([
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

  test('deactivates missing products in replace mode', async () => {
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
    const events = (await host.events(tenant)).at(-1);
    expect([events?.type, untyped(events!.data.object).status]).toEqual(['feed.sync.completed', 'failed']);
    expect((await list())[0]?.last_status).toBe('failed');
  });

  test('waits behind earlier jobs, and queues once', async () => {
    const own = await openIngestionHost();
    try {
      const whose = await own.newTenant('USD', 'sandbox');
      const { feed } = await own.call(whose, 'Ingestion/CreateFeed', { url: address, format: 'csv' });
      const first = await own.pushRows(whose, [{ external_id: 'A', name: 'Before', price: 1 }]);
      const { job } = await own.call(whose, 'Ingestion/SyncFeed', { id: feed.id });
      expect(await own.refused(whose, 'Ingestion/SyncFeed', { id: feed.id })).toMatchObject({ code: 'conflict' });
      const last = await own.pushRows(whose, [{ external_id: 'A', name: 'After' }]);
      own.work();
      expect(await own.ended(whose, last.id)).toMatchObject({ rows_updated: 1 });
      expect(await own.ended(whose, first.id)).toMatchObject({ rows_created: 1 });
      expect(await own.ended(whose, job.id)).toMatchObject({ rows_created: 1, rows_updated: 1 });
      expect((await own.products(whose)).get('A')).toMatchObject({ name: 'After', price: 1_000 });
    } finally {
      await own.close();
    }
  });

  test('delays no other store’s push or pull while its server hangs', async () => {
    const hanging = http.createServer(({ url }, response) => {
      if (url === '/begun') response.writeHead(200, { 'content-length': 1_000_000 }).write('id,name\n');
    });
    await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', () => done()));
    const own = await openIngestionHost();
    const pull = async (whose: Tenant, url: string): Promise<string> => {
      const { feed } = await own.call(whose, 'Ingestion/CreateFeed', { url, format: 'csv' });
      return (await own.call(whose, 'Ingestion/SyncFeed', { id: feed.id })).job.id;
    };
    try {
      const base = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
      let asked = 0;
      hanging.on('request', () => asked++);
      for (let store = 0; store < 20; store++) {
        const whose = await own.newTenant('USD', 'sandbox');
        for (const path of ['/silent', '/begun', '/silent']) await pull(whose, base + (store % 2 ? path : '/begun'));
      }
      own.work();
      // One feed per store: a store's other feeds would wait.
      await eventually(() => expect(asked).toBe(20));
      const good = await own.newTenant('USD', 'sandbox');
      expect(countsOf(await own.ended(good, await pull(good, address)))).toEqual({ rows_total: 2, rows_created: 2 });
      expect(await own.take(await own.newTenant(), [{ external_id: 'A', name: 'Shoe' }])).toMatchObject({
        rows_created: 1,
      });
      expect(asked).toBe(20);
    } finally {
      hanging.closeAllConnections();
      hanging.close();
      await own.close();
    }
  });

  test('reads a large file as its server sends it', async () => {
    const names = Array.from({ length: 2_000 }, (_, row) => `${row} ${'large '.repeat(40)}`.trim());
    served.body = `id,name\n${names.map((name, row) => `R${row},${name}`).join('\n')}\n`;
    expect(countsOf(await sync(await create()))).toEqual({ rows_total: 2_000, rows_created: 2_000 });
    const products = await host.products(tenant);
    expect(names.map((_name, row) => products.get(`R${row}`)?.name)).toEqual(names);
  });
});
