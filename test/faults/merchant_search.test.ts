// Searches over all merchants of an operator while the services hosts are killed one after the other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Operator, startCluster } from './cluster.ts';

const MERCHANTS = 3;
/** Longer than a host takes to start on a busy machine. */
const SERVED_MS = 60_000;

let home: string;
let database: TestDatabase;
let cluster: Cluster;
let merchants: Keys[];
let operator: Operator;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-merchant-search-'));
  database = await freshDatabase();
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 2, edges: 1, nats: 1 });
  merchants = [];
  for (let at = 0; at < MERCHANTS; at++) {
    merchants.push(await cluster.createStore());
    for (const name of ['Lamp', 'Chair']) await sell(at, `${name} of ${at}`);
  }
  operator = await cluster.createOperator(merchants.map(({ store_id }) => store_id));
});
afterAll(async () => {
  await cluster?.stop();
  await database?.drop();
  await rm(home, { recursive: true, force: true });
});

const send = (method: string, path: string, key: string, body?: unknown) =>
  sendTo(cluster.edges[0]!.address, method, path, { key, body });

const sell = (merchant: number, name: string): Promise<void> =>
  eventually(async () => {
    const { status, text } = await send('POST', '/v1/products', merchants[merchant]!.secret_key, { name, price: 5 });
    expect(status, text).toBe(201);
  }, SERVED_MS);

test('a search over all merchants is whole behind each kill of a host, also with what was written since', async () => {
  const expected = Array.from({ length: MERCHANTS }, (_, at) => `Lamp of ${at}`);
  /** A search may be refused meanwhile, but never lacks a merchant. */
  const search = async (): Promise<void> => {
    const { status, text, body } = await send('POST', '/v1/search', operator.operator_key, { query: 'lamp' });
    expect(status, text).toBe(200);
    expect(body.products.map(({ name }: { name: string }) => name).toSorted()).toEqual(expected);
    expect(body.total).toBe(expected.length);
  };
  await search();
  for (const [at, host] of cluster.hosts.entries()) {
    await host.kill();
    await eventually(search, SERVED_MS);
    const name = `Lamp written without host ${at}`;
    await sell(at, name);
    expected.push(name);
    await eventually(search, SERVED_MS);
    await host.start();
    await eventually(search, SERVED_MS);
  }
});
