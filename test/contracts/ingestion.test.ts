// Ingestion over HTTP: pushes, jobs and inbound feeds as a merchant's server meets them.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type SendOptions, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const shoe = {
  external_id: 'A',
  name: 'Trail shoe',
  price: 100,
  sale_price: 79.5,
  stock: 3,
  category: 'Shoes > Trail',
};

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
});
beforeEach(async () => {
  keys = await stoa.createStore();
});

const call = (method: string, path: string, options: SendOptions = {}): Promise<Reply> =>
  stoa.send(method, path, { key: keys.secret_key, ...options });
const push = (body: unknown, options: SendOptions = {}, query = ''): Promise<Reply> =>
  call('POST', `/v1/ingestion/push${query}`, { signWith: keys.hmac_secret, body, ...options });
const ended = (id: string, key = keys.secret_key) =>
  eventually(async () => {
    const { body } = await call('GET', `/v1/ingestion/jobs/${id}`, { key });
    if (body.job.finished_at === null) throw new Error(`The job is ${body.job.status}.`);
    return body.job;
  });

describe('a push', () => {
  test('acknowledges a push of JSON as a job that adds its products', async () => {
    const pushed = await push({ mode: 'upsert', products: [shoe, { external_id: 'B', price: 'cheap' }] });
    expect([pushed.status, pushed.body.job.status, pushed.body.job.rows_total]).toEqual([202, 'queued', 2]);
    const job = await ended(pushed.body.job.id);
    expect(job).toMatchObject({ status: 'completed', rows_created: 1, rows_failed: 1 });
    expect(job.errors).toMatchObject([{ row: 1, external_id: 'B', code: 'invalid_request', param: 'price' }]);
    const { products } = (await call('GET', '/v1/products')).body;
    expect(products).toMatchObject([
      {
        name: 'Trail shoe',
        price: 100,
        selling_price: 79.5,
        stock: 3,
        category_name: 'Shoes',
        subcategory_name: 'Trail',
      },
    ]);
  });

  test('reads the mode of an NDJSON push from the query, and fails a bad line alone', async () => {
    await ended((await push({ products: [shoe, { ...shoe, external_id: 'B' }] })).body.job.id);
    const lines = `${JSON.stringify(shoe)}\n{"external_id":\n`;
    const pushed = await push(lines, { headers: NDJSON }, '?mode=replace');
    expect([pushed.status, pushed.body.job.mode, pushed.body.job.rows_total]).toEqual([202, 'replace', 2]);
    const job = await ended(pushed.body.job.id);
    expect(job).toMatchObject({ rows_unchanged: 1, rows_failed: 1, rows_deactivated: 1, errors: [{ row: 1 }] });
    expect((await call('GET', '/v1/products', { key: keys.publishable_key })).body.products.length).toBe(1);
  });

  test('sent again under its key is answered again and done once', async () => {
    const headers = { 'Idempotency-Key': 'nightly-1' };
    const first = await push({ products: [shoe] }, { headers });
    const again = await push({ products: [shoe] }, { headers });
    expect([again.status, again.body.job.id, again.body.idempotent]).toEqual([202, first.body.job.id, true]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await push({ products: [] }, { headers })).status).toBe(409);
    expect((await call('GET', '/v1/ingestion/jobs')).body.jobs.length).toBe(1);
  });

  test.each<[string, number, string, () => Promise<Reply>]>([
    ['no key', 401, 'unauthorized', () => stoa.send('POST', '/v1/ingestion/push', { body: { products: [] } })],
    ['a publishable key', 403, 'forbidden', () => push({ products: [] }, { key: keys.publishable_key })],
    ['no signature', 400, 'invalid_request', () => call('POST', '/v1/ingestion/push', { body: { products: [] } })],
    ['another secret', 401, 'unauthorized', () => push({ products: [] }, { signWith: keys.hmac_test_secret })],
    ['no products', 400, 'invalid_request', () => push({ mode: 'upsert' })],
    ['products that are no list', 400, 'invalid_request', () => push({ products: {} })],
    ['products that are null', 400, 'invalid_request', () => push({ products: null })],
    ['an unknown mode', 400, 'invalid_request', () => push({ mode: 'merge', products: [] })],
    ['an unknown mode in the query', 400, 'invalid_request', () => push('', { headers: NDJSON }, '?mode=merge')],
    ['a list alone', 400, 'invalid_request', () => push([])],
    ['broken JSON', 400, 'invalid_request', () => push('{"products":[}')],
    ['a key twice in a row', 400, 'invalid_request', () => push('{"products":[{"a":1,"a":2}]}')],
    ['a byte-order mark', 400, 'invalid_request', () => push('\ufeff{}', { headers: NDJSON })],
    ['CSV', 415, 'unsupported_media_type', () => push('id\nA', { headers: { 'Content-Type': 'text/csv' } })],
    ['compression', 400, 'invalid_request', () => push('{}', { headers: { ...NDJSON, 'Content-Encoding': 'gzip' } })],
    ['more than 16 MiB', 413, 'payload_too_large', () => push('\n'.repeat(16 * 1024 * 1024 + 1), { headers: NDJSON })],
  ])('with %s is %i and makes no job', async (_name, status, code, send) => {
    const reply = await send();
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect((await call('GET', '/v1/ingestion/jobs')).body.jobs).toEqual([]);
  });

  test('may be 16 MiB large', async () => {
    const line = `${JSON.stringify({ ...shoe, description: 'x'.repeat(45_000) })}\n`;
    const body = line.repeat(360);
    const pushed = await push(body.padEnd(16 * 1024 * 1024, '\n'), { headers: NDJSON });
    expect([pushed.status, pushed.body.job.rows_total]).toEqual([202, 360]);
    expect(await ended(pushed.body.job.id)).toMatchObject({ rows_created: 1, rows_unchanged: 359 });
  });
});

describe('jobs', () => {
  test('shows jobs only to a secret key of their environment', async () => {
    const { job } = (await push({ products: [shoe] })).body;
    await ended(job.id);
    const of = (key: string) => call('GET', `/v1/ingestion/jobs/${job.id}`, { key });
    expect((await of(keys.secret_key)).status).toBe(200);
    expect((await of(keys.secret_test_key)).status).toBe(404);
    expect((await of(keys.publishable_key)).status).toBe(403);
    expect((await of((await stoa.createStore()).secret_key)).status).toBe(404);
    expect((await call('GET', '/v1/ingestion/jobs', { key: keys.secret_test_key })).body.jobs).toEqual([]);
    expect((await call('GET', '/v1/ingestion/jobs/none')).body.error).toMatchObject({ param: 'id' });
  });

  test('page by a cursor and show the fields asked for', async () => {
    for (let count = 0; count < 3; count++) await ended((await push({ products: [shoe] })).body.job.id);
    const first = await call('GET', '/v1/ingestion/jobs?limit=2&fields=id,status');
    expect(first.body.jobs.map((job: object) => Object.keys(job))).toEqual([
      ['id', 'status'],
      ['id', 'status'],
    ]);
    const next = await call('GET', `/v1/ingestion/jobs?limit=2&cursor=${first.body.pagination.next_cursor}`);
    expect([next.body.jobs.length, next.body.pagination.has_more]).toEqual([1, false]);
    expect((await call('GET', '/v1/ingestion/jobs?cursor=x')).body.error.param).toBe('cursor');
  });
});

describe('inbound feeds', () => {
  const merchant = http.createServer((_request, response) => response.end('id,name,price\nA,Shoe,10\n'));
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((done) => merchant.listen(0, '127.0.0.1', () => done()));
    url = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/feed.csv`;
  });
  afterAll(() => void merchant.close());

  test('creates, changes, pulls and deletes inbound feeds', async () => {
    const key = keys.secret_test_key;
    const made = await call('POST', '/v1/ingestion/feeds', { key, body: { url, format: 'csv', interval_minutes: 60 } });
    expect([made.status, made.body.feed.mode]).toEqual([201, 'upsert']);
    const { id } = made.body.feed;
    const changed = await call('PATCH', `/v1/ingestion/feeds/${id}`, {
      key,
      body: { name: 'Nightly', interval_minutes: null },
    });
    expect(changed.body.feed).toMatchObject({ name: 'Nightly', next_sync_at: null });
    const pulled = await call('POST', `/v1/ingestion/feeds/${id}/sync`, { key });
    expect([pulled.status, pulled.body.job.feed_id]).toEqual([202, id]);
    expect(await ended(pulled.body.job.id, key)).toMatchObject({ status: 'completed', rows_created: 1 });
    expect((await call('GET', '/v1/ingestion/feeds', { key })).body.feeds).toMatchObject([
      { id, last_status: 'completed' },
    ]);
    const deleted = await call('DELETE', `/v1/ingestion/feeds/${id}`, { key });
    expect(deleted.body).toEqual({ deleted: true, id });
    expect((await call('POST', `/v1/ingestion/feeds/${id}/sync`, { key })).status).toBe(404);
  });

  test.each([
    [{ format: 'csv' }, 'url'],
    [{ url: 'https://shop.example.com/a' }, 'format'],
    [{ url: 'https://shop.example.com/a', format: 'xlsx' }, 'format'],
    [{ url: 'ftp://shop.example.com/a', format: 'csv' }, 'url'],
    [{ url: 'http://127.0.0.1:8080/a', format: 'csv' }, 'url'],
    [{ url: 'https://shop.example.com/a', format: 'csv', interval_minutes: 1 }, 'interval_minutes'],
    [{ url: 'https://shop.example.com/a', format: 'csv', mapping: { price: '' } }, 'mapping.price'],
    [{ url: 'https://shop.example.com/a', format: 'csv', mapping: { colour: 'x' } }, 'mapping'],
  ])('with a live key refuse %j', async (body, param) => {
    const reply = await call('POST', '/v1/ingestion/feeds', { body });
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
  });
});
