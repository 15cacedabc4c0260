// Hosts that are killed while a crowd buys: its stock is another host's then, and each piece is sold once, and none is lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, startCluster } from './cluster.ts';

const PIECES = 60;
const BUYERS = 90;
/** The others come after the kill, so that not all is sold before it. */
const EARLY = 40;

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-crowd-kill-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 2, edges: 1, nats: 1, partitions: 4 });
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const ask = (method: string, path: string, key: string, body?: unknown, signWith?: string, headers = {}) =>
  sendTo(cluster.edges[0]!.address, method, path, { key, body, headers, ...(signWith ? { signWith } : {}) });

/** Every other buyer buys by a checkout intent; each repeats the request under one key until the answer is final. */
const buy = async ({ secret_key, hmac_secret, publishable_key }: Keys, variant_id: string, buyer: number) => {
  const insist = async (send: (key: Record<string, string>) => Promise<Reply>): Promise<Reply> => {
    const key = { 'Idempotency-Key': `rush-${buyer}` };
    for (;;) {
      const reply = await send(key).catch(() => null);
      if (reply && (reply.status === 201 || reply.body?.error?.code === 'insufficient_stock')) return reply;
      await Bun.sleep(100);
    }
  };
  const wanted = { items: [{ variant_id, quantity: 1 }], email: `buyer${buyer}@example.com` };
  if (buyer % 2 === 0) return insist((key) => ask('POST', '/v1/orders', secret_key, wanted, hmac_secret, key));
  const started = await insist((key) =>
    ask('POST', '/v1/agent/checkout-intents', publishable_key, wanted, undefined, key),
  );
  if (started.status !== 201) return started;
  const intent = { checkout_intent_id: started.body.data.id };
  return insist((key) => ask('POST', '/v1/orders', secret_key, intent, hmac_secret, key));
};

test.each([
  ['one host', [0]],
  ['the other', [1]],
  ['both', [0, 1]],
])('%s, once some were sold', { timeout: 400_000 }, async (_, victims) => {
  const keys = await cluster.createStore();
  const product = { name: 'Lesson', price: 10, stock: PIECES, shipping_info: { requires_shipping: false } };
  const made = await ask('POST', '/v1/products', keys.secret_key, product);
  expect(made.status, made.text).toBe(201);
  const variant = made.body.variant_id;
  const killed = Promise.withResolvers<void>();
  const rush = Promise.all(
    Array.from({ length: BUYERS }, async (_, buyer) => {
      if (buyer >= EARLY) await killed.promise;
      return buy(keys, variant, buyer);
    }),
  );
  const orders = async (): Promise<number> =>
    (await postgres.sql`select 1 from orders.order where store = ${keys.store_id}`).length;
  await eventually(async () => expect(await orders()).toBeGreaterThan(5), 60_000);
  const dying = victims.map((at) => cluster.hosts[at]!);
  await Promise.all(dying.map((host) => host.kill()));
  killed.resolve();
  // The other of two hosts continues alone.
  if (victims.length === 2) await Promise.all(dying.map((host) => host.start()));
  const sold = (await rush).filter(({ status }) => status === 201).length;
  expect(await orders()).toBe(sold);
  for (const host of dying) if (!host.alive) await host.start();
  // A crashed attempt's hold may be released after the last buyer was refused: the next buyers get it.
  const isLeft = (pieces: number) =>
    eventually(async () => {
      const { inventory } = (await ask('GET', `/v1/inventory/${variant}`, keys.secret_key)).body;
      expect(inventory).toMatchObject({ on_hand: pieces, held: 0, available: pieces });
    }, 150_000);
  await isLeft(PIECES - sold);
  for (let late = sold; late < PIECES; late++) expect((await buy(keys, variant, 2 * (BUYERS + late))).status).toBe(201);
  await isLeft(0);
});
