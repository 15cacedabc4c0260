// Sends one request to two services hosts at once, under one key. While one of them runs it, its hold is not offered to
// others, with any answer of the other host.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSingleProductStore, type SingleProductStore } from '#test/services/order/single_product_store.ts';
import { withWritesBlocked } from '#test/support/blocked_write.ts';
import { eventually, freshDatabase, freshNamespace, type TestDatabase } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const STOCK = 3;
/** The slower host may only look the result up: of several pairs one does not. */
const ROUNDS = 4;

let database: TestDatabase;
let hosts: readonly Stoa[];
beforeAll(async () => {
  database = await freshDatabase();
  const shared = { databaseUrl: database.url, namespace: freshNamespace() };
  hosts = [await startStoa(shared), await startStoa(shared)];
});
afterAll(async () => {
  for (const host of hosts ?? []) await host.stop();
  await database?.drop();
});

const intentInput = ({ variant, ...shop }: SingleProductStore, quantity: number) => ({
  key: shop.secret_key,
  signWith: shop.hmac_secret,
  headers: { 'Idempotency-Key': randomUUID() },
  body: { items: [{ variant_id: variant, quantity }], email: 'ada@example.com' },
});

const ORDERS = '/v1/orders';
const INTENTS = '/v1/agent/checkout-intents';

test.each([
  { what: 'An order', table: 'orders.order', path: ORDERS, other: INTENTS },
  { what: 'A checkout intent', table: 'agent.intent', path: INTENTS, other: ORDERS },
])('$what that one host writes is held while another refuses the same request', async ({ table, path, other }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const shop = await createSingleProductStore(hosts[0]!, { stock: STOCK });
    const available = async (): Promise<number> =>
      (await shop.read(`/v1/inventory/${shop.variant}`)).body.inventory.available;
    await withWritesBlocked(hosts[0]!.services.runtime.postgres, table, async (release) => {
      const sent = intentInput(shop, STOCK);
      const replies = hosts.map((host) => host.send('POST', path, sent));
      const refused: Reply = await Promise.race(replies);
      expect(refused.body.error).toMatchObject({ code: 'conflict' });
      // Catalogue levels follow a moment later: the stock actor, which is not blocked, answers the free units.
      const late = await hosts[0]!.send('POST', other, intentInput(shop, 1));
      expect(late.body.error).toMatchObject({ code: 'insufficient_stock' });
      release();
      const statuses = (await Promise.all(replies)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([201, 409]);
    });
    await eventually(async () => expect(await available()).toBe(0));
  }
});
