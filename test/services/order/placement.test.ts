// Many concurrent orders: for too few units, under one idempotency key, with one gift card.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

interface Shop extends Keys {
  readonly variant: string;
}

const openShop = async (stock: number, price = 10): Promise<Shop> => {
  const keys = await stoa.createStore({ plan: 'enterprise' });
  const { body } = await stoa.send('POST', '/v1/products', {
    key: keys.secret_key,
    body: { name: 'Last ones', price, stock, shipping_info: { requires_shipping: false } },
  });
  return { ...keys, variant: body.variant_id };
};

const buy = (shop: Shop, body: Record<string, unknown> = {}, key: string = randomUUID()): Promise<Reply> =>
  stoa.send('POST', '/v1/orders', {
    key: shop.secret_key,
    signWith: shop.hmac_secret,
    headers: { 'Idempotency-Key': key },
    body: { items: [{ variant_id: shop.variant, quantity: 1 }], email: 'ada@example.com', ...body },
  });

/** Repeats the request under one key until the answer is final. */
const insist = async (shop: Shop, body: Record<string, unknown> = {}): Promise<Reply> => {
  const key = randomUUID();
  for (;;) {
    const reply = await buy(shop, body, key);
    const later = reply.status === 503 || (reply.status === 409 && reply.headers.has('retry-after'));
    if (!later && reply.status !== 500) return reply;
    await Bun.sleep(100);
  }
};

const tally = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const outcome = status === 201 ? 'ordered' : body.error.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

const levels = async ({ secret_key: key, variant }: Shop) =>
  (await stoa.send('GET', `/v1/inventory/${variant}`, { key })).body.inventory;

test('refuses an order above the payment limit without a hold', async () => {
  const shop = await openShop(10, 50_000_000);
  const items = [{ variant_id: shop.variant, quantity: 2 }];
  const { status, body } = await buy(shop, { items });
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', 'items']);
  expect(await levels(shop)).toMatchObject({ on_hand: 10, held: 0, available: 10 });
  expect((await buy(shop)).status).toBe(201);
});

describe('concurrent buyers', () => {
  test('sell 50 units to 50 of 500, and refuse 450 with insufficient_stock', { timeout: 120_000 }, async () => {
    const shop = await openShop(50);
    const replies = await Promise.all(Array.from({ length: 500 }, () => insist(shop)));
    expect(tally(replies)).toEqual({ ordered: 50, insufficient_stock: 450 });
    const numbers = replies.filter(({ status }) => status === 201).map(({ body }) => body.order.order_number);
    expect(new Set(numbers).size).toBe(50);
    await eventually(async () => expect(await levels(shop)).toMatchObject({ on_hand: 0, held: 0, available: 0 }));
  });

  test('place one order for 50 requests under one key', async () => {
    const shop = await openShop(50);
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 50 }, () => buy(shop, {}, key)));
    const placed = replies.filter(({ status }) => status === 201);
    expect(placed.length).toBeGreaterThan(0);
    expect(new Set(placed.map(({ body }) => body.order.id)).size).toBe(1);
    for (const { status, body, headers } of replies)
      if (status !== 201)
        expect([status, body.error.code, headers.has('retry-after')]).toEqual([409, 'conflict', true]);
    await eventually(async () => expect(await levels(shop)).toMatchObject({ on_hand: 49, held: 0, available: 49 }));
  });

  test('spend exactly the balance when 20 use one gift card', async () => {
    const shop = await openShop(50);
    const { body } = await stoa.send('POST', '/v1/gift-cards', { key: shop.secret_key, body: { amount: 25 } });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => insist(shop, { gift_card_codes: [body.gift_card.code] })),
    );
    const spent = replies
      .filter(({ status }) => status === 201)
      .map((reply) => reply.body.order.gift_card_total as number)
      .sort((a, b) => b - a);
    expect(spent.slice(0, 3)).toEqual([10, 10, 5]);
    expect(spent.reduce((sum, each) => sum + each, 0)).toBe(25);
    const { sql } = stoa.services.runtime.postgres;
    const [{ sum }] = await sql<[{ sum: number }]>`
      select coalesce(sum(amount), 0)::int as sum from ledger.entry where store = ${shop.store_id}`;
    expect(sum).toBe(0);
  });
});

describe('a promotion in demand', () => {
  const promotion = async (shop: Shop, more: Record<string, unknown>) => {
    const body = { name: 'Half', type: 'percentage', value: 50, status: 'active', ...more };
    const made = await stoa.send('POST', '/v1/promotions', { key: shop.secret_key, body });
    expect(made.status, made.text).toBe(201);
  };
  const totals = (replies: readonly Reply[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { status, body } of replies) {
      const outcome = status === 201 ? body.order.total_amount : body.error.code;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };

  test('refuses orders beyond the usage limit of its code', async () => {
    const shop = await openShop(100);
    await promotion(shop, { code: 'SEVEN', usage_limit: 7 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        insist(shop, { promotion_codes: ['seven'], email: `buyer${n}@example.com` }),
      ),
    );
    expect(totals(replies)).toEqual({ 5: 7, promotion_not_applicable: 33 });
    expect(await levels(shop)).toMatchObject({ on_hand: 93, available: 93 });
  });

  test('applies without a code up to its usage limit, and later orders pay in full', async () => {
    const shop = await openShop(100);
    await promotion(shop, { usage_limit: 7 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => insist(shop, { email: `buyer${n}@example.com` })),
    );
    expect(totals(replies)).toEqual({ 5: 7, 10: 33 });
    expect(await levels(shop)).toMatchObject({ on_hand: 60, available: 60 });
  });

  test('counts one address, whatever its letter case, of a guest and of a customer', async () => {
    const shop = await openShop(100);
    await promotion(shop, { code: 'ONCE', usage_limit_per_customer: 1 });
    const { body } = await stoa.send('POST', '/v1/customers', {
      key: shop.secret_key,
      body: { email: 'ada@example.com' },
    });
    const ways = [{ email: 'ada@example.com' }, { email: 'ADA@Example.com' }, { customer_id: body.customer.id }];
    const replies = await Promise.all(ways.map((who) => insist(shop, { promotion_codes: ['ONCE'], ...who })));
    expect(totals(replies)).toEqual({ 5: 1, promotion_not_applicable: 2 });
    const later = await Promise.all(ways.map((who) => insist(shop, { promotion_codes: ['ONCE'], ...who })));
    expect(totals(later)).toEqual({ promotion_not_applicable: 3 });
  });

  test('refuses the order of a cart whose code is used up, and keeps the cart', async () => {
    const shop = await openShop(100);
    await promotion(shop, { code: 'LAST', usage_limit: 1 });
    const headers = { 'X-Session-Id': randomUUID() };
    const cart = (verb: string, path: string, body?: unknown) =>
      stoa.send(verb, `/v1/cart${path}`, { key: shop.publishable_key, headers, body });
    await cart('POST', '/items', { variant_id: shop.variant, quantity: 1 });
    expect((await cart('POST', '/promotions', { code: 'LAST' })).body.cart.total).toBe(5);
    expect((await buy(shop, { promotion_codes: ['LAST'] })).status).toBe(201);
    const before = (await cart('GET', '')).body.cart;
    const session_id = headers['X-Session-Id'];
    const refused = await buy(shop, { items: undefined, cart: true, session_id });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'promotion_not_applicable']);
    expect((await cart('GET', '')).body.cart).toEqual(before);
  });
});

describe('a cart that is changed while it is ordered', () => {
  test('keeps every acknowledged item that was not ordered', async () => {
    const shop = await openShop(10_000);
    for (let turn = 0; turn < 8; turn++) {
      const headers = { 'X-Session-Id': randomUUID() };
      const add = () =>
        stoa.send('POST', '/v1/cart/items', {
          key: shop.publishable_key,
          headers,
          body: { variant_id: shop.variant, quantity: 1 },
        });
      expect((await add()).status).toBe(200);
      const order = insist(shop, { items: undefined, cart: true, session_id: headers['X-Session-Id'] });
      const added = await Promise.all(Array.from({ length: 12 }, () => add()));
      expect(added.map(({ status }) => status)).toEqual(added.map(() => 200));
      const { status, body } = await order;
      expect(status).toBe(201);
      const left = await stoa.send('GET', '/v1/cart', { key: shop.publishable_key, headers });
      expect(left.body.cart.item_count + body.order.items[0].quantity).toBe(13);
    }
  });

  test('sells each item once when two orders and an addition race', async () => {
    const shop = await openShop(10_000);
    const headers = { 'X-Session-Id': randomUUID() };
    const add = () =>
      stoa.send('POST', '/v1/cart/items', {
        key: shop.publishable_key,
        headers,
        body: { variant_id: shop.variant, quantity: 1 },
      });
    await add();
    const body = { items: undefined, cart: true, session_id: headers['X-Session-Id'] };
    const [first, , second] = await Promise.all([buy(shop, body), add(), buy(shop, body)]);
    const ordered = [first, second].filter(({ status }) => status === 201);
    const left = await stoa.send('GET', '/v1/cart', { key: shop.publishable_key, headers });
    const sold = ordered.reduce((sum, { body: { order } }) => sum + order.items[0].quantity, 0);
    expect(sold + left.body.cart.item_count).toBe(2);
  });
});

test('holds the units of one order for ten concurrent bodies under one key', async () => {
  const shop = await openShop(50);
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => buy(shop, { items: [{ variant_id: shop.variant, quantity: n + 1 }] }, key)),
  );
  const ordered = replies.filter(({ status }) => status === 201);
  expect(ordered).toHaveLength(1);
  const on_hand = 50 - ordered[0]!.body.order.items[0].quantity;
  expect(await levels(shop)).toMatchObject({ on_hand, available: on_hand });
});
