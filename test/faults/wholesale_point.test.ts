// Crashes a process while a store confirms, fulfils, bills or is paid. After the restart the store repeats the request under
// its key. One order exists, its stock taken once, with one parcel, one invoice, and a balanced ledger.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { type CrashPoint, crashAndRetry } from './crash.ts';

/** One variant for each line. */
const VARIANTS = 2;
const STOCK = 10;
const PIECES = 4;
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

interface Shop extends Keys {
  readonly variants: readonly string[];
  readonly buyer: string;
  /** The buyer's session. */
  readonly session: Readonly<Record<string, string>>;
}

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
let edge: Member;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-wholesale-point-'));
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

const send = (shop: Keys, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  sendTo(edge.address, method, path, { key: shop.secret_key, headers, ...(body === undefined ? {} : { body }) });

const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

/** Waits until no earlier event is on its way: a process must crash only where a test says. */
const isQuiet = ({ store_id }: Keys) =>
  eventually(async () => {
    const left = await postgres.sql`select 1 from runtime.outbox where store = ${store_id}`;
    expect(left.length).toBe(0);
  });

const openShop = async (): Promise<Shop> => {
  const keys = await cluster.createStore();
  await made(send(keys, 'PATCH', '/v1/store', { wholesale_enabled: true, country: 'KE' }));
  await made(send(keys, 'POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
  const variants: string[] = [];
  for (let count = 0; count < VARIANTS; count++) {
    const product = { name: `Lesson ${count}`, price: 20, stock: STOCK, shipping_info: { requires_shipping: false } };
    variants.push((await made(send(keys, 'POST', '/v1/products', product))).variant_id);
  }
  const account = { email: 'ada@example.com', password: 'correct horse battery' };
  const { customer, session } = await made(send(keys, 'POST', '/v1/auth/register', account));
  return { ...keys, variants, buyer: customer.id, session: { 'x-auth-token': session.access_token } };
};

const issue = async (shop: Shop, lines: number): Promise<PurchaseOrder> => {
  const items = shop.variants.slice(0, lines).map((variant_id) => ({ variant_id, quantity: PIECES, unit_price: 12.5 }));
  const { data: quote } = await made(send(shop, 'POST', '/v1/b2b/quotes', { customer_id: shop.buyer, items }));
  await made(send(shop, 'POST', `/v1/b2b/quotes/${quote.id}/accept`, undefined, shop.session));
  const body = { quote_id: quote.id, po_number: 'PO-1', shipping_address: ADDRESS };
  return (await made(send(shop, 'POST', '/v1/b2b/purchase-orders', body, shop.session))).data;
};

const confirm = async (shop: Shop, { id }: PurchaseOrder): Promise<PurchaseOrder> =>
  (await made(send(shop, 'POST', `/v1/b2b/purchase-orders/${id}/confirm`))).data;

/** Dies at a request under one key, with any number of repetitions. */
const die = (
  shop: Shop,
  place: Failpoint,
  path: string,
  body?: unknown,
  member: Member = host,
): Promise<Reply['body']> => {
  const death: CrashPoint = { member, place, shop };
  const key = { 'Idempotency-Key': `dies-at-${place}` };
  return isQuiet(shop)
    .then(() => crashAndRetry(death, () => send(shop, 'POST', `/v1/b2b${path}`, body, key)))
    .then(({ body: answer }) => answer.data);
};

const read = async (shop: Shop, path: string): Promise<Reply['body']> => (await made(send(shop, 'GET', path))).data;

/** Number of events of each type; one each, unless a process crashed while it published. */
const eventCounts = async (shop: Shop, types: readonly string[]): Promise<readonly number[]> => {
  const { webhook_events } = await made(send(shop, 'GET', '/v1/webhook-events?limit=100'));
  return types.map((wanted) => webhook_events.filter(({ type }: { type: string }) => type === wanted).length);
};

const booksOf = async ({ store_id }: Shop): Promise<readonly [orders: number, sum: number]> => {
  const [row] = await postgres.sql<[{ orders: number; sum: number }]>`
    select coalesce(sum(amount) filter (where kind = 'order'), 0)::int as orders, coalesce(sum(amount), 0)::int as sum
    from ledger.entry where store = ${store_id}`;
  return [row.orders, row.sum];
};

describe('a confirmation whose process dies', () => {
  test.each<[where: string, place: Failpoint, lines: number]>([
    ['after its key was looked up', 'claim', 1],
    ['after its lines were held', 'hold', 2],
    ['after its only line was held', 'hold', 1],
    ['after its order was committed', 'reply', 2],
    ['before its answer is kept', 'transaction', 1],
    ['after its answer was kept', 'commit', 1],
    ['before its events are published', 'publish', 1],
  ])('%s makes one order once it is asked for again', { timeout: 240_000 }, async (_where, place, lines) => {
    const shop = await openShop();
    const order = await issue(shop, lines);
    const confirmed: PurchaseOrder = await die(shop, place, `/purchase-orders/${order.id}/confirm`);
    expect(confirmed).toEqual({ ...order, status: 'confirmed', order_id: expect.any(String) });
    expect(await read(shop, `/v1/b2b/purchase-orders/${order.id}`)).toEqual(confirmed);
    const { orders } = await made(send(shop, 'GET', '/v1/orders'));
    expect(orders.map(({ id }: { id: string }) => id)).toEqual([confirmed.order_id]);
    expect(orders[0]).toMatchObject({ order_status: 'confirmed', payment_status: 'pending', total_amount: 58 * lines });
    // The first attempt's hold expires.
    await eventually(async () => {
      for (const [at, variant] of shop.variants.entries()) {
        const left = at < lines ? STOCK - PIECES : STOCK;
        const { inventory } = await made(send(shop, 'GET', `/v1/inventory/${variant}`));
        expect(inventory).toMatchObject({ on_hand: left, held: 0, available: left });
      }
      expect(await eventCounts(shop, ['b2b.po.confirmed', 'order.created'])).toEqual([1, 1]);
    }, 60_000);
  });

  test('repeats a confirmation whose edge dies, and confirms once', { timeout: 240_000 }, async () => {
    const shop = await openShop();
    const order = await issue(shop, 1);
    const confirmed = await die(shop, 'socket', `/purchase-orders/${order.id}/confirm`, undefined, edge);
    expect(confirmed.status).toBe('confirmed');
    expect((await made(send(shop, 'GET', '/v1/orders'))).orders).toHaveLength(1);
  });
});

describe('a fulfilment whose process dies', () => {
  test.each<[where: string, place: Failpoint]>([
    ['after its parcel was committed', 'reply'],
    ['before its answer is kept', 'transaction'],
  ])('%s sends one parcel', { timeout: 240_000 }, async (_where, place) => {
    const shop = await openShop();
    const order = await confirm(shop, await issue(shop, 1));
    const parcel = { carrier: 'DHL', tracking_number: '0034' };
    const sent: PurchaseOrder = await die(shop, place, `/purchase-orders/${order.id}/fulfill`, parcel);
    expect(sent).toEqual({ ...order, status: 'fulfilled' });
    const { order: shipped } = await made(send(shop, 'GET', `/v1/orders/${order.order_id}`));
    expect(shipped).toMatchObject({ order_status: 'shipped', shipments: [parcel] });
    await eventually(async () =>
      expect(await eventCounts(shop, ['b2b.po.fulfilled', 'order.fulfilled'])).toEqual([1, 1]),
    );
  });
});

describe('an invoice whose process dies', () => {
  test.each<[where: string, place: Failpoint]>([
    ['before it is committed', 'transaction'],
    ['after it was committed', 'commit'],
  ])('%s is issued once, and paid once', { timeout: 240_000 }, async (_where, place) => {
    const shop = await openShop();
    const order = await confirm(shop, await issue(shop, 1));
    const issued: Invoice = await die(shop, place, '/invoices', { purchase_order_id: order.id });
    expect(issued).toMatchObject({ invoice_number: 'INV-1001', total: 58 });
    expect((await read(shop, `/v1/b2b/purchase-orders/${order.id}`)).invoice_ids).toEqual([issued.id]);

    // After the commit only the event publishes the order: the call that would have done it is dead.
    const paid: Invoice = await die(shop, place, `/invoices/${issued.id}/pay`, { amount: 58, reference: 'MT103' });
    expect(paid).toMatchObject({ status: 'paid', amount_due: 0 });
    await eventually(async () => {
      const { order: settled } = await made(send(shop, 'GET', `/v1/orders/${order.order_id}`));
      expect(settled).toMatchObject({ payment_status: 'paid', amount_paid: 58, amount_due: 0 });
      expect(await eventCounts(shop, ['b2b.invoice.issued', 'b2b.invoice.paid', 'order.paid'])).toEqual([1, 1, 1]);
    }, 60_000);
    expect(await booksOf(shop)).toEqual([5_800, 0]);
  });
});
