// Crashes a process while a checkout over two merchants is placed or paid. After the restart the operator repeats the request
// under its key. Each merchant has one order, one payment, the right stock and a balanced ledger.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckoutGroup } from '#proto/gen/checkout.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { KENYA } from '#test/support/marketplace.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, type Operator, startCluster } from './cluster.ts';
import { crashAndRetry } from './crash.ts';

const STOCK = 5;
const PIECES = 2;

interface Shop extends Keys {
  readonly variants: readonly string[];
}

interface Marketplace {
  readonly operator: Operator;
  /** Ordered by id, as they are locked. */
  readonly shops: readonly [Shop, Shop];
}

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
let edge: Member;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-checkout-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  [host, edge] = [cluster.hosts[0]!, cluster.edges[0]!];
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const send = (key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  sendTo(edge.address, method, path, { key, headers, ...(body === undefined ? {} : { body }) });
const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

const openShop = async (): Promise<Shop> => {
  const keys = await cluster.createStore();
  const variants: string[] = [];
  for (const name of ['Lesson', 'Notes']) {
    const product = { name, price: 10, stock: STOCK, shipping_info: { requires_shipping: false } };
    variants.push((await made(send(keys.secret_test_key, 'POST', '/v1/products', product))).variant_id);
  }
  return { ...keys, variants };
};

const openMarketplace = async (): Promise<Marketplace> => {
  const [one, two] = [await openShop(), await openShop()];
  const operator = await cluster.createOperator([one.store_id, two.store_id]);
  await isQuiet(one, two);
  return { operator, shops: one.store_id < two.store_id ? [one, two] : [two, one] };
};

/** Waits until no earlier event is on its way: a process must crash only where a test says. */
const isQuiet = (...shops: readonly Keys[]) =>
  eventually(async () => {
    for (const { store_id } of shops)
      expect((await postgres.sql`select 1 from runtime.outbox where store = ${store_id}`).length).toBe(0);
  });

const checkout = ({ operator, shops }: Marketplace, lines: number, headers = {}): Promise<Reply> =>
  send(
    operator.operator_test_key,
    'POST',
    '/v1/cart/checkout',
    {
      lines: shops.flatMap(({ store_id, variants }) =>
        variants.slice(0, lines).map((variant_id) => ({ store_id, variant_id, quantity: PIECES })),
      ),
      email: 'ada@example.com',
      shipping_address: KENYA,
    },
    headers,
  );

/** Checks each merchant: its orders and the stock they took, and a balanced ledger. */
const isPlacedOnce = ({ shops }: Marketplace, group: CheckoutGroup, lines: number) =>
  eventually(async () => {
    for (const [at, { secret_test_key: key, variants, store_id }] of shops.entries()) {
      const { orders } = await made(send(key, 'GET', '/v1/orders'));
      expect(orders).toMatchObject([{ id: group.orders[at]!.order_id, checkout_group_id: group.group_id }]);
      for (const [of, variant] of variants.entries()) {
        const left = of < lines ? STOCK - PIECES : STOCK;
        const { inventory } = await made(send(key, 'GET', `/v1/inventory/${variant}`));
        expect(inventory).toMatchObject({ on_hand: left, held: 0, available: left });
      }
      const [{ sum }] = await postgres.sql<[{ sum: number }]>`
        select coalesce(sum(amount), 0)::int as sum from ledger.entry where store = ${store_id}`;
      expect(sum).toBe(0);
      const { webhook_events: events } = await made(send(key, 'GET', '/v1/webhook-events?type=order.created'));
      expect(events).toHaveLength(1);
    }
  }, 60_000);

type Whom = 'operator' | 'first' | 'second';
const idOf = ({ operator, shops }: Marketplace, whom: Whom): string =>
  whom === 'operator' ? operator.operator_id : shops[whom === 'first' ? 0 : 1].store_id;

describe('a checkout whose process dies', () => {
  test.each<[where: string, member: 'edge' | 'host', place: Failpoint, whom: Whom, lines: number]>([
    ['after the request was read', 'edge', 'socket', 'operator', 1],
    ['after its key was looked up', 'host', 'claim', 'operator', 1],
    ['after the first merchant’s lines were held', 'host', 'hold', 'first', 2],
    ['after the second merchant’s lines were held', 'host', 'hold', 'second', 2],
    ['after the second merchant’s only line was held', 'host', 'hold', 'second', 1],
    ['inside its transaction', 'host', 'transaction', 'operator', 2],
    ['after the commit', 'host', 'commit', 'operator', 2],
    ['before the reply', 'host', 'reply', 'operator', 1],
    ['before the second merchant’s events are published', 'host', 'publish', 'second', 1],
  ])('%s is one order at each merchant once it is asked for again', { timeout: 240_000 }, async (...row) => {
    const [, member, place, whom, lines] = row;
    const marketplace = await openMarketplace();
    const death = { member: member === 'edge' ? edge : host, place, shop: { store_id: idOf(marketplace, whom) } };
    const key = { 'Idempotency-Key': `checkout-${place}-${whom}` };
    const { body } = await crashAndRetry(death, async () => {
      const reply = await checkout(marketplace, lines, key).catch((fault: Error) => fault);
      // Never has one merchant an order of the group and the other none.
      const counts = await Promise.all(
        marketplace.shops.map(
          async ({ store_id }) => (await postgres.sql`select 1 from orders.order where store = ${store_id}`).length,
        ),
      );
      expect(counts[0]).toBe(counts[1]);
      if (reply instanceof Error) throw reply;
      return reply;
    });
    expect(body.checkout).toMatchObject({ status: 'pending', total: 2 * lines * PIECES * 10 });
    await isPlacedOnce(marketplace, body.checkout, lines);
  });
});

describe('a checkout’s payment whose process dies', () => {
  const begin = (marketplace: Marketplace, { group_id }: CheckoutGroup, headers = {}): Promise<Reply> => {
    const path = `/v1/cart/checkout/${group_id}/pay`;
    return send(marketplace.operator.operator_test_key, 'POST', path, { provider: 'card_checkout' }, headers);
  };
  const settle = (marketplace: Marketplace, reference: string): Promise<Reply> =>
    send(marketplace.operator.operator_test_key, 'POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
  const isPaidOnce = async (marketplace: Marketplace, group: CheckoutGroup): Promise<void> => {
    await eventually(async () => {
      for (const { secret_test_key: key } of marketplace.shops) {
        const { orders } = await made(send(key, 'GET', '/v1/orders'));
        expect(orders).toMatchObject([{ payment_status: 'paid', amount_paid: 20, amount_due: 0 }]);
        const { payments } = await made(send(key, 'GET', '/v1/payments'));
        expect(payments).toMatchObject([{ status: 'succeeded', amount: 20, amount_refunded: 0 }]);
      }
    }, 60_000);
    await isPlacedOnce(marketplace, group, 1);
  };

  test.each<[string, Failpoint]>([
    ['after its provider answered', 'provider'],
    ['after the commit', 'commit'],
  ])('%s is begun once, and pays every order once', { timeout: 240_000 }, async (_where, place) => {
    const marketplace = await openMarketplace();
    const group: CheckoutGroup = (await made(checkout(marketplace, 1))).checkout;
    const shop = { store_id: marketplace.operator.operator_id };
    const key = { 'Idempotency-Key': `begin-${place}` };
    const { body } = await crashAndRetry({ member: host, place, shop }, () => begin(marketplace, group, key));
    await made(settle(marketplace, body.reference));
    await isPaidOnce(marketplace, group);
  });

  test.each<Failpoint>(['transaction', 'commit', 'reply'])(
    'at “%s” while it is reported pays every order once, when it is reported again',
    { timeout: 240_000 },
    async (place) => {
      const marketplace = await openMarketplace();
      const group: CheckoutGroup = (await made(checkout(marketplace, 1))).checkout;
      const { reference } = await made(begin(marketplace, group));
      const shop = { store_id: marketplace.operator.operator_id };
      const path = `/v1/sandbox/payments/${reference}`;
      const key = { 'Idempotency-Key': `settle-${place}` };
      await crashAndRetry({ member: host, place, shop }, () =>
        send(marketplace.operator.operator_test_key, 'POST', path, { outcome: 'succeed' }, key),
      );
      expect((await settle(marketplace, reference)).status).toBe(409);
      await isPaidOnce(marketplace, group);
    },
  );
});
