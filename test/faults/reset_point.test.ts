// A reset whose host dies in the middle: the other host serves the sandbox soon, as it was or begun anew and nothing between,
// and production knows of nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { type Cluster, startCluster } from './cluster.ts';

const DAY_S = 86_400;
/** Tables that stand for all: shoppers write to them, and background work does not. */
const TABLES = ['catalog.product', 'catalog.variant', 'customer.customer', 'orders.order', 'orders.line'];

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-reset-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 2, edges: 1, nats: 1 });
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const ask = (method: string, path: string, key: string, body?: unknown, signWith?: string, headers = {}) =>
  sendTo(cluster.edges[0]!.address, method, path, { key, body, headers, ...(signWith ? { signWith } : {}) });

/** A product, a shopper and their order. */
const furnish = async (key: string, signWith: string): Promise<void> => {
  const made = async (path: string, body: unknown, sign?: string) => {
    const reply = await ask('POST', path, key, body, sign);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const product = { name: 'Lesson', price: 10, stock: 5, shipping_info: { requires_shipping: false } };
  const { variant_id } = await made('/v1/products', product);
  const { customer } = await made('/v1/customers', { email: 'ada@example.com' });
  await made('/v1/orders', { items: [{ variant_id, quantity: 1 }], customer_id: customer.id }, signWith);
};

const rowsOf = async ({ store_id: store }: Keys, environment: string): Promise<number[]> => {
  const counts: number[] = [];
  for (const table of TABLES) {
    const [row] = await postgres.sql.unsafe<{ rows: number }[]>(
      `select count(*)::integer as rows from ${table} where store = $1 and environment = $2`,
      [store, environment],
    );
    counts.push(row!.rows);
  }
  return counts;
};

test.each<[string, Failpoint, boolean]>([
  ['once it is shut', 'shut', false],
  ['once its rows are gone, before that is committed', 'clear', false],
  ['once that is committed, before its clock is set', 'transaction', true],
])('%s', { timeout: 240_000 }, async (_where, place, anew) => {
  const keys = await cluster.createStore();
  const { store_id, secret_test_key: key } = keys;
  await furnish(keys.secret_key, keys.hmac_secret);
  await furnish(key, keys.hmac_test_secret);
  expect((await ask('POST', '/v1/sandbox/time-travel', key, { advance_seconds: DAY_S })).status).toBe(200);
  const [production, before] = [await rowsOf(keys, 'production'), await rowsOf(keys, 'sandbox')];
  for (const host of cluster.hosts) host.arm({ place, store_id });
  const reset = () => ask('POST', '/v1/sandbox/reset', key, {}, undefined, { 'Idempotency-Key': `reset-${place}` });
  await reset().catch(() => null);
  // The caller may see the crash first.
  const dead = await eventually(() => {
    const found = cluster.hosts.filter(({ alive }) => !alive);
    expect(found).toHaveLength(1);
    return found;
  });
  for (const host of cluster.hosts) host.arm(null);

  const product = { name: 'Another lesson', price: 10 };
  await eventually(async () => {
    const { status, text } = await ask('POST', '/v1/products', key, product);
    expect(status, text).toBe(201);
  }, 30_000);
  const added = [1, 1, 0, 0, 0];
  const rows = await rowsOf(keys, 'sandbox');
  expect(rows).toEqual(added.map((count, at) => count + (anew ? 0 : before[at]!)));
  await eventually(async () => {
    const { offset_seconds: ahead } = (await ask('GET', '/v1/sandbox/clock', key)).body;
    expect(Math.round(ahead / DAY_S)).toBe(anew ? 0 : 1);
  });

  await eventually(async () => expect((await reset()).status).toBe(200));
  // Under its key it was done already, or is done now.
  expect(await rowsOf(keys, 'sandbox')).toEqual(anew ? added : [0, 0, 0, 0, 0]);
  expect(await rowsOf(keys, 'production')).toEqual(production);
  await dead[0]!.start();
});
