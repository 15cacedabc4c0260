// Crashes a process while a store refunds a return or a dispute, or a shopper accepts store credit instead. The money and the
// new status are one transaction, never visible alone. A repeated call finds one refund and a balanced ledger.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { startPaypal } from '#test/services/payment/provider/paypal.ts';
import type { Provider } from '#test/services/payment/provider/stand_in.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { crashAndRetry } from './crash.ts';

const PRICE = 20;
const PIECES = 2;
const TOTAL = PRICE * PIECES;

interface Shop extends Keys {
  readonly customer: string;
  readonly session: Readonly<Record<string, string>>;
  readonly order: StoreOrder;
}

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let provider: Provider;
let cluster: Cluster;
let host: Member;
let edge: Member;
beforeAll(async () => {
  provider = await startPaypal();
  process.env[provider.variable] = provider.standIn.url;
  home = await mkdtemp(join(tmpdir(), 'stoa-return-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  [host, edge] = [cluster.hosts[0]!, cluster.edges[0]!];
});
afterAll(async () => {
  delete process.env[provider.variable];
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await provider.standIn.stop();
  await rm(home, { recursive: true, force: true });
});

const send = (keys: Keys, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  sendTo(edge.address, method, path, {
    key: keys.secret_test_key,
    ...(method === 'GET' ? {} : { signWith: keys.hmac_test_secret }),
    headers,
    ...(body === undefined ? {} : { body }),
  });

const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

const payByProvider = async (keys: Keys, { id }: StoreOrder): Promise<void> => {
  await made(send(keys, 'POST', '/v1/payments/providers', provider.connection));
  const input = { provider: provider.name, amount: TOTAL, currency: 'USD', email: 'ada@example.com', order_id: id };
  const payment = await made(send(keys, 'POST', '/v1/payments/initialize', input));
  provider.pay(payment.session_id);
  await made(send(keys, 'POST', '/v1/payments/verify', { provider: provider.name, reference: payment.reference }));
};

/** With one order, paid by hand unless a provider is to be in it, and delivered. */
const openShop = async (pay?: typeof payByProvider): Promise<Shop> => {
  const keys = await cluster.createStore();
  const product = { name: 'Lesson', price: PRICE, stock: 9, shipping_info: { requires_shipping: false } };
  const { variant_id } = await made(send(keys, 'POST', '/v1/products', product));
  const account = { email: 'ada@example.com', password: 'correct horse battery' };
  const { customer, session } = await made(send(keys, 'POST', '/v1/auth/register', account));
  const input = { items: [{ variant_id, quantity: PIECES }], customer_id: customer.id };
  const { order } = await made(send(keys, 'POST', '/v1/orders', input));
  if (pay) await pay(keys, order);
  else await made(send(keys, 'PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' }));
  await made(send(keys, 'PATCH', `/v1/orders/${order.id}`, { order_status: 'delivered' }));
  return { ...keys, customer: customer.id, session: { 'x-auth-token': session.access_token }, order };
};

const asShopper = async (shop: Shop, path: string, body?: object): Promise<Reply['body']> =>
  (await made(send(shop, 'POST', path, body, shop.session))).data;

/** Up to where its pieces are back. */
const received = async (shop: Shop): Promise<string> => {
  const { id } = await asShopper(shop, `/v1/orders/${shop.order.id}/returns`, { reason_code: 'damaged' });
  for (const status of ['approved', 'received']) await made(send(shop, 'PATCH', `/v1/returns/${id}`, { status }));
  return id;
};

const offered = async (shop: Shop): Promise<string> => {
  const id = await received(shop);
  await made(send(shop, 'PATCH', `/v1/returns/${id}`, { credit_offer: { amount: 15 } }));
  return id;
};

const disputed = async (shop: Shop): Promise<string> => {
  const complaint = { order_id: shop.order.id, reason_code: 'damaged', description: 'It arrived in pieces.' };
  const { id } = await asShopper(shop, '/v1/disputes', complaint);
  await made(send(shop, 'PATCH', `/v1/disputes/${id}`, { status: 'under_review' }));
  return id;
};

interface Books {
  /** Settled returns and disputes, and refunds. */
  readonly settled: number;
  readonly refunds: number;
  readonly given_back: number;
  readonly sum: number;
}

/** Rows of this moment, with the process alive or not. */
const booksOf = async ({ store_id }: Keys): Promise<Books> => {
  const [row] = await postgres.sql<[Books]>`
    select
      (select count(*)::int from orders.return where store = ${store_id} and status in ('refunded', 'credited'))
        + (select count(*)::int from orders.dispute where store = ${store_id} and status = 'resolved') as settled,
      (select count(*)::int from orders.refund where store = ${store_id}) as refunds,
      (select coalesce(sum(amount), 0)::int from orders.refund where store = ${store_id}) as given_back,
      (select coalesce(sum(amount), 0)::int from ledger.entry where store = ${store_id}) as sum`;
  return row;
};

/** Dies there by this request, and is asked again under the same key; no look finds one half of it. */
const die = async (shop: Shop, place: Failpoint, method: string, path: string, body?: object): Promise<void> => {
  await eventually(async () => {
    const left = await postgres.sql`select 1 from runtime.outbox where store = ${shop.store_id}`;
    expect(left.length).toBe(0);
  });
  const headers = { ...(method === 'POST' ? shop.session : {}), 'Idempotency-Key': `dies-at-${place}` };
  await crashAndRetry({ member: host, place, shop }, async () => {
    const reply = await send(shop, method, path, body, headers).catch((fault: Error) => fault);
    const { settled, refunds, sum } = await booksOf(shop);
    expect([refunds, sum]).toEqual([settled, 0]);
    if (reply instanceof Error) throw reply;
    return reply;
  });
};

/** Checks for one refund of the amount and one event of it. */
const isGivenBackOnce = async (shop: Shop, amount: number): Promise<void> => {
  expect(await booksOf(shop)).toEqual({ settled: 1, refunds: 1, given_back: amount * 100, sum: 0 });
  await eventually(async () => {
    const { order } = await made(send(shop, 'GET', `/v1/orders/${shop.order.id}`));
    expect(order).toMatchObject({ amount_refunded: amount, refunds: [{ amount, status: 'succeeded' }] });
    expect(order.payment_status).toBe(amount === TOTAL ? 'refunded' : 'partially_refunded');
    const { webhook_events } = await made(send(shop, 'GET', '/v1/webhook-events?type=order.refunded'));
    expect(webhook_events).toHaveLength(1);
  }, 60_000);
};

const DEATHS: readonly (readonly [where: string, place: Failpoint])[] = [
  ['before its refund is committed', 'transaction'],
  ['after its refund was committed', 'commit'],
  ['before its events are published', 'publish'],
  ['before the caller is told', 'reply'],
];

describe('a return whose process dies', () => {
  test.each(DEATHS)('%s is refunded once', { timeout: 240_000 }, async (_where, place) => {
    const shop = await openShop();
    const id = await received(shop);
    await die(shop, place, 'PATCH', `/v1/returns/${id}`, { status: 'refunded' });
    await isGivenBackOnce(shop, TOTAL);
    const { data } = await made(send(shop, 'GET', `/v1/returns/${id}`));
    expect(data).toMatchObject({ status: 'refunded', refund_amount: TOTAL });
  });

  test('after the provider gave the money back gives it back once', { timeout: 240_000 }, async () => {
    const shop = await openShop(payByProvider);
    const id = await received(shop);
    await die(shop, 'provider', 'PATCH', `/v1/returns/${id}`, { status: 'refunded' });
    await isGivenBackOnce(shop, TOTAL);
    expect(provider.refundedAmounts).toEqual([TOTAL * 100]);
  });

  test.each(DEATHS.slice(0, 2))('%s gives its shopper one credit', { timeout: 240_000 }, async (_where, place) => {
    const shop = await openShop();
    const id = await offered(shop);
    await die(shop, place, 'POST', `/v1/returns/${id}/accept-credit`);
    await isGivenBackOnce(shop, 15);
    const { store_credit } = await made(
      send(shop, 'GET', `/v1/store-credit?customer_id=${shop.customer}`, undefined, shop.session),
    );
    expect(store_credit).toMatchObject({ balance: 15 });
  });
});

describe('a dispute whose process dies', () => {
  test.each([
    ['refund', 'transaction'],
    ['refund', 'commit'],
    ['store_credit', 'commit'],
  ] as const)('while it is resolved by a %s (%s) is resolved once', { timeout: 240_000 }, async (resolution, place) => {
    const shop = await openShop();
    const id = await disputed(shop);
    const body = { status: 'resolved', resolution, amount: 12.5 };
    await die(shop, place, 'PATCH', `/v1/disputes/${id}`, body);
    await isGivenBackOnce(shop, 12.5);
    const { data } = await made(send(shop, 'GET', `/v1/disputes/${id}`));
    expect(data).toMatchObject({ status: 'resolved', resolution, amount: 12.5 });
  });
});
