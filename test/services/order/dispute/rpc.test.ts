// Disputes over HTTP: who opens one, how it is resolved, what that pays, and many who try at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderDispute } from '#proto/gen/dispute.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import {
  answer,
  type Buyer,
  type DeliveredOrders,
  problem,
  startDeliveredOrders,
} from '#test/services/order/delivered_order.ts';
import { ok } from '#test/support/reply.ts';
import { SESSION_HEADERS } from '#test/support/session.ts';

let shop: DeliveredOrders;
let ada: Buyer;
beforeAll(async () => {
  shop = await startDeliveredOrders();
  ada = await shop.buyer();
});
afterAll(() => shop.close());

const NOWHERE = '00000000-0000-7000-8000-000000000000';
const open = (buyer: Buyer, order: Pick<StoreOrder, 'id'>, body: object = {}) =>
  buyer.send('POST', '/v1/disputes', {
    order_id: order.id,
    reason_code: 'item_not_received',
    description: 'The parcel never arrived.',
    ...body,
  });
const opened = async (buyer: Buyer, order: StoreOrder, body: object = {}): Promise<OrderDispute> =>
  answer(await open(buyer, order, body), 201);
const decide = (id: string, body: object) => shop.store('PATCH', `/v1/disputes/${id}`, body);
const decided = async (id: string, body: object): Promise<OrderDispute> => answer(await decide(id, body));
const cancel = (buyer: Buyer, id: string) => buyer.send('POST', `/v1/disputes/${id}/cancel`);
const underReview = async (buyer: Buyer, order: StoreOrder): Promise<string> => {
  const { id } = await opened(buyer, order);
  return (await decided(id, { status: 'under_review' })).id;
};

describe('opening a dispute', () => {
  test.each(SESSION_HEADERS)('accepts a session in the header %s', async (header) => {
    const buyer = await shop.buyer({ header });
    const order = await shop.delivered(buyer);
    const made = await opened(buyer, order, { evidence_urls: ['https://example.com/a.jpg'] });
    expect(made).toEqual({
      id: expect.any(String),
      order_id: order.id,
      customer_id: buyer.id,
      status: 'open',
      reason_code: 'item_not_received',
      description: 'The parcel never arrived.',
      evidence_urls: ['https://example.com/a.jpg'],
      resolution: null,
      amount: null,
      note: null,
      created_at: expect.any(String),
      resolved_at: null,
    });
    expect(answer<OrderDispute>(await buyer.send('GET', `/v1/disputes/${made.id}`))).toEqual(made);
    expect(answer<OrderDispute[]>(await buyer.send('GET', '/v1/disputes'))).toEqual([made]);
  });

  test('needs a paid order of the shopper’s own, once while it is undecided', async () => {
    const unpaid = await shop.place(ada);
    expect(problem(await open(ada, unpaid))).toEqual([409, 'conflict', 'order_id']);
    const order = await shop.delivered(ada);
    const { id } = await opened(ada, order);
    expect(problem(await open(ada, order))).toEqual([409, 'conflict', 'order_id']);
    const ben = await shop.buyer();
    expect(problem(await open(ben, order))).toEqual([404, 'not_found', 'order_id']);
    expect(problem(await open(ada, { id: NOWHERE }))).toEqual([404, 'not_found', 'order_id']);
    expect((await ben.send('GET', `/v1/disputes/${id}`)).status).toBe(404);
    expect((await cancel(ben, id)).status).toBe(404);
    expect((await shop.stoa.send('GET', `/v1/disputes/${id}`, { key: shop.other.secret_test_key })).status).toBe(404);
    expect((await shop.stoa.send('GET', `/v1/disputes/${id}`, { key: shop.keys.secret_key })).status).toBe(404);
    const operator = ok(
      await shop.stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
        name: 'Mall',
        stores: [shop.keys.store_id],
      }),
    );
    const marketplace = (query: string) =>
      shop.stoa.send('POST', `/v1/disputes/${id}/cancel${query}`, {
        key: operator.operator_test_key,
        headers: ada.headers,
      });
    expect(problem(await marketplace(''))).toEqual([400, 'invalid_request', 'store_id']);
    expect(answer<OrderDispute>(await marketplace(`?store_id=${shop.keys.store_id}`))).toMatchObject({
      id,
      status: 'cancelled',
    });
    await opened(ada, order);
    expect((await ben.send('GET', `/v1/disputes?customer_id=${ada.id}`)).status).toBe(403);
    const all = answer<OrderDispute[]>(await shop.store('GET', `/v1/disputes?order_id=${order.id}`));
    expect(all.map(({ status }) => status)).toEqual(['open', 'cancelled']);
  });

  test('keeps every bound', async () => {
    const order = await shop.delivered(ada);
    for (const [body, param] of [
      [{ order_id: 'x' }, 'order_id'],
      [{ reason_code: 'bored' }, 'reason_code'],
      [{ description: 'Too short' }, 'description'],
      [{ description: ' '.repeat(20) }, 'description'],
      [{ description: 'x'.repeat(5_001) }, 'description'],
      [{ evidence_urls: Array(11).fill('https://example.com') }, 'evidence_urls'],
      [{ evidence_urls: ['ftp://example.com'] }, 'evidence_urls[0]'],
    ] as const)
      expect(problem(await open(ada, order, body)), JSON.stringify(body)).toEqual([400, 'invalid_request', param]);
  });
});

describe('deciding a dispute', () => {
  test('refunds at once with the resolution refund', async () => {
    const order = await shop.delivered(ada);
    const id = await underReview(ada, order);
    expect(problem(await decide(id, { status: 'resolved', resolution: 'refund', amount: 40.01 }))).toEqual([
      409,
      'conflict',
      'amount',
    ]);
    const done = await decided(id, { status: 'resolved', resolution: 'refund', amount: 15, note: 'Sorry.' });
    expect(done).toMatchObject({ status: 'resolved', resolution: 'refund', amount: 15, note: 'Sorry.' });
    expect(done.resolved_at).not.toBeNull();
    expect(await decided(id, { status: 'resolved', resolution: 'refund', amount: 15 })).toEqual(done);
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: 15, payment_status: 'partially_refunded' });
    expect(problem(await cancel(ada, id))).toEqual([409, 'conflict', undefined]);
    await opened(ada, order);
    await shop.balanced();
  });

  test('refuses another decision about a resolved dispute, and names the field that differs', async () => {
    const order = await shop.delivered(ada);
    const id = await underReview(ada, order);
    const done = await decided(id, { status: 'resolved', resolution: 'refund', amount: 15 });
    for (const [other, param] of [
      [{ resolution: 'store_credit', amount: 15 }, 'resolution'],
      [{ resolution: 'none', note: 'Nothing after all.' }, 'resolution'],
      [{ resolution: 'refund', amount: 20 }, 'amount'],
    ] as const)
      expect(problem(await decide(id, { status: 'resolved', ...other })), JSON.stringify(other)).toEqual([
        409,
        'conflict',
        param,
      ]);
    expect(answer<OrderDispute>(await shop.store('GET', `/v1/disputes/${id}`))).toEqual(done);
    expect(await decided(id, { note: 'By phone.' })).toEqual({ ...done, note: 'By phone.' });
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: 15, refunds: [{ amount: 15 }] });
  });

  test('adds the amount to the shopper’s balance with the resolution store_credit', async () => {
    const buyer = await shop.buyer();
    const order = await shop.delivered(buyer);
    await decided(await underReview(buyer, order), { status: 'resolved', resolution: 'store_credit', amount: 12.5 });
    expect(await shop.credit(buyer)).toMatchObject({ balance: 12.5 });
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: 12.5, refunds: [{ amount: 12.5 }] });
  });

  test('refuses store credit for a deleted customer, and accepts a refund', async () => {
    const buyer = await shop.buyer();
    const order = await shop.delivered(buyer);
    const id = await underReview(buyer, order);
    expect((await shop.store('DELETE', `/v1/customers/${buyer.id}`)).status).toBe(200);
    const byCredit = { status: 'resolved', resolution: 'store_credit', amount: 12.5 };
    expect(problem(await decide(id, byCredit))).toEqual([409, 'conflict', 'resolution']);
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: 0, refunds: [] });
    const done = await decided(id, { ...byCredit, resolution: 'refund' });
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: 12.5 });
    // A repeated decision answers the stored one.
    expect(await decided(id, { ...byCredit, resolution: 'refund' })).toEqual(done);
  });

  test('pays nothing with the resolutions replacement and none, and refuses a later cancellation', async () => {
    const order = await shop.delivered(ada);
    await decided(await underReview(ada, order), { status: 'resolved', resolution: 'replacement' });
    const resolved = await decided(await underReview(ada, order), { status: 'resolved', resolution: 'none' });
    const rejected = await decided(await underReview(ada, order), { status: 'rejected' });
    for (const { id } of [resolved, rejected])
      expect(problem(await cancel(ada, id))).toEqual([409, 'conflict', undefined]);
    expect(rejected.resolved_at).not.toBeNull();
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: 0, refunds: [] });
  });

  test('refuses other transitions, and fields that the status does not take', async () => {
    const order = await shop.delivered(ada);
    const { id } = await opened(ada, order);
    for (const body of [{ status: 'resolved', resolution: 'none' }, { status: 'rejected' }])
      expect(problem(await decide(id, body))).toEqual([409, 'conflict', 'status']);
    for (const [body, param] of [
      [{ status: 'resolved' }, 'resolution'],
      [{ status: 'under_review', resolution: 'none' }, 'resolution'],
      [{ resolution: 'none' }, 'resolution'],
      [{ status: 'resolved', resolution: 'refund' }, 'amount'],
      [{ status: 'resolved', resolution: 'none', amount: 5 }, 'amount'],
      [{ status: 'resolved', resolution: 'refund', amount: 0 }, 'amount'],
      [{ status: 'resolved', resolution: 'refund', amount: 0.001 }, 'amount'],
      [{ status: 'open' }, 'status'],
    ] as const)
      expect(problem(await decide(id, body)), JSON.stringify(body)).toEqual([400, 'invalid_request', param]);
    await decided(id, { status: 'under_review' });
    expect(problem(await cancel(ada, id))).toEqual([409, 'conflict', undefined]);
    expect((await ada.send('PATCH', `/v1/disputes/${id}`, { status: 'rejected' })).status).toBe(403);
  });
});

describe('at once', () => {
  test('opens one of eight concurrent disputes of an order', async () => {
    const order = await shop.delivered(ada);
    const replies = await Promise.all(Array.from({ length: 8 }, () => open(ada, order)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('applies one of a review and two concurrent cancellations', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const order = await shop.delivered(ada);
      const { id } = await opened(ada, order);
      const replies = await Promise.all([cancel(ada, id), decide(id, { status: 'under_review' }), cancel(ada, id)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    }
  });

  test('pays once for six concurrent resolutions', async () => {
    const order = await shop.delivered(ada);
    const id = await underReview(ada, order);
    const body = { status: 'resolved', resolution: 'store_credit', amount: 40 };
    const before = (await shop.credit(ada)).balance;
    for (const { status } of await Promise.all(Array.from({ length: 6 }, () => decide(id, body))))
      expect(status).toBe(200);
    expect((await shop.credit(ada)).balance).toBe(before + 40);
    expect((await shop.order(order.id)).amount_refunded).toBe(40);
    await shop.balanced();
  });
});
