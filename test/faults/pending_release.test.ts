// Checkout intents that are cancelled and made smaller while the bus is away, by a host that is killed then: what they held for it
// is sold to others once both are back, and no sooner is less held than the intents say.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { retryUntilAnswered } from './crash.ts';

const STOCK = 20;
const INTENTS = '/v1/agent/checkout-intents';

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-pending-release-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const ask = ({ secret_key: key }: Keys, method: string, path: string, body?: unknown, name = '') =>
  retryUntilAnswered(() =>
    sendTo(cluster.edges[0]!.address, method, path, {
      key,
      ...(body === undefined ? {} : { body }),
      ...(name && { headers: { 'Idempotency-Key': name } }),
    }),
  );

test.each([
  ['the host lives on', false],
  ['the host is killed', true],
])('%s', { timeout: 240_000 }, async (_, killed) => {
  const shop = await cluster.createStore();
  const product = { name: 'Lesson', price: 10, stock: STOCK, shipping_info: { requires_shipping: false } };
  const { variant_id } = (await ask(shop, 'POST', '/v1/products', product)).body;
  const items = (quantity: number) => [{ variant_id, quantity }];
  const begin = async (): Promise<string> => (await ask(shop, 'POST', INTENTS, { items: items(5) })).body.data.id;
  const [cancelled, smaller, unchanged] = [await begin(), await begin(), await begin()];
  const isHeld = (held: number) =>
    eventually(async () => {
      const { inventory } = (await ask(shop, 'GET', `/v1/inventory/${variant_id}`)).body;
      expect(inventory).toMatchObject({ on_hand: STOCK, held, available: STOCK - held });
    }, 60_000);
  await isHeld(15);

  const [nats, host] = [cluster.nats.servers[0]!, cluster.hosts[0]!];
  await nats.kill();
  await ask(shop, 'POST', `${INTENTS}/${cancelled}/cancel`, undefined, `cancel-${killed}`);
  await ask(shop, 'PATCH', `${INTENTS}/${smaller}`, { items: items(2) }, `change-${killed}`);
  if (killed) await host.kill();
  await nats.start();
  if (killed) await host.start();

  await isHeld(7);
  expect((await ask(shop, 'GET', `${INTENTS}/${unchanged}`)).body.data.hold.status).toBe('held');
  await eventually(async () => {
    const pending = await postgres.sql`select 1 from agent.pending_release where store = ${shop.store_id}`;
    expect(pending).toHaveLength(0);
  });
});
