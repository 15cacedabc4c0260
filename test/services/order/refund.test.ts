// Refunds and cancellations, also concurrent ones: units are restocked once, and money is refunded once.
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const openShop = async (product: Record<string, unknown> = {}) => {
  const keys: Keys = await stoa.createStore();
  const send = (method: string, path: string, options: Parameters<typeof sendTo>[3] = {}): Promise<Reply> =>
    sendTo(stoa.url, method, path, { key: keys.secret_key, ...options });
  const made = await send('POST', '/v1/products', {
    body: { name: 'Mug', price: 10, stock: 10, shipping_info: { requires_shipping: false }, ...product },
  });
  expect(made.status, made.text).toBe(201);
  const variant_id: string = made.body.variant_id;
  const sign = (method: string, path: string, body: unknown) =>
    send(method, path, { body, signWith: keys.hmac_secret });
  return {
    sign,
    variant_id,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown) => send('POST', path, { body }),
    stock: async (): Promise<number> => (await send('GET', `/v1/inventory/${variant_id}`)).body.inventory.available,
    place: async (more: Record<string, unknown> = {}, quantity = 4): Promise<StoreOrder> => {
      const items = [{ variant_id, quantity }];
      const reply = await sign('POST', '/v1/orders', { items, email: 'ada@example.com', ...more });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.order;
    },
    order: async (id: string): Promise<StoreOrder> => (await send('GET', `/v1/orders/${id}`)).body.order,
    move: async (id: string, change: object) => {
      const reply = await sign('PATCH', `/v1/orders/${id}`, change);
      expect(reply.status, reply.text).toBe(200);
      return reply.body.order as StoreOrder;
    },
  };
};

type Shop = Awaited<ReturnType<typeof openShop>>;

const refundOf = (order: StoreOrder, quantity: number, more: object = {}) => ({
  items: [{ order_item_id: order.items[0]!.id, quantity, restock: true }],
  ...more,
});

test('a refund’s event carries the former values of what it changed, and of nothing else', async () => {
  const shop = await openShop();
  const { id } = await shop.place();
  const before = await shop.move(id, { payment_status: 'paid' });
  const refunds = `/v1/orders/${id}/refunds`;
  expect((await shop.post(refunds, refundOf(before, 1))).status).toBe(201);
  const between = await shop.order(id);
  expect((await shop.post(refunds, { amount: 5 })).status).toBe(201);
  const events = await eventually(async () => {
    const { webhook_events } = (await shop.get('/v1/webhook-events?type=order.refunded')).body;
    expect(webhook_events).toHaveLength(2);
    return webhook_events as { previous_attributes: Partial<StoreOrder> }[];
  });
  expect(events.map(({ previous_attributes }) => previous_attributes)).toEqual([
    { amount_refunded: 10, refunds: between.refunds },
    { amount_refunded: 0, payment_status: 'paid', items: before.items, refunds: [] },
  ]);
});

describe('units', () => {
  test('returned to stock by a cancellation are not restocked by a refund', async () => {
    const shop = await openShop();
    const order = await shop.place();
    await shop.move(order.id, { payment_status: 'paid' });
    await shop.move(order.id, { order_status: 'cancelled' });
    expect(await shop.stock()).toBe(10);
    const again = await shop.post(`/v1/orders/${order.id}/refunds`, refundOf(order, 4));
    expect([again.status, again.body.error.param]).toEqual([409, 'items[0].restock']);
    expect(await shop.stock()).toBe(10);
    // The refund of the amount alone is still possible.
    const items = [{ order_item_id: order.items[0]!.id, quantity: 4 }];
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, { items })).status).toBe(201);
    expect(await shop.order(order.id)).toMatchObject({
      payment_status: 'refunded',
      amount_refunded: 40,
      amount_due: 0,
    });
    expect(await shop.stock()).toBe(10);
  });

  test('shipped before a cancellation are restocked one by one', async () => {
    const shop = await openShop();
    const order = await shop.place();
    await shop.move(order.id, { payment_status: 'paid' });
    const line = order.items[0]!.id;
    const sent = { carrier: 'DHL', tracking_number: '1', items: [{ order_item_id: line, quantity: 1 }] };
    expect((await shop.post(`/v1/orders/${order.id}/shipments`, sent)).status).toBe(201);
    await shop.move(order.id, { order_status: 'cancelled' });
    expect(await shop.stock()).toBe(9);
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, refundOf(order, 2))).status).toBe(409);
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, refundOf(order, 1))).status).toBe(201);
    expect(await shop.stock()).toBe(10);
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, refundOf(order, 1))).status).toBe(409);
  });

  test('return once when twelve refunds and a cancellation race', async () => {
    for (let round = 0; round < 4; round++) {
      const shop = await openShop();
      const order = await shop.place();
      await shop.move(order.id, { payment_status: 'paid' });
      const replies = await Promise.all([
        ...Array.from({ length: 6 }, () => shop.post(`/v1/orders/${order.id}/refunds`, refundOf(order, 1))),
        shop.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' }),
        ...Array.from({ length: 6 }, () => shop.post(`/v1/orders/${order.id}/refunds`, refundOf(order, 1))),
      ]);
      for (const { status, text } of replies) expect([200, 201, 409], text).toContain(status);
      expect(await shop.stock()).toBe(10);
      const { items, amount_refunded, order_status } = await shop.order(order.id);
      expect(order_status).toBe('cancelled');
      expect(amount_refunded).toBe(items[0]!.quantity_returned * 10);
    }
  });

  test('priced at zero are returned with a refund of zero', async () => {
    const shop = await openShop({ price: 0 });
    const order = await shop.place({}, 2);
    expect(order.payment_status).toBe('paid');
    const refunds = `/v1/orders/${order.id}/refunds`;
    const free = await shop.post(refunds, refundOf(order, 1));
    expect(free.body.refund, free.text).toMatchObject({ amount: 0, status: 'succeeded' });
    expect((await shop.post(refunds, refundOf(order, 1, { amount: 0 }))).status).toBe(201);
    expect(await shop.stock()).toBe(10);
    const nothing = await shop.post(refunds, { amount: 0 });
    expect([nothing.status, nothing.body.error.param]).toEqual([400, 'amount']);
  });
});

describe('a gift card', () => {
  const partlyPaid = async (shop: Shop) => {
    const { gift_card } = (await shop.post('/v1/gift-cards', { amount: 15 })).body;
    const order = await shop.place({ gift_card_codes: [gift_card.code] }, 2);
    const balance = async () => (await shop.get(`/v1/gift-cards?code=${gift_card.code}`)).body.gift_card.balance;
    return { order, balance };
  };

  test('refunded by an unpaid order leaves the full amount due', async () => {
    const shop = await openShop();
    const { order, balance } = await partlyPaid(shop);
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, { amount: 15 })).status).toBe(201);
    expect(await balance()).toBe(15);
    expect(await shop.order(order.id)).toMatchObject({
      payment_status: 'pending',
      gift_card_total: 0,
      amount_refunded: 0,
      amount_due: 20,
    });
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, { amount: 1 })).status).toBe(409);
    const paid = await shop.move(order.id, { payment_status: 'paid' });
    expect(paid).toMatchObject({ payment_status: 'paid', amount_paid: 20, amount_due: 0 });
    expect((await shop.post(`/v1/orders/${order.id}/refunds`, { amount: 20 })).status).toBe(201);
    expect(await balance()).toBe(15);
    expect(await shop.order(order.id)).toMatchObject({ payment_status: 'refunded', amount_refunded: 20 });
  });

  test('receives its amount once when refunds, a cancellation and a payment race', async () => {
    for (let round = 0; round < 3; round++) {
      const shop = await openShop();
      const { order, balance } = await partlyPaid(shop);
      await Promise.all([
        ...Array.from({ length: 4 }, () => shop.post(`/v1/orders/${order.id}/refunds`, { amount: 15 })),
        shop.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' }),
        shop.sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' }),
      ]);
      const after = await shop.order(order.id);
      expect(await balance()).toBeLessThanOrEqual(15);
      expect(after).toMatchObject({ order_status: 'cancelled', amount_due: 0 });
      const remaining = after.gift_card_total + after.amount_paid - after.amount_refunded;
      expect(remaining).toBeGreaterThanOrEqual(0);
    }
  });
});

test('leaves the full amount due when an unpaid order refunds store credit', async () => {
  const shop = await openShop();
  const { customer } = (await shop.post('/v1/customers', { email: 'ada@example.com' })).body;
  expect((await shop.post('/v1/store-credit', { customer_id: customer.id, amount: 15 })).status).toBe(201);
  const { gift_card } = (await shop.post('/v1/gift-cards', { amount: 10 })).body;
  const paying = { customer_id: customer.id, store_credit: 15, gift_card_codes: [gift_card.code] };
  const order = await shop.place(paying, 4);
  expect(order).toMatchObject({
    payment_status: 'pending',
    gift_card_total: 10,
    store_credit_total: 15,
    amount_due: 15,
  });
  expect((await shop.post(`/v1/orders/${order.id}/refunds`, { amount: 25 })).status).toBe(201);
  expect(await shop.order(order.id)).toMatchObject({
    payment_status: 'pending',
    gift_card_total: 0,
    store_credit_total: 0,
    amount_refunded: 0,
    amount_due: 40,
  });
  const paid = await shop.move(order.id, { payment_status: 'paid' });
  expect(paid).toMatchObject({ payment_status: 'paid', amount_paid: 40, amount_due: 0 });
  // Both are whole again, and can be spent.
  expect(await shop.place(paying, 4)).toMatchObject({ gift_card_total: 10, store_credit_total: 15 });
});

test('a cancelled order has nothing left to pay', async () => {
  const shop = await openShop();
  const order = await shop.place();
  const cancelled = await shop.move(order.id, { order_status: 'cancelled' });
  expect(cancelled).toMatchObject({ amount_due: 0, payment_status: 'pending' });
  const late = await shop.sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
  expect([late.status, late.body.error.param]).toEqual([409, 'payment_status']);
});

describe('an order is refused', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['with more than 50 keys', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])), 'metadata'],
    ['with a key of 41 characters', { ['k'.repeat(41)]: 'v' }, 'metadata'],
    ['with a value of 501 characters', { k: 'v'.repeat(501) }, 'metadata.k'],
  ])('%s in its metadata', async (_, metadata, param) => {
    const shop = await openShop();
    const items = [{ variant_id: shop.variant_id, quantity: 1 }];
    const placed = await shop.sign('POST', '/v1/orders', { items, email: 'ada@example.com', metadata });
    expect([placed.status, placed.body.error.param]).toEqual([400, expect.stringContaining(param)]);
    const order = await shop.place();
    const changed = await shop.sign('PATCH', `/v1/orders/${order.id}`, { metadata });
    expect(changed.status).toBe(400);
  });

  test('when it names both a shipping option and a carrier’s rate', async () => {
    const shop = await openShop();
    const items = [{ variant_id: shop.variant_id, quantity: 1 }];
    const both = { shipping_option_id: 'place', shipping_rate_id: 'r1', shipping_rate_source: 'custom' };
    const reply = await shop.sign('POST', '/v1/orders', { items, email: 'ada@example.com', ...both });
    expect([reply.status, reply.body.error.param]).toEqual([400, 'shipping_rate_id']);
    expect(await shop.stock()).toBe(10);
  });
});
