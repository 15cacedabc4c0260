// Tests purchase orders over HTTP: confirmed with an order that allocates stock, fulfilled, cancelled, and concurrent
// requests.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import {
  ANY_ID,
  about,
  as,
  asStore,
  clock,
  closeShop,
  confirm,
  DAY_MS,
  errorOf,
  insist,
  issue,
  levelOf,
  made,
  NAIROBI,
  newBuyer,
  newVariant,
  openShop,
  orderOf,
  publishedEvents,
  signed,
  UUID,
} from '#test/services/b2b/shop.ts';
import { eventually } from '#test/support/server.ts';
import type { Shopper } from '#test/support/session.ts';
import type { Reply } from '#test/support/stoa.ts';

let ada: Shopper;
let shoe: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  shoe = await newVariant({ sku: 'TRAIL', stock: 100_000 });
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
  // Promotions and delivery charges are not part of the agreement.
  await made(asStore()('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 20 } } }));
  await made(asStore()('POST', '/v1/promotions', { name: 'Sale', type: 'percentage', value: 50, status: 'active' }));
});
afterAll(() => closeShop());
beforeEach(() => clock.advance(1_000));

const pieces = (quantity: number, variant_id = shoe, unit_price = 7.5) => [{ variant_id, quantity, unit_price }];
const read = async (id: string): Promise<PurchaseOrder> =>
  (await made(asStore()('GET', `/v1/b2b/purchase-orders/${id}`))).data;
const move = (id: string, verb: string, body?: unknown, headers = {}) =>
  asStore()('POST', `/v1/b2b/purchase-orders/${id}/${verb}`, body, headers);

describe('confirming a purchase order', () => {
  test('places an order at the quoted prices, confirmed, without promotion or delivery charge', async () => {
    const sock = await newVariant({ name: 'Sock', sku: 'SOCK', price: 2, stock: 10 });
    const order = await issue(ada, [...pieces(100), ...pieces(4, sock, 1.11)], {
      quote: { payment_terms: 'net_7' },
      billing_address: { ...NAIROBI, line1: 'Box 12' },
    });
    // Later price changes do not affect agreed prices.
    clock.advance(DAY_MS);
    const [before] = await levelOf(shoe);
    const { status, body } = await move(order.id, 'confirm');
    expect([status, body.data]).toEqual([
      200,
      { ...order, status: 'confirmed', order_id: expect.stringMatching(UUID) },
    ]);
    expect(await read(order.id)).toEqual(body.data);
    const placed = await orderOf(body.data);
    expect(placed).toMatchObject({
      id: body.data.order_id,
      customer_id: ada.id,
      email: expect.stringContaining('@'),
      order_status: 'confirmed',
      payment_status: 'pending',
      subtotal: 754.44,
      discount_total: 0,
      shipping_total: 0,
      shipping_tax: 0,
      applied_promotions: [],
      tax_total: 120.71,
      total_amount: 875.15,
      amount_due: 875.15,
      shipping_address: { line1: '12 Moi Avenue' },
      billing_address: { line1: 'Box 12' },
      shipping_option_id: null,
    });
    expect(
      placed.items.map(({ sku, quantity, unit_price, subtotal, tax_amount, total }) => [
        sku,
        quantity,
        unit_price,
        subtotal,
        tax_amount,
        total,
      ]),
    ).toEqual([
      ['TRAIL', 100, 7.5, 750, 120, 870],
      ['SOCK', 4, 1.11, 4.44, 0.71, 5.15],
    ]);
    await eventually(async () => {
      expect(await levelOf(shoe)).toEqual([before - 100, before - 100]);
      expect(await levelOf(sock)).toEqual([6, 6]);
    });
    const [published] = await publishedEvents(1, about('b2b.po.confirmed', order.id));
    expect([published!.data.object, published!.previous_attributes]).toEqual([
      body.data,
      { status: 'issued', order_id: null },
    ]);
    const [created] = await publishedEvents(1, about('order.created', placed.id));
    expect(created!.data.object).toEqual(placed);
    await publishedEvents(0, about('order.paid', placed.id));
  });

  test('creates an order that only its invoices can pay', async () => {
    const placed = await orderOf(await confirm(await issue(ada, pieces(1))));
    const request = { provider: 'card_checkout', amount: placed.amount_due, email: placed.email, order_id: placed.id };
    expect(errorOf(await signed('POST', '/v1/payments/initialize', request))).toEqual([409, 'conflict', 'order_id']);
    const patch = await signed('PATCH', `/v1/orders/${placed.id}`, { payment_status: 'paid' });
    expect(errorOf(patch)).toEqual([409, 'conflict', 'payment_status']);
    expect((await made(signed('PATCH', `/v1/orders/${placed.id}`, { note: 'Ramp 4' }))).order.note).toBe('Ramp 4');
  });

  test('marks an order of 0 paid immediately', async () => {
    const placed = await orderOf(await confirm(await issue(ada, pieces(1, shoe, 0))));
    expect([placed.total_amount, placed.payment_status, placed.order_status]).toEqual([0, 'paid', 'confirmed']);
    await publishedEvents(1, about('order.paid', placed.id));
  });

  test('leaves it issued and holds no stock when stock is insufficient', async () => {
    const rare = await newVariant({ stock: 5 });
    const ample = await newVariant({ stock: 50 });
    const order = await issue(ada, [...pieces(10, ample), ...pieces(6, rare)]);
    expect(errorOf(await move(order.id, 'confirm'))).toEqual([409, 'insufficient_stock', 'items[1].quantity']);
    expect(await read(order.id)).toEqual(order);
    expect([await levelOf(ample), await levelOf(rare)]).toEqual([
      [50, 50],
      [5, 5],
    ]);
    await made(asStore()('POST', '/v1/inventory/adjustments', { variant_id: rare, delta: 1 }));
    await confirm(order);
    await eventually(async () =>
      expect([await levelOf(ample), await levelOf(rare)]).toEqual([
        [40, 40],
        [0, 0],
      ]),
    );
    await publishedEvents(1, about('b2b.po.confirmed', order.id));
  });

  test('refuses variants that are no longer sold', async () => {
    const gone = await made(asStore()('POST', '/v1/products', { name: 'Gone', price: 1, stock: 5 }));
    const order = await issue(ada, pieces(1, gone.variant_id));
    await made(asStore()('PATCH', `/v1/products/${gone.id}`, { is_active: false }));
    expect(errorOf(await move(order.id, 'confirm'))).toEqual([409, 'conflict', 'items[0].variant_id']);
    expect((await read(order.id)).status).toBe('issued');
  });

  test('succeeds once under concurrent requests, and repeats the response for one key', async () => {
    const only = await newVariant({ stock: 100 });
    const order = await issue(ada, pieces(30, only));
    const replies = await Promise.all(Array.from({ length: 6 }, () => move(order.id, 'confirm')));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    await eventually(async () => expect(await levelOf(only)).toEqual([70, 70]));
    await publishedEvents(1, about('b2b.po.confirmed', order.id));
    expect(errorOf(await move(order.id, 'confirm'))).toEqual([409, 'conflict', undefined]);
    const another = await issue(ada, pieces(30, only));
    const key = { 'Idempotency-Key': 'confirm-once' };
    const first = await move(another.id, 'confirm', undefined, key);
    const again = await move(another.id, 'confirm', undefined, key);
    expect([first.status, again.status, again.body.data, again.body.idempotent]).toEqual([
      200,
      200,
      first.body.data,
      true,
    ]);
    await eventually(async () => expect(await levelOf(only)).toEqual([40, 40]));
  });

  test('sells each unit once beside 200 shoppers', { timeout: 120_000 }, async () => {
    const scarce = await newVariant({ stock: 150, shipping_info: { requires_shipping: false } });
    const orders: PurchaseOrder[] = [];
    for (let count = 0; count < 4; count++) orders.push(await issue(ada, pieces(20, scarce)));
    const buy = (at: number) => {
      const body = { items: [{ variant_id: scarce, quantity: 1 }], email: `shopper${at}@example.com` };
      return insist((key) => signed('POST', '/v1/orders', body, key));
    };
    const shoppers = Array.from({ length: 200 }, (_, at) => buy(at));
    const confirmed = orders.map(({ id }) => insist((key) => move(id, 'confirm', undefined, key)));
    const [bought, taken] = await Promise.all([Promise.all(shoppers), Promise.all(confirmed)]);
    const count = (replies: readonly Reply[], status: number) =>
      replies.filter((reply) => reply.status === status).length;
    const sold = count(bought, 201) + 20 * count(taken, 200);
    for (const { status, body } of [...bought, ...taken])
      if (status >= 300) expect([status, body.error.code]).toEqual([409, 'insufficient_stock']);
    expect(sold).toBe(150);
    expect(errorOf(await buy(400))).toEqual([409, 'insufficient_stock', 'items[0].quantity']);
    await eventually(async () => expect(await levelOf(scarce)).toEqual([0, 0]));
  });
});

describe('fulfilling a purchase order', () => {
  test('ships the order with its tracking', async () => {
    const order = await confirm(await issue(ada, pieces(3)));
    const sent = { carrier: 'DHL', tracking_number: '0034', tracking_url: 'https://track.example.com/0034' };
    const { status, body } = await move(order.id, 'fulfill', sent);
    expect([status, body.data]).toEqual([200, { ...order, status: 'fulfilled' }]);
    const placed = await orderOf(order);
    expect(placed).toMatchObject({ order_status: 'shipped', ...sent });
    expect(placed.shipments).toMatchObject([{ ...sent, items: [{ quantity: 3 }], label_url: null }]);
    expect(placed.items[0]!.quantity_fulfilled).toBe(3);
    const [published] = await publishedEvents(1, about('b2b.po.fulfilled', order.id));
    expect([published!.data.object, published!.previous_attributes]).toEqual([body.data, { status: 'confirmed' }]);
    await publishedEvents(1, about('order.fulfilled', placed.id));
    await publishedEvents(0, about('order.shipped', placed.id));
    expect(errorOf(await move(order.id, 'fulfill', sent))).toEqual([409, 'conflict', undefined]);
  });

  test('needs no body and ships the units that no shipment contains', async () => {
    const order = await confirm(await issue(ada, pieces(3)));
    const [line] = (await orderOf(order)).items;
    const parcel = { carrier: 'Own', tracking_number: '1', items: [{ order_item_id: line!.id, quantity: 2 }] };
    await made(asStore()('POST', `/v1/orders/${order.order_id}/shipments`, parcel));
    await made(move(order.id, 'fulfill'));
    const placed = await orderOf(order);
    expect(placed.order_status).toBe('shipped');
    expect(placed.shipments.map(({ items }) => items[0]!.quantity)).toEqual([2, 1]);
    const whole = await confirm(await issue(ada, pieces(3)));
    await made(asStore()('POST', `/v1/orders/${whole.order_id}/shipments`, { carrier: 'Own', tracking_number: '2' }));
    expect((await made(move(whole.id, 'fulfill', {}))).data.status).toBe('fulfilled');
    expect((await orderOf(whole)).shipments).toHaveLength(1);
  });

  test('refuses a purchase order that is not confirmed', async () => {
    const order = await issue(ada, pieces(1));
    expect(errorOf(await move(order.id, 'fulfill'))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await move(ANY_ID, 'fulfill'))).toEqual([404, 'not_found', undefined]);
    expect(errorOf(await move(ANY_ID, 'confirm'))).toEqual([404, 'not_found', undefined]);
    const bad = await move(order.id, 'fulfill', { tracking_url: 'ftp://x' });
    expect(errorOf(bad)).toEqual([400, 'invalid_request', 'tracking_url']);
  });

  test('succeeds once under concurrent requests', async () => {
    const order = await confirm(await issue(ada, pieces(2)));
    const replies = await Promise.all(Array.from({ length: 5 }, () => move(order.id, 'fulfill')));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await orderOf(order)).shipments).toHaveLength(1);
    await publishedEvents(1, about('b2b.po.fulfilled', order.id));
  });
});

describe('cancelling a purchase order', () => {
  test('succeeds for the buyer or the store while issued', async () => {
    const [one, two, three] = [await issue(ada, pieces(1)), await issue(ada, pieces(1)), await issue(ada, pieces(1))];
    expect((await made(as(ada)('POST', `/v1/b2b/purchase-orders/${one.id}/cancel`))).data).toEqual({
      ...one,
      status: 'cancelled',
    });
    expect((await made(move(two.id, 'cancel'))).data.status).toBe('cancelled');
    expect((await as({ id: '', headers: {} })('POST', `/v1/b2b/purchase-orders/${three.id}/cancel`)).status).toBe(401);
    await confirm(three);
    for (const { id } of [one, three]) expect(errorOf(await move(id, 'cancel'))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await move(one.id, 'confirm'))).toEqual([409, 'conflict', undefined]);
  });

  test('keeps one of a concurrent cancellation and confirmation, with correct stock', async () => {
    const only = await newVariant({ stock: 100 });
    let sold = 0;
    for (let count = 0; count < 8; count++) {
      const order = await issue(ada, pieces(5, only));
      const [confirmed, cancelled] = await Promise.all([move(order.id, 'confirm'), move(order.id, 'cancel')]);
      expect([confirmed.status, cancelled.status].sort()).toEqual([200, 409]);
      expect((await read(order.id)).status).toBe(confirmed.status === 200 ? 'confirmed' : 'cancelled');
      if (confirmed.status === 200) sold += 5;
    }
    await eventually(async () => expect(await levelOf(only)).toEqual([100 - sold, 100 - sold]));
  });

  test('follows the cancellation of its order and releases the stock', async () => {
    const only = await newVariant({ stock: 10 });
    const order = await confirm(await issue(ada, pieces(4, only)));
    await eventually(async () => expect(await levelOf(only)).toEqual([6, 6]));
    await made(signed('PATCH', `/v1/orders/${order.order_id}`, { order_status: 'cancelled' }));
    expect(await read(order.id)).toEqual({ ...order, status: 'cancelled' });
    await eventually(async () => expect(await levelOf(only)).toEqual([10, 10]));
    expect(errorOf(await move(order.id, 'fulfill'))).toEqual([409, 'conflict', undefined]);
  });
});
