// Orders over HTTP: placed from items and carts, priced by the server, moved on, refunded, shipped, found again.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import {
  basket,
  createSingleProductStore as openShopOf,
  placeOrder,
  type SingleProductStore,
  stockOf,
} from './single_product_store.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const openShop = (product: Record<string, unknown> = {}): Promise<SingleProductStore> => openShopOf(stoa, product);

describe('an order', () => {
  test('takes the server’s prices and lowers the stock when placed from items', async () => {
    const shop = await openShop();
    const order = await placeOrder(shop, basket(shop));
    expect(order).toMatchObject({
      order_number: '1001',
      store_id: shop.store_id,
      email: 'ada@example.com',
      order_status: 'pending',
      payment_status: 'pending',
      subtotal: 20,
      discount_total: 0,
      shipping_total: 0,
      tax_total: 0,
      total_amount: 20,
      amount_due: 20,
      items: [{ variant_id: shop.variant, quantity: 2, unit_price: 10, subtotal: 20, total: 20, name: 'Gift wrap' }],
    });
    expect(await stockOf(shop)).toBe(3);
    expect((await shop.read(`/v1/orders/${order.id}`)).body.order).toEqual(order);
    const { inventory } = (await shop.read(`/v1/inventory/${shop.variant}`)).body;
    expect(inventory).toMatchObject({ on_hand: 3, held: 0, available: 3 });
  });

  test('ignores prices, totals and statuses in its body', async () => {
    const shop = await openShop();
    const own = { unit_price: 0.01, price: 0.01, discount: 19, tax_amount: 0, total: 0.01 };
    const metadata = JSON.parse('{"gift":"yes","constructor":"x"}');
    const order = await placeOrder(shop, {
      items: [{ variant_id: shop.variant, quantity: 2, ...own }],
      email: 'ada@example.com',
      metadata,
      ...{ subtotal: 0.01, discount_total: 19, tax_total: 0, total_amount: 0.01, amount_due: 0, amount_paid: 20 },
      ...{ order_status: 'delivered', payment_status: 'paid', order_number: '1' },
    });
    expect(order).toMatchObject({
      items: [{ unit_price: 10, discount: 0, total: 20 }],
      ...{ subtotal: 20, total_amount: 20, amount_due: 20, amount_paid: 0 },
      ...{ order_status: 'pending', payment_status: 'pending', order_number: '1001' },
    });
    expect(order.metadata).toEqual(metadata);
  });

  test('keeps its lines as they were sold, whatever becomes of the product', async () => {
    const shop = await openShop();
    const order = await placeOrder(shop, basket(shop));
    const change = { name: 'Ribbon', price: 99, sku: 'OTHER' };
    expect((await shop.write('PATCH', `/v1/products/${shop.product}`, change)).status).toBe(200);
    expect((await shop.read(`/v1/orders/${order.id}`)).body.order).toEqual(order);
    expect((await shop.write('DELETE', `/v1/products/${shop.product}`)).status).toBe(200);
    expect((await shop.read(`/v1/orders/${order.id}`)).body.order).toEqual(order);
    expect((await shop.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' })).status).toBe(200);
  });

  test('repeats its answer under one idempotency key', async () => {
    const shop = await openShop();
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await shop.sign('POST', '/v1/orders', basket(shop), key);
    const again = await shop.sign('POST', '/v1/orders', basket(shop), key);
    expect(again.body).toEqual({ ...first.body, idempotent: true });
    expect((await shop.read('/v1/orders')).body.orders).toHaveLength(1);
    expect(await stockOf(shop)).toBe(3);
  });

  test('refuses more units than in stock, and holds none', async () => {
    const shop = await openShop();
    const refused = await shop.sign('POST', '/v1/orders', basket(shop, 6));
    const { code, param } = refused.body.error;
    expect([refused.status, code, param]).toEqual([409, 'insufficient_stock', 'items[0].quantity']);
    expect((await shop.read(`/v1/inventory/${shop.variant}`)).body.inventory).toMatchObject({ on_hand: 5, held: 0 });
  });

  test('refuses a total above the payment limit before it checks the stock', async () => {
    const shop = await openShop({ price: 99_999_999.99, stock: 4, shipping_info: { requires_shipping: true } });
    const address = { shipping_address: { line1: '1 High Street', city: 'Nairobi', country: 'KE' } };
    for (const quantity of [2, 3, 1_000]) {
      const refused = await shop.sign('POST', '/v1/orders', { ...basket(shop, quantity), ...address });
      expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
        400,
        'invalid_request',
        'items',
      ]);
    }
    expect(await placeOrder(shop, { ...basket(shop, 1), ...address })).toMatchObject({ total_amount: 99_999_999.99 });
  });

  test('sells each of the last five units to one of twenty concurrent orders', async () => {
    const shop = await openShop();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.sign('POST', '/v1/orders', basket(shop, 1))),
    );
    const by = (status: number) => replies.filter((reply) => reply.status === status);
    expect([by(201).length, by(409).length]).toEqual([5, 15]);
    for (const { body } of by(409)) expect(body.error.code).toBe('insufficient_stock');
    expect((await shop.read(`/v1/inventory/${shop.variant}`)).body.inventory.on_hand).toBe(0);
  });

  test('converts the cart that it is placed from', async () => {
    const shop = await openShop();
    const session = { 'X-Session-Id': randomUUID() };
    await shop.write('POST', '/v1/cart/items', { variant_id: shop.variant, quantity: 3 }, session);
    const order = await placeOrder(shop, { cart: true, session_id: session['X-Session-Id'], email: 'ada@example.com' });
    expect(order.items).toMatchObject([{ quantity: 3 }]);
    await eventually(async () => {
      const { cart } = (await shop.write('GET', '/v1/cart', undefined, session)).body;
      expect([cart.status, cart.items]).toEqual(['converted', []]);
    });
    const empty = await shop.sign('POST', '/v1/orders', {
      cart: true,
      session_id: session['X-Session-Id'],
      email: 'ada@example.com',
    });
    expect([empty.status, empty.body.error.param]).toEqual([400, 'cart']);
  });

  test('takes a cart once when three requests order it at once', async () => {
    const shop = await openShop();
    const session = { 'X-Session-Id': randomUUID() };
    await shop.write('POST', '/v1/cart/items', { variant_id: shop.variant, quantity: 1 }, session);
    const body = { cart: true, session_id: session['X-Session-Id'], email: 'ada@example.com' };
    const replies = await Promise.all([1, 2, 3].map(() => shop.sign('POST', '/v1/orders', body)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of replies) if (status !== 201) expect(body.error.param).toBe('cart');
    await eventually(async () => expect(await stockOf(shop)).toBe(4));
  });

  test('costs the cart’s total when the cart has rejected codes, and refuses a rejected code in its own body', async () => {
    const shop = await openShop();
    const promote = (code: string, value: number, more = {}) =>
      shop.write('POST', '/v1/promotions', { name: code, code, type: 'percentage', value, status: 'active', ...more });
    for (const { status, text } of [
      await promote('TEN', 10),
      await promote('TWENTY', 20),
      await promote('BIG', 50, { minimum_subtotal: 1_000 }),
    ])
      expect(status, text).toBe(201);
    const session = { 'X-Session-Id': randomUUID() };
    await shop.write('POST', '/v1/cart/items', { variant_id: shop.variant, quantity: 3 }, session);
    for (const code of ['TEN', 'TWENTY', 'BIG']) await shop.write('POST', '/v1/cart/promotions', { code }, session);
    const { cart } = (await shop.write('GET', '/v1/cart', undefined, session)).body;
    expect(cart).toMatchObject({ total: 24, rejected_codes: [{ code: 'TEN' }, { code: 'BIG' }] });
    const body = { cart: true, session_id: session['X-Session-Id'], email: 'ada@example.com' };
    const refused = await shop.sign('POST', '/v1/orders', { ...body, promotion_codes: ['big'] });
    const { code, param } = refused.body.error;
    expect([refused.status, code, param]).toEqual([400, 'promotion_not_applicable', 'promotion_codes[0]']);
    const order = await placeOrder(shop, body);
    expect(order).toMatchObject({ total_amount: cart.total, applied_promotions: [{ code: 'TWENTY', amount: 6 }] });
  });

  test.each([
    [{ email: 'ada@example.com' }, 400, 'items'],
    [{ items: [], email: 'ada@example.com' }, 400, 'items'],
    [{ items: [{ variant_id: randomUUID(), quantity: 1 }], email: 'a@example.com' }, 404, 'items[0].variant_id'],
    [{ items: [{ variant_id: randomUUID(), quantity: 0 }], email: 'a@example.com' }, 400, 'items[0].quantity'],
    [{ cart: true, email: 'ada@example.com' }, 400, 'session_id'],
    [{ items: [{ variant_id: randomUUID(), quantity: 1 }], quote_id: randomUUID() }, 400, 'quote_id'],
    [{ items: [{ variant_id: randomUUID(), quantity: 1 }], customer_id: randomUUID() }, 404, 'customer_id'],
  ])('%j is refused with %i at %s', async (body, status, param) => {
    const shop = await openShop();
    const { status: got, body: answer, text } = await shop.sign('POST', '/v1/orders', body);
    expect([got, answer.error.param], text).toEqual([status, param]);
  });

  test('requires an e-mail address or a customer', async () => {
    const shop = await openShop();
    const { items } = basket(shop);
    const reply = await shop.sign('POST', '/v1/orders', { items });
    expect([reply.status, reply.body.error.param]).toEqual([400, 'email']);
  });

  test.each([
    ['a country', { country: 'ZZ' }, 'country'],
    ['a place', { country: 'KE', latitude: -1.28 }, 'longitude'],
    ['a place', { country: 'KE', longitude: 36.8 }, 'latitude'],
  ])('goes to %s that there is: not to %j', async (_what, where, param) => {
    const shop = await openShop({ shipping_info: { requires_shipping: true } });
    const address = { line1: 'Nowhere 1', city: 'Nowhere' };
    const shipping_address = { ...address, ...where };
    const reply = await shop.sign('POST', '/v1/orders', { ...basket(shop), shipping_address });
    expect([reply.status, reply.body.error.param]).toEqual([400, `shipping_address.${param}`]);
    const { id } = await placeOrder(shop, { ...basket(shop), shipping_address: { ...address, country: 'KE' } });
    const moved = await shop.sign('PATCH', `/v1/orders/${id}`, { shipping_address });
    expect([moved.status, moved.body.error.param]).toEqual([400, `shipping_address.${param}`]);
  });
});

test.each(['line1', 'city', 'country'])(
  'an order to an address without %s is refused and takes nothing',
  async (field) => {
    const shop = await openShop({ shipping_info: { requires_shipping: true } });
    const whole = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' };
    for (const nothing of [undefined, '', ' ']) {
      const shipping_address = { ...whole, [field]: nothing };
      const reply = await shop.sign('POST', '/v1/orders', { ...basket(shop), shipping_address });
      expect([reply.status, reply.body.error?.param]).toEqual([400, `shipping_address.${field}`]);
    }
    const { id } = await placeOrder(shop, { ...basket(shop), shipping_address: whole });
    const shipping_address = { ...whole, [field]: '' };
    const moved = await shop.sign('PATCH', `/v1/orders/${id}`, { shipping_address });
    expect([moved.status, moved.body.error?.param]).toEqual([400, `shipping_address.${field}`]);
  },
);

describe('an order moves', () => {
  test('forward, over skipped steps, and never back', async () => {
    const shop = await openShop();
    const { id } = await placeOrder(shop, basket(shop));
    const move = (order_status: string) => shop.sign('PATCH', `/v1/orders/${id}`, { order_status });
    expect((await move('processing')).body.order.order_status).toBe('processing');
    expect((await move('confirmed')).status).toBe(409);
    const delivered = (await move('delivered')).body.order;
    expect(delivered.order_status).toBe('delivered');
    expect(delivered.return_window_ends_at).not.toBeNull();
    expect((await move('cancelled')).status).toBe(409);
  });

  test('returns its units to stock when cancelled', async () => {
    const shop = await openShop();
    const { id } = await placeOrder(shop, basket(shop));
    expect(await stockOf(shop)).toBe(3);
    const { order } = (await shop.sign('PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' })).body;
    expect([order.order_status, order.payment_status]).toEqual(['cancelled', 'pending']);
    expect(await stockOf(shop)).toBe(5);
    for (const change of [{ order_status: 'confirmed' }, { payment_status: 'paid' }]) {
      const late = await shop.sign('PATCH', `/v1/orders/${id}`, change);
      expect([late.status, late.body.error?.param], late.text).toEqual([409, Object.keys(change)[0]]);
    }
  });

  test('restores the balance of its gift card when cancelled', async () => {
    const shop = await openShop();
    const { gift_card } = (await shop.write('POST', '/v1/gift-cards', { amount: 30 })).body;
    const order = await placeOrder(shop, { ...basket(shop), gift_card_codes: [gift_card.code] });
    expect(order).toMatchObject({ payment_status: 'paid', gift_card_total: 20 });
    const cancelled = await shop.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' });
    expect(cancelled.body.order).toMatchObject({ payment_status: 'refunded', gift_card_total: 0, amount_refunded: 0 });
    expect((await shop.read(`/v1/gift-cards?code=${gift_card.code}`)).body.gift_card.balance).toBe(30);
  });

  test('restores store credit and promotion uses when cancelled', async () => {
    const shop = await openShop();
    const { customer } = (await shop.write('POST', '/v1/customers', { email: 'ada@example.com' })).body;
    await shop.write('POST', '/v1/store-credit', { customer_id: customer.id, amount: 15 });
    const once = { name: 'Half', code: 'ONCE', type: 'percentage', value: 50, usage_limit: 1 };
    expect((await shop.write('POST', '/v1/promotions', once)).status).toBe(201);
    const body = { items: basket(shop).items, customer_id: customer.id };
    const order = await placeOrder(shop, { ...body, store_credit: 5, promotion_codes: ['once'] });
    expect(order).toMatchObject({ total_amount: 10, store_credit_total: 5, amount_due: 5 });
    const spent = await shop.sign('POST', '/v1/orders', { ...body, promotion_codes: ['once'] });
    expect([spent.status, spent.body.error.code]).toEqual([400, 'promotion_not_applicable']);
    const poor = await shop.sign('POST', '/v1/orders', { ...body, store_credit: 15 });
    expect([poor.status, poor.body.error.param], poor.text).toEqual([400, 'store_credit']);
    expect((await shop.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' })).status).toBe(200);
    expect(await placeOrder(shop, { ...body, promotion_codes: ['once'] })).toMatchObject({ total_amount: 10 });
    expect(await placeOrder(shop, { ...body, store_credit: 15 })).toMatchObject({
      store_credit_total: 15,
      amount_due: 5,
    });
  });

  test('becomes paid and confirmed by a payment taken elsewhere', async () => {
    const shop = await openShop();
    const { id } = await placeOrder(shop, basket(shop));
    const { order } = (await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' })).body;
    expect(order).toMatchObject({ payment_status: 'paid', order_status: 'confirmed', amount_paid: 20, amount_due: 0 });
    const failed = await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'failed' });
    expect([failed.status, failed.body.error.param]).toEqual([409, 'payment_status']);
  });

  test('becomes partially refunded and refunded, up to the amount paid', async () => {
    const shop = await openShop();
    const { id, items } = await placeOrder(shop, basket(shop));
    const refund = (body: unknown) => shop.write('POST', `/v1/orders/${id}/refunds`, body);
    expect((await refund({ amount: 1 })).status).toBe(409);
    await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    const one = await refund({ items: [{ order_item_id: items[0]!.id, quantity: 1, restock: true }], reason: 'Torn' });
    expect(one.body.refund).toMatchObject({ amount: 10, reason: 'Torn', status: 'succeeded' });
    const order = async () => (await shop.read(`/v1/orders/${id}`)).body.order;
    expect(await order()).toMatchObject({
      payment_status: 'partially_refunded',
      amount_refunded: 10,
      items: [{ quantity_returned: 1 }],
    });
    expect(await stockOf(shop)).toBe(4);
    // A partly refunded order is not marked as paid again.
    const paidAgain = await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid', note: 'Paid twice' });
    expect([paidAgain.status, paidAgain.body.error?.param], paidAgain.text).toEqual([409, 'payment_status']);
    expect(await order()).toMatchObject({ payment_status: 'partially_refunded', amount_paid: 20, note: null });
    expect((await refund({ amount: 10.01 })).status).toBe(409);
    expect((await refund({ amount: 10 })).status).toBe(201);
    expect(await order()).toMatchObject({ payment_status: 'refunded', amount_refunded: 20 });
  });

  test('becomes paid after a partial refund to its gift card', async () => {
    const shop = await openShop();
    const { gift_card } = (await shop.write('POST', '/v1/gift-cards', { amount: 15 })).body;
    const { id } = await placeOrder(shop, { ...basket(shop), gift_card_codes: [gift_card.code] });
    expect((await shop.write('POST', `/v1/orders/${id}/refunds`, { amount: 5 })).status).toBe(201);
    const { order } = (await shop.read(`/v1/orders/${id}`)).body;
    expect(order).toMatchObject({
      payment_status: 'pending',
      gift_card_total: 10,
      amount_due: 10,
      amount_refunded: 0,
      refunds: [{ amount: 5, status: 'succeeded' }],
    });
    expect((await shop.read(`/v1/gift-cards?code=${gift_card.code}`)).body.gift_card.balance).toBe(5);
    const paid = await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    expect(paid.body.order, paid.text).toMatchObject({ payment_status: 'paid', amount_paid: 10, amount_due: 0 });
  });

  test('excludes refunded units from shipments', async () => {
    const shop = await openShop();
    const { id, items } = await placeOrder(shop, basket(shop, 5));
    const order_item_id = items[0]!.id;
    const post = (what: string, body: unknown) => shop.write('POST', `/v1/orders/${id}/${what}`, body);
    const giveBack = (quantity: number) =>
      post('refunds', { items: [{ order_item_id, quantity, restock: true }], amount: quantity });
    await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    expect((await giveBack(2)).status).toBe(201);
    const tooMany = await post('shipments', { carrier: 'DHL', items: [{ order_item_id, quantity: 4 }] });
    expect([tooMany.status, tooMany.body.error.param]).toEqual([409, 'items[0].quantity']);
    expect((await post('shipments', { carrier: 'DHL', items: [{ order_item_id, quantity: 1 }] })).status).toBe(201);
    // The shipped unit is returned. Two units remain: they are shipped, or back in stock once the order is cancelled.
    expect((await giveBack(1)).status).toBe(201);
    expect(await stockOf(shop)).toBe(3);
    const { order } = (await shop.sign('PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' })).body;
    expect(order.items).toMatchObject([{ quantity: 5, quantity_fulfilled: 5, quantity_returned: 3 }]);
    expect(await stockOf(shop)).toBe(5);
  });
});

test('orders are listed newest first, by their filters, page by page, and the store’s own alone', async () => {
  const shop = await openShop({ stock: 50 });
  const other = await openShop();
  await placeOrder(other, basket(other, 1));
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await placeOrder(shop, basket(shop, 1))).id);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { orders, pagination } = (await shop.read(`/v1/orders?limit=2${cursor}`)).body;
    seen.push(...orders.map(({ id }: StoreOrder) => id));
    if (!pagination.has_more) break;
    cursor = `&cursor=${pagination.next_cursor}`;
  }
  expect(seen).toEqual(ids);
  const found = (await shop.read('/v1/orders?order_number=1003')).body.orders;
  expect(found.map(({ id }: StoreOrder) => id)).toEqual([ids[2]]);
  // A number is a text: what only counts as much is another one.
  for (const other of ['01003', '1003.0', '%201003', '1003%20', '1e3', '0x3eb', '-1003', '10031', '', 'x'])
    expect((await shop.read(`/v1/orders?order_number=${other}`)).body.orders, other).toEqual([]);
  expect((await shop.read('/v1/orders?payment_status=paid')).body.orders).toEqual([]);
  expect((await shop.read(`/v1/orders/${ids[0]}?fields=order_number,items.quantity`)).body.order).toEqual({
    order_number: '1005',
    items: [{ quantity: 1 }],
  });
  expect((await other.read(`/v1/orders/${ids[0]}`)).status).toBe(404);
  expect((await shop.read('/v1/orders?cursor=nonsense')).status).toBe(400);
});
