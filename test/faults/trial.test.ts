// The fault suite's short form: each host and the only NATS server die under load, and all answers stay true. Without NATS
// every write to carts and holds is refused, and every read is answered. The long form is a command: main.ts.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary } from '#runtime/grpc/unary.ts';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { sendTo } from '#test/support/stoa.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { FAULTS } from './fault.ts';
import { openTrialStore, runTrial } from './trial.ts';

const LIMIT_MS = 600_000;
/** No machine is so busy that an edge which answers takes as long. */
const PATIENCE_MS = 180_000;

const DEATHS = ['a host is killed', 'a host is killed', 'a NATS server is killed'];

let home: string;
let database: TestDatabase;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-faults-'));
  database = await freshDatabase();
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 2, edges: 1, nats: 1 });
}, LIMIT_MS);
afterAll(async () => {
  await cluster.stop();
  await database.drop();
  await rm(home, { recursive: true, force: true });
}, LIMIT_MS);

test(
  'no acknowledged write is lost, none counts twice and no hold stays, whichever process is killed',
  async () => {
    const befell: string[] = [];
    await runTrial(cluster, {
      shoppers: 6,
      holders: 4,
      buyers: 2,
      first: 0,
      patienceMs: PATIENCE_MS,
      // One host after the other: where chance gave one of them every log, the other one's death would hit none.
      faults: DEATHS.map((wanted) => FAULTS.find(({ name }) => name === wanted)!),
      hear: ({ fault }) => befell.push(fault),
    });
    expect(befell).toEqual(DEATHS);
  },
  LIMIT_MS,
);

test(
  'without NATS carts and holds are 503 with Retry-After, and everything is read',
  async () => {
    const { keys, shop, seller } = await openTrialStore(cluster, PATIENCE_MS);
    const url = cluster.edges[0]!.address;
    const send = (method: string, path: string, body?: unknown) =>
      sendTo(url, method, path, { key: shop.key, body, headers: { 'X-Session-Id': 'without-nats' } });
    const add = (session = 'without-nats') =>
      sendTo(url, 'POST', '/v1/cart/items', {
        key: shop.key,
        body: { variant_id: shop.variantId, quantity: 1 },
        headers: { 'X-Session-Id': session },
      });
    const host = connectUnary(cluster.hosts[0]!.address, cluster.token, new ServiceRegistry(descriptors));
    const hold = () =>
      host.call('Stock/HoldStock', seller.tenant, {
        hold_id: randomUUID(),
        lines: [{ variant_id: seller.ample, quantity: 1 }],
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
    expect((await add()).status).toBe(200);
    const registered = await sendTo(url, 'POST', '/v1/auth/register', {
      key: keys.secret_key,
      body: { email: 'ada@example.com', password: 'correct horse battery' },
    });
    expect(registered.status, registered.text).toBe(201);
    const token = registered.body.session.access_token;
    const read = async (): Promise<void> => {
      for (const path of ['/v1/cart', '/v1/products', `/v1/products/${shop.productId}`, '/v1/store']) {
        const reply = await send('GET', path);
        expect(reply.status, `${path} ${reply.text}`).toBe(200);
      }
      for (const [path, key] of [
        [`/v1/wishlist?customer_id=${registered.body.customer.id}`, shop.key],
        ['/v1/auth/me', keys.secret_key],
      ] as const) {
        const reply = await sendTo(url, 'GET', path, { key, headers: { 'x-auth-token': token } });
        expect(reply.status, `${path} ${reply.text}`).toBe(200);
      }
      const found = await send('POST', '/v1/search', { query: 'lamp' });
      expect(found.status, found.text).toBe(200);
    };
    await read();
    const [server] = cluster.nats.servers;
    await server!.kill();
    try {
      // Calls during the crash may have an unknown outcome.
      await eventually(async () => expect((await add()).status).toBe(503), PATIENCE_MS);
      for (const reply of [await add(), await add(`never-seen-${randomUUID()}`)]) {
        expect(reply.status, reply.text).toBe(503);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(reply.body.error.code).toBe('service_unavailable');
      }
      await eventually(async () => {
        const refused = await hold();
        expect(refused).toBeInstanceOf(Refusal);
        expect(refused).toMatchObject({ code: 'service_unavailable', extra: { retryAfterS: expect.any(Number) } });
      }, PATIENCE_MS);
      await read();
      const { body } = await send('GET', '/v1/cart');
      expect(body.cart.items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([1]);
    } finally {
      await server!.start();
    }
    await eventually(async () => expect((await add()).status).toBe(200), PATIENCE_MS);
    await eventually(async () => expect(await hold()).not.toBeInstanceOf(Refusal), PATIENCE_MS);
    host.close();
  },
  LIMIT_MS,
);
