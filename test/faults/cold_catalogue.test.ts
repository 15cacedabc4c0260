// Serves a large store after all hosts were killed, while its catalogue is kept from loading: products, carts, prices,
// orders and writes, and the same answers once it is loaded.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';

/** More than what a host loads before it answers. */
const PRODUCTS = 1_100;

let home: string;
let database: TestDatabase;
let cluster: Cluster;
let edge: Member;
let keys: Keys;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-cold-catalogue-'));
  database = await freshDatabase();
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 2, edges: 1, nats: 1 });
  edge = cluster.edges[0]!;
  keys = await cluster.createStore();
  await fill();
});
afterAll(async () => {
  await cluster?.stop();
  await database?.drop();
  await rm(home, { recursive: true, force: true });
});

const send = (method: string, path: string, body?: unknown, options: { key?: string; headers?: object } = {}) =>
  sendTo(edge.address, method, path, {
    key: options.key ?? keys.secret_key,
    body,
    headers: { ...options.headers },
    ...(['/v1/orders', '/v1/ingestion/push'].includes(path) && { signWith: keys.hmac_secret }),
  });

const fill = async (): Promise<void> => {
  const products = Array.from({ length: PRODUCTS }, (_, at) => ({
    external_id: `${at}`,
    name: `Lesson ${at}`,
    category: at % 2 === 0 ? 'Lessons > Music' : 'Lessons',
    tags: ['lesson'],
    price: 10 + (at % 7),
    stock: 5,
    shipping_info: { requires_shipping: false },
  }));
  const pushed = await send('POST', '/v1/ingestion/push', { mode: 'upsert', products });
  expect(pushed.status, pushed.text).toBe(202);
  await eventually(async () => {
    const { body } = await send('GET', `/v1/ingestion/jobs/${pushed.body.job.id}`);
    expect(body.job).toMatchObject({ status: 'completed', rows_created: PRODUCTS });
  }, 60_000);
};

const shownOf = ({ status, text, headers }: Reply) => [status, text, headers.get('etag')];

test('a store of which nothing is in memory is served after kill -9, with the same bytes and tags', async () => {
  const { products } = (await send('GET', '/v1/products?limit=3&sort=name')).body;
  const [first, second] = products;
  const page = (await send('GET', '/v1/products?limit=5&min_price=12', undefined, { key: keys.publishable_key })).body;
  const paths = [
    `/v1/products/${first.id}`,
    `/v1/products/by-slug/${second.product_slug}`,
    `/v1/products/${second.id}/specifications`,
    `/v1/products/${crypto.randomUUID()}/specifications`,
    ...['newest', 'featured', 'rating', 'price_asc', 'price_desc'].map((sort) => `/v1/products?limit=5&sort=${sort}`),
    `/v1/products?limit=5&min_price=12&cursor=${page.pagination.next_cursor}`,
    `/v1/products?ids=${first.id},${second.id}&tag=LESSON&in_stock=true`,
  ];
  const reads = async () => {
    const replies: unknown[] = [];
    for (const path of paths)
      for (const key of [keys.publishable_key, keys.secret_key]) {
        const [status, text, tag] = shownOf(await send('GET', path, undefined, { key }));
        expect([200, 404], String(text)).toContain(status);
        replies.push(status === 200 ? [status, text, tag] : status);
      }
    return replies;
  };
  const warm = await reads();

  await Promise.all(cluster.hosts.map((host) => host.kill()));
  for (const host of cluster.hosts) host.holdLoads(keys.store_id);
  await Promise.all(cluster.hosts.map((host) => host.start()));
  await eventually(async () => expect((await send('GET', '/v1/health')).body.status).toBe('ok'), 60_000);
  const cold = await eventually(async () => {
    const read = await reads();
    expect(read).toEqual(warm);
    return read;
  });
  expect(cold[0]).toEqual([200, expect.stringContaining(first.id), expect.stringMatching(/^"/)]);

  const session = { 'X-Session-Id': crypto.randomUUID() };
  const line = { variant_id: first.variant_id, quantity: 2 };
  const cart = await send('POST', '/v1/cart/items', line, { key: keys.publishable_key, headers: session });
  expect(cart.status, cart.text).toBe(200);
  expect(cart.body.cart.items).toMatchObject([{ name: first.name, unit_price: first.price, quantity: 2 }]);
  const priced = await send('POST', '/v1/pricing/query', { items: [line] });
  expect(priced.body).toMatchObject({ total: first.price * 2 });
  const order = await send('POST', '/v1/orders', { items: [line], email: 'ada@example.com' });
  expect(order.status, order.text).toBe(201);
  expect(order.body.order).toMatchObject({ total_amount: first.price * 2 });

  const renamed = await send('PATCH', `/v1/products/${second.id}`, { name: 'Another lesson' });
  expect(renamed.status, renamed.text).toBe(200);
  expect((await send('GET', `/v1/products/${second.id}`)).body.name).toBe('Another lesson');
  await eventually(async () => expect((await send('GET', `/v1/products/${first.id}`)).body.stock).toBe(3));

  const asleep = await reads();
  for (const host of cluster.hosts) host.holdLoads(null);
  await eventually(async () => expect((await send('GET', '/v1/categories')).status).toBe(200), 60_000);
  expect(await reads()).toEqual(asleep);
});
