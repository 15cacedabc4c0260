// The table of kill points: a process dies at each place that an order and a payment come by; it is started again, the
// caller repeats the request under its key, and finds one order, one charge, one effect on the books, and the stock right.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { type CrashPoint, crashAndRetry } from './crash.ts';

interface Shop extends Keys {
  readonly variant: string;
  readonly gift: string;
  readonly card: { readonly id: string; readonly code: string };
}

/** The failpoint of an order's process, and the order's number of lines. */
const ORDERS: readonly [where: string, member: 'edge' | 'host', place: Failpoint, lines: number][] = [
  ['after the request was read', 'edge', 'socket', 1],
  ['after its key was looked up', 'host', 'claim', 1],
  ['after its lines were held', 'host', 'hold', 2],
  ['after its only line was held', 'host', 'hold', 1],
  ['inside its transaction', 'host', 'transaction', 2],
  ['after the commit', 'host', 'commit', 1],
  ['before the reply', 'host', 'reply', 1],
  ['before its events are published', 'host', 'publish', 1],
];

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
let edge: Member;
/** The shop of each row, made before its failpoint is armed. */
const shops: Shop[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-kill-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  [host, edge] = [cluster.hosts[0]!, cluster.edges[0]!];
  for (const _ of ORDERS) shops.push(await openShop());
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const ask = (method: string, path: string, key: string, body?: unknown, signWith?: string, headers = {}) =>
  sendTo(edge.address, method, path, { key, body, headers, ...(signWith ? { signWith } : {}) });

/** Five pieces at 10, five that cost nothing, and a card with 5 on it. */
const openShop = async (stock = 5): Promise<Shop> => {
  const keys = await cluster.createStore();
  const create = async (name: string, price: number): Promise<string> => {
    const product = { name, price, stock, shipping_info: { requires_shipping: false } };
    const made = await ask('POST', '/v1/products', keys.secret_key, product);
    expect(made.status, made.text).toBe(201);
    return made.body.variant_id;
  };
  const [variant, gift] = [await create('Lesson', 10), await create('Sheet of notes', 0)];
  const { gift_card: card } = (await ask('POST', '/v1/gift-cards', keys.secret_key, { amount: 5 })).body;
  await eventually(async () => {
    const left = await postgres.sql`select 1 from runtime.outbox where store = ${keys.store_id}`;
    expect(left.length).toBe(0);
  });
  return { ...keys, variant, gift, card };
};

const rowsOf = async (shop: Shop, table: string): Promise<number> =>
  (await postgres.sql.unsafe(`select 1 from ${table} where store = $1`, [shop.store_id])).length;

const booksOf = async ({ store_id: store }: Shop): Promise<number[]> => {
  const [{ cards, orders, sum }] = await postgres.sql<[{ cards: number; orders: number; sum: number }]>`
    select coalesce(sum(amount) filter (where kind = 'gift_card'), 0)::int as cards,
      coalesce(sum(amount) filter (where kind = 'order'), 0)::int as orders, coalesce(sum(amount), 0)::int as sum
    from ledger.entry where store = ${store}`;
  return [cards, orders, sum];
};

describe('an order whose process dies', () => {
  const deathOf = (at: number): CrashPoint & { readonly shop: Shop } => {
    const [, member, place] = ORDERS[at]!;
    return { member: member === 'edge' ? edge : host, place, shop: shops[at]! };
  };
  const cases = ORDERS.map(([where, member, place, lines], at) => ({ where, member, place, lines, at }));

  test.each(cases)('$where is one order once it is asked for again', { timeout: 240_000 }, async (row) => {
    const { member, place, lines, at } = row;
    const death = deathOf(at);
    const { shop } = death;
    // Events come by themselves, too: no process is to die of one while another row is looked at.
    const next = cases.find((other) => other.at > at && other.member === member && other.place !== 'publish');
    const key = { 'Idempotency-Key': `order-${place}` };
    const ordered = [shop.variant, shop.gift].slice(0, lines);
    const body = {
      items: ordered.map((variant_id) => ({ variant_id, quantity: 2 })),
      email: 'ada@example.com',
      gift_card_codes: [shop.card.code],
    };
    const { body: placed } = await crashAndRetry(
      death,
      () => ask('POST', '/v1/orders', shop.secret_key, body, shop.hmac_secret, key),
      next && deathOf(next.at),
    );
    expect(placed.order).toMatchObject({ total_amount: 20, gift_card_total: 5, amount_due: 15 });

    const { orders } = (await ask('GET', '/v1/orders', shop.secret_key)).body;
    expect(orders.map(({ id }: { id: string }) => id)).toEqual([placed.order.id]);
    // Five of the card lie in the order, nothing is left on it, and nothing is made of nothing.
    expect(await booksOf(shop)).toEqual([0, 500, 0]);
    // The first attempt's hold expires.
    await eventually(async () => {
      for (const variant of ordered) {
        const { inventory } = (await ask('GET', `/v1/inventory/${variant}`, shop.secret_key)).body;
        expect(inventory).toMatchObject({ on_hand: 3, held: 0, available: 3 });
      }
      expect(await rowsOf(shop, 'runtime.outbox')).toBe(0);
    }, 60_000);
  });
});

describe('a payment whose process dies', () => {
  test.each<[string, Failpoint]>([
    ['after its provider answered', 'provider'],
    ['after the commit', 'commit'],
  ])('%s is begun once, and settles its order once', { timeout: 240_000 }, async (_where, place) => {
    const shop = await openShop();
    const pay = (path: string, body: unknown, key?: string) =>
      ask('POST', path, shop.secret_test_key, body, shop.hmac_test_secret, key ? { 'Idempotency-Key': key } : {});
    const product = await ask('POST', '/v1/products', shop.secret_test_key, {
      name: 'Lesson',
      price: 10,
      stock: 5,
      shipping_info: { requires_shipping: false },
    });
    const items = [{ variant_id: product.body.variant_id, quantity: 2 }];
    const { order } = (await pay('/v1/orders', { items, email: 'ada@example.com' })).body;
    const input = { provider: 'card_checkout', amount: 20, email: 'ada@example.com', order_id: order.id };
    const { body: payment } = await crashAndRetry({ member: host, place, shop }, () =>
      pay('/v1/payments/initialize', input, `pay-${place}`),
    );
    expect(await rowsOf(shop, 'payment.payment')).toBe(1);

    const settled = await ask('POST', `/v1/sandbox/payments/${payment.reference}`, shop.secret_test_key, {
      outcome: 'succeed',
    });
    expect(settled.body.status, settled.text).toBe('succeeded');
    const paid = (await ask('GET', `/v1/orders/${order.id}`, shop.secret_test_key)).body.order;
    expect(paid).toMatchObject({ payment_status: 'paid', order_status: 'confirmed', amount_paid: 20, amount_due: 0 });
    expect((await booksOf(shop))[2]).toBe(0);
  });
});

describe('a second payment of an order whose process dies', () => {
  test.each<[string, Failpoint]>([
    ['after it was recorded and before it was given back', 'commit'],
    ['after its provider gave it back', 'provider'],
  ])('%s goes back once', { timeout: 240_000 }, async (_where, place) => {
    const shop = await openShop();
    const { secret_test_key: key, hmac_test_secret: secret } = shop;
    const product = { name: 'Lesson', price: 10, stock: 5, shipping_info: { requires_shipping: false } };
    const made = await ask('POST', '/v1/products', key, product);
    const items = [{ variant_id: made.body.variant_id, quantity: 2 }];
    const { order } = (await ask('POST', '/v1/orders', key, { items, email: 'ada@example.com' }, secret)).body;
    const input = { provider: 'card_checkout', amount: 20, email: 'ada@example.com', order_id: order.id };
    const { body: payment } = await ask('POST', '/v1/payments/initialize', key, input, secret);
    const noted = await ask('PATCH', `/v1/orders/${order.id}`, key, { payment_status: 'paid' }, secret);
    expect(noted.status, noted.text).toBe(200);
    await crashAndRetry({ member: host, place, shop }, async () => {
      const decision = { 'Idempotency-Key': `second-${place}` };
      const path = `/v1/sandbox/payments/${payment.reference}`;
      await ask('POST', path, key, { outcome: 'succeed' }, undefined, decision).catch(() => {});
      return ask('GET', `/v1/orders/${order.id}`, key);
    });
    await eventually(async () => {
      const [payment] = (await ask('GET', `/v1/payments?order_id=${order.id}`, key)).body.payments;
      expect(payment).toMatchObject({ status: 'refunded', amount_refunded: 20, needs_review: false });
    }, 60_000);
    expect(await rowsOf(shop, 'payment.refund')).toBe(1);
    const paid = (await ask('GET', `/v1/orders/${order.id}`, key)).body.order;
    expect(paid).toMatchObject({ payment_status: 'paid', amount_paid: 20, amount_refunded: 0 });
    expect(await booksOf(shop)).toEqual([500, 2_000, 0]);
  });
});

/** 500 of 50 with STOA_KILLS=all. */
const [BUYERS, PIECES] = process.env.STOA_KILLS === 'all' ? [500, 50] : [150, 15];

describe('more buyers than pieces, whose host is killed', () => {
  test(`${BUYERS} of ${PIECES}: each piece is sold once, and everybody else is told`, {
    timeout: 180_000,
  }, async () => {
    const shop = await openShop(PIECES);
    const { store_id } = shop;
    const deaths: readonly [when: number, death: Parameters<Member['arm']>[0]][] = [
      // Once before the shared transaction is committed, once after the commit and before any answer.
      [0, { place: 'transaction', store_id }],
      [0, { place: 'commit', store_id }],
      // And once in the middle, at a random point.
      [PIECES / 2, null],
    ];
    host.arm(deaths[0]![1]);
    /** Buys like a client that respects `Retry-After`, under one key, until the answer is final. */
    const buy = async (_: unknown, buyer: number): Promise<Reply> => {
      const body = { items: [{ variant_id: shop.variant, quantity: 1 }], email: `buyer${buyer}@example.com` };
      const key = { 'Idempotency-Key': `rush-${buyer}` };
      for (;;) {
        const reply = await ask('POST', '/v1/orders', shop.secret_key, body, shop.hmac_secret, key).catch(() => null);
        if (reply && (reply.status === 201 || reply.body?.error?.code === 'insufficient_stock')) return reply;
        await Bun.sleep(1_000 * Number(reply?.headers.get('retry-after') ?? 0.5));
      }
    };
    const rush = Promise.all(Array.from({ length: BUYERS }, buy));
    for (const [at, [sold]] of deaths.entries()) {
      await eventually(async () => {
        if (sold === 0) return expect(host.alive).toBe(false);
        expect(await rowsOf(shop, 'orders.order')).toBeGreaterThanOrEqual(sold);
      }, 60_000);
      await host.kill();
      host.arm(deaths[at + 1]?.[1] ?? null);
      await host.start();
    }
    const replies = await rush;
    const placed = replies.filter(({ status }) => status === 201).map(({ body }) => body.order);
    expect([placed.length, replies.length - placed.length]).toEqual([PIECES, BUYERS - PIECES]);
    expect(new Set(placed.map(({ order_number: number }) => number)).size).toBe(PIECES);
    expect(await rowsOf(shop, 'orders.order')).toBe(PIECES);
    await eventually(async () => {
      const { inventory } = (await ask('GET', `/v1/inventory/${shop.variant}`, shop.secret_key)).body;
      expect(inventory).toMatchObject({ on_hand: 0, held: 0, available: 0 });
    }, 60_000);
  });
});
