// Concurrent requests and decisions of returns, and returns of marketplace orders.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { OrderReturn } from '#proto/gen/order_return.ts';
import {
  answer,
  type Buyer,
  type DeliveredOrders,
  problem,
  startDeliveredOrders,
} from '#test/services/order/delivered_order.ts';
import { KENYA, openOperator } from '#test/support/marketplace.ts';

let shop: DeliveredOrders;
let ada: Buyer;
beforeAll(async () => {
  shop = await startDeliveredOrders();
  ada = await shop.buyer();
});
afterAll(() => shop.close());

const ask = (buyer: Buyer, order: StoreOrder, body: object = {}) =>
  buyer.send('POST', `/v1/orders/${order.id}/returns`, { reason_code: 'wrong_size', ...body });
const asked = async (buyer: Buyer, order: StoreOrder): Promise<OrderReturn> => answer(await ask(buyer, order), 201);
const pieces = (order: StoreOrder, quantity: number) => [{ order_item_id: order.items[0]!.id, quantity }];
const decide = (id: string, body: object) => shop.store('PATCH', `/v1/returns/${id}`, body);
const decided = async (id: string, body: object): Promise<OrderReturn> => answer(await decide(id, body));

describe('at once', () => {
  test('opens one of eight concurrent returns of a line', async () => {
    const order = await shop.delivered(ada);
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(ada, order, { items: pieces(order, 3) })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('never exceeds the amount paid when acceptances, a refund and a withdrawal race', async () => {
    for (let turn = 0; turn < 6; turn++) {
      const buyer = await shop.buyer();
      const order = await shop.delivered(buyer);
      const { id } = await asked(buyer, order);
      await decided(id, { credit_offer: { amount: 30 } });
      const accept = () => buyer.send('POST', `/v1/returns/${id}/accept-credit`);
      const replies = await Promise.all([
        accept(),
        accept(),
        decide(id, { credit_offer: null }),
        accept(),
        shop.store('POST', `/v1/orders/${order.id}/refunds`, { amount: 40 }),
      ]);
      for (const { status, text } of replies) expect([200, 201, 409], text).toContain(status);
      const { status } = answer(await buyer.send('GET', `/v1/returns/${id}`));
      const credited = status === 'credited' ? 30 : 0;
      const refunded = replies[4]!.status === 201 ? 40 : 0;
      expect(credited + refunded).toBeLessThanOrEqual(40);
      expect((await shop.credit(buyer)).balance).toBe(credited);
      expect((await shop.order(order.id)).amount_refunded).toBe(credited + refunded);
    }
    await shop.balanced();
  });
});

test('refuses store-credit offers for returns of marketplace orders', async () => {
  const buyer = await shop.buyer({ header: 'x-auth-token' });
  const store_id = shop.keys.store_id;
  const { operator_test_key: key } = await openOperator(shop.stoa, [store_id]);
  const checkout = await shop.stoa.send('POST', '/v1/cart/checkout', {
    key,
    body: {
      lines: [{ store_id, variant_id: shop.variant, quantity: 4 }],
      email: 'ada@example.com',
      shipping_address: KENYA,
    },
    headers: { 'X-Customer-Token': buyer.headers['x-auth-token']! },
  });
  expect(checkout.status, checkout.text).toBe(201);
  const { order_id: id } = checkout.body.checkout.orders[0];
  await shop.move(id, { payment_status: 'paid' });
  await shop.move(id, { order_status: 'delivered' });
  const given = answer(await buyer.send('POST', `/v1/orders/${id}/returns`, { reason_code: 'wrong_size' }), 201);
  const offer = { credit_offer: { amount: 20 } };
  expect(problem(await decide(given.id, offer))).toEqual([409, 'conflict', 'credit_offer']);
  expect(problem(await decide(given.id, { status: 'approved', ...offer }))).toEqual([409, 'conflict', 'credit_offer']);
  expect(answer<OrderReturn>(await buyer.send('GET', `/v1/returns/${given.id}`))).toEqual(given);
  await decided(given.id, { status: 'approved', credit_offer: null });
  await decided(given.id, { status: 'received' });
  expect(await decided(given.id, { status: 'refunded' })).toMatchObject({ refund_amount: 40, credit_offer: null });
  await shop.balanced();
});
