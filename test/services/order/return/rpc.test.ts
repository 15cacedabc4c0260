// Returns over HTTP: who may request one, how the store decides, and which amounts it refunds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { OrderReturn, ReturnReason } from '#proto/gen/order_return.ts';
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

const DAY_MS = 86_400_000;
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ask = (buyer: Buyer, order: StoreOrder, body: object = {}) =>
  buyer.send('POST', `/v1/orders/${order.id}/returns`, { reason_code: 'wrong_size', ...body });
const asked = async (buyer: Buyer, order: StoreOrder, body: object = {}): Promise<OrderReturn> =>
  answer(await ask(buyer, order, body), 201);
const pieces = (order: StoreOrder, quantity: number) => [{ order_item_id: order.items[0]!.id, quantity }];
const decide = (id: string, body: object) => shop.store('PATCH', `/v1/returns/${id}`, body);
const decided = async (id: string, body: object): Promise<OrderReturn> => answer(await decide(id, body));
/** Approved and received. */
const received = async (buyer: Buyer, order: StoreOrder, body: object = {}, more: object = {}) => {
  const { id } = await asked(buyer, order, body);
  await decided(id, { status: 'approved' });
  return decided(id, { status: 'received', ...more });
};

describe('asking for a return', () => {
  test('takes every line in full and requests a full refund by default', async () => {
    const order = await shop.delivered(ada);
    const made = await asked(ada, order, { contact_phone: '+44 20 7946 0018' });
    expect(made).toEqual({
      id: expect.any(String),
      order_id: order.id,
      customer_id: ada.id,
      status: 'requested',
      reason_code: 'wrong_size',
      reason_detail: null,
      contact_phone: '+44 20 7946 0018',
      resolution: 'full_refund',
      items: pieces(order, 4),
      refund_amount: null,
      currency: 'USD',
      credit_offer: null,
      exchange_order_id: null,
      note: null,
      created_at: expect.any(String),
      updated_at: made.created_at,
    });
    expect(answer(await ada.send('GET', `/v1/returns/${made.id}`))).toEqual(made);
    expect(answer<OrderReturn[]>(await ada.send('GET', `/v1/returns?order_id=${order.id}`))).toEqual([made]);
  });

  test.each(SESSION_HEADERS)(
    'accepts a session in the header %s, and exactly one of the three headers',
    async (header) => {
      const buyer = await shop.buyer({ header });
      const order = await shop.delivered(buyer);
      const made = await asked(buyer, order);
      expect(made.customer_id).toBe(buyer.id);
      const two = { 'x-auth-token': 'a', 'x-external-auth': 'b', 'x-idp-token': 'c' };
      const both = await ada.send('POST', `/v1/returns/${made.id}/cancel`, undefined, two);
      expect(both.status).toBe(400);
      expect(problem(await shop.store('POST', `/v1/returns/${made.id}/cancel`))[0]).toBe(401);
      expect(answer(await buyer.send('POST', `/v1/returns/${made.id}/cancel`)).status).toBe('cancelled');
    },
  );

  test('"Allowed only while the order is inside the store’s return window."', async () => {
    const placed = await shop.place(ada);
    expect(problem(await ask(ada, placed))).toEqual([409, 'conflict', undefined]);
    await shop.move(placed.id, { order_status: 'shipped' });
    expect((await ask(ada, placed, { items: pieces(placed, 1) })).status).toBe(201);
    const order = await shop.delivered(ada);
    expect((await shop.order(order.id)).return_window_ends_at).not.toBeNull();
    shop.clock.advance(30 * DAY_MS);
    expect((await ask(ada, order, { items: pieces(order, 1) })).status).toBe(201);
    shop.clock.advance(1);
    expect(problem(await ask(ada, order, { items: pieces(order, 1) }))).toEqual([409, 'conflict', undefined]);
    ada = await shop.buyer();
  });

  test('needs a detail "when reason_code is `other`", and keeps every bound', async () => {
    const order = await shop.delivered(ada);
    for (const [body, param] of [
      [{ reason_code: 'other' }, 'reason_detail'],
      [{ reason_code: 'other', reason_detail: '  ' }, 'reason_detail'],
      [{ reason_detail: 'x'.repeat(1_001) }, 'reason_detail'],
      [{ reason_code: 'bored' }, 'reason_code'],
      [{ reason_code: undefined }, 'reason_code'],
      [{ resolution: 'money' }, 'resolution'],
      [{ contact_phone: '1'.repeat(51) }, 'contact_phone'],
      [{ items: [] }, 'items'],
      [{ items: [{ quantity: 1 }] }, 'items[0].order_item_id'],
      [{ items: [{ order_item_id: order.items[0]!.id, quantity: 0 }] }, 'items[0].quantity'],
      [{ items: [...pieces(order, 1), ...pieces(order, 1)] }, 'items[1].order_item_id'],
    ] as const)
      expect(problem(await ask(ada, order, body)), JSON.stringify(body)).toEqual([400, 'invalid_request', param]);
    const unknown = { items: [{ order_item_id: NOWHERE, quantity: 1 }] };
    expect(problem(await ask(ada, order, unknown))).toEqual([404, 'not_found', 'items[0].order_item_id']);
  });

  test('accepts each offered reason and each resolution', async () => {
    const reasons = answer<ReturnReason[]>(await ada.send('GET', '/v1/returns/reasons'));
    expect(reasons.map(({ code, detail_required }) => [code, detail_required])).toEqual([
      ...[
        'damaged',
        'defective',
        'wrong_item',
        'not_as_described',
        'wrong_size',
        'no_longer_needed',
        'arrived_late',
      ].map((code) => [code, false]),
      ['other', true],
    ]);
    const resolutions = ['full_refund', 'partial_refund', 'exchange', 'store_credit'];
    const order = await shop.delivered(ada);
    for (const [at, { code }] of reasons.entries()) {
      const named = { reason_code: code, reason_detail: 'As said.', resolution: resolutions[at % resolutions.length] };
      const made = await asked(ada, order, { ...named, items: pieces(order, 1) });
      expect(made).toMatchObject(named);
      answer(await ada.send('POST', `/v1/returns/${made.id}/cancel`));
    }
  });

  test('refuses units that another return or a refund has taken', async () => {
    const order = await shop.delivered(ada);
    await asked(ada, order, { items: pieces(order, 1) });
    expect(problem(await ask(ada, order))).toEqual([409, 'conflict', 'items']);
    expect(problem(await ask(ada, order, { items: pieces(order, 4) }))).toEqual([409, 'conflict', 'items[0].quantity']);
    const rejected = await asked(ada, order, { items: pieces(order, 3) });
    await decided(rejected.id, { status: 'rejected' });
    const cancelled = await asked(ada, order, { items: pieces(order, 3) });
    answer(await ada.send('POST', `/v1/returns/${cancelled.id}/cancel`));
    const byHand = (quantity: number) =>
      shop.store('POST', `/v1/orders/${order.id}/refunds`, { items: pieces(order, quantity) });
    expect(problem(await byHand(4))).toEqual([409, 'conflict', 'items[0].quantity']);
    expect((await byHand(2)).status).toBe(201);
    expect(problem(await ask(ada, order, { items: pieces(order, 2) }))).toEqual([409, 'conflict', 'items[0].quantity']);
    await asked(ada, order, { items: pieces(order, 1) });
  });

  test('answers 404 for orders of another shopper, store or environment', async () => {
    const order = await shop.delivered(ada);
    const { id } = await asked(ada, order);
    const ben = await shop.buyer();
    const outsider = shop.stoa.send('GET', `/v1/returns/${id}`, { key: shop.other.secret_test_key });
    const live = shop.stoa.send('GET', `/v1/returns/${id}`, { key: shop.keys.secret_key });
    for (const reply of [
      await ask(ben, order),
      await ben.send('GET', `/v1/returns/${id}`),
      await ben.send('POST', `/v1/returns/${id}/cancel`),
      await ben.send('POST', `/v1/returns/${id}/accept-credit`),
      await outsider,
      await live,
      await ada.send('GET', `/v1/returns/${NOWHERE}`),
    ])
      expect(reply.status, reply.text).toBe(404);
    expect(answer<OrderReturn[]>(await ben.send('GET', '/v1/returns'))).toEqual([]);
    expect((await ben.send('GET', `/v1/returns?customer_id=${ada.id}`)).status).toBe(403);
    const all = answer<OrderReturn[]>(await shop.store('GET', `/v1/returns?customer_id=${ada.id}&status=requested`));
    expect(all.map((each) => each.id)).toContain(id);
  });

  test('pages newest first', async () => {
    const buyer = await shop.buyer();
    const order = await shop.delivered(buyer, 5);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await asked(buyer, order, { items: pieces(order, 1) })).id);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await buyer.send('GET', `/v1/returns?limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...answer<OrderReturn[]>(page).map(({ id }) => id));
      cursor = page.body.pagination.next_cursor;
      if (!page.body.pagination.has_more) break;
    }
    expect(found).toEqual(ids);
  });
});

describe('deciding a return', () => {
  test('updates units, refunds, stock and mails from requested to refunded', async () => {
    const before = await shop.available();
    const order = await shop.delivered(ada);
    const { id } = await asked(ada, order, { items: pieces(order, 3) });
    expect((await decided(id, { status: 'approved', note: 'Send it back, please.' })).note).toBe(
      'Send it back, please.',
    );
    expect(await shop.order(order.id)).toMatchObject({ items: [{ quantity_returned: 0 }] });
    await decided(id, { status: 'received', restock: true });
    expect(await shop.order(order.id)).toMatchObject({ items: [{ quantity_returned: 3 }], amount_refunded: 0 });
    expect(await shop.available()).toBe(before - 1);
    expect(await decided(id, { status: 'refunded' })).toMatchObject({ status: 'refunded', refund_amount: 30 });
    expect(await shop.order(order.id)).toMatchObject({
      payment_status: 'partially_refunded',
      amount_refunded: 30,
      refunds: [{ amount: 30 }],
    });
    expect(await decided(id, { status: 'refunded' })).toMatchObject({ refund_amount: 30 });
    expect((await shop.order(order.id)).amount_refunded).toBe(30);
    const mails = await shop.store('GET', `/v1/sandbox/messages?email=${order.email}`);
    const kinds: string[] = mails.body.messages.map(({ kind }: { kind: string }) => kind);
    const ofReturn = ['return_arrived', 'return_decided', 'return_received'];
    expect(kinds.filter((kind) => kind.startsWith('return_')).sort()).toEqual(ofReturn);
    await shop.balanced();
  });

  test('refuses every other transition', async () => {
    const order = await shop.delivered(ada, 5);
    const inState = async (...way: string[]) => {
      const { id } = await asked(ada, order, { items: pieces(order, 1) });
      for (const status of way) await decided(id, { status });
      return id;
    };
    const refused = async (id: string, ...wrong: string[]) => {
      for (const status of wrong)
        expect(problem(await decide(id, { status })), status).toEqual([409, 'conflict', 'status']);
    };
    const requested = await inState();
    await refused(requested, 'received', 'refunded', 'credited', 'cancelled');
    expect(await decided(requested, { status: 'requested' })).toMatchObject({ status: 'requested' });
    await refused(await inState('rejected'), 'approved', 'received', 'refunded');
    await refused(await inState('approved'), 'rejected', 'refunded');
    await refused(await inState('approved', 'received'), 'approved', 'rejected');
    await refused(await inState('approved', 'received', 'refunded'), 'approved', 'rejected', 'received');
    const approved = await inState('approved');
    expect(problem(await ada.send('POST', `/v1/returns/${approved}/cancel`))).toEqual([409, 'conflict', undefined]);
  });

  test('refuses fields that the status does not take', async () => {
    const order = await shop.delivered(ada);
    const { id } = await asked(ada, order);
    for (const [body, param] of [
      [{ refund_amount: 5 }, 'refund_amount'],
      [{ status: 'approved', refund_amount: 5 }, 'refund_amount'],
      [{ restock: true }, 'restock'],
      [{ status: 'approved', restock: false }, 'restock'],
      [{ status: 'open' }, 'status'],
      [{ credit_offer: { amount: 0 } }, 'credit_offer.amount'],
      [{ credit_offer: {} }, 'credit_offer.amount'],
      [{ credit_offer: { amount: 0.001 } }, 'credit_offer.amount'],
      // The body is validated before the state of the return.
      [{ status: 'refunded', refund_amount: 0.001 }, 'refund_amount'],
      [{ note: 'x'.repeat(2_001) }, 'note'],
    ] as const)
      expect(problem(await decide(id, body)), JSON.stringify(body)).toEqual([400, 'invalid_request', param]);
    expect(problem(await decide(id, { exchange_order_id: NOWHERE }))).toEqual([404, 'not_found', 'exchange_order_id']);
    expect((await ada.send('PATCH', `/v1/returns/${id}`, { status: 'approved' })).status).toBe(403);
  });

  test('accepts a refund_amount of 0 with an exchange order', async () => {
    const order = await shop.delivered(ada);
    const { id } = await received(ada, order, { resolution: 'exchange', items: pieces(order, 1) });
    expect(problem(await decide(id, { status: 'refunded', refund_amount: 0 }))).toEqual([
      400,
      'invalid_request',
      'refund_amount',
    ]);
    const instead = await shop.place(ada, 1);
    expect(await decided(id, { status: 'refunded', refund_amount: 0, exchange_order_id: instead.id })).toMatchObject({
      status: 'refunded',
      refund_amount: 0,
      exchange_order_id: instead.id,
    });
    expect(await shop.order(order.id)).toMatchObject({ payment_status: 'paid', amount_refunded: 0, refunds: [] });
  });

  test('ends without a refund when the order was fully refunded meanwhile', async () => {
    const order = await shop.delivered(ada);
    const { id } = await received(ada, order);
    const by = (amount: number) => shop.store('POST', `/v1/orders/${order.id}/refunds`, { amount, reason: 'By hand' });
    expect((await by(order.total_amount - 1)).status).toBe(201);
    const none = { status: 'refunded', refund_amount: 0 };
    expect(problem(await decide(id, none))).toEqual([400, 'invalid_request', 'refund_amount']);
    expect((await by(1)).status).toBe(201);
    expect(problem(await decide(id, { status: 'refunded' }))).toEqual([409, 'conflict', 'refund_amount']);
    expect(await decided(id, none)).toMatchObject({ status: 'refunded', refund_amount: 0, exchange_order_id: null });
    expect((await shop.order(order.id)).refunds).toHaveLength(2);
  });

  test('refuses more than the remaining amount, and any refund of an unpaid order', async () => {
    const order = await shop.delivered(ada);
    const { id } = await received(ada, order);
    expect(problem(await decide(id, { status: 'refunded', refund_amount: 40.01 }))).toEqual([
      409,
      'conflict',
      'refund_amount',
    ]);
    expect((await shop.store('POST', `/v1/orders/${order.id}/refunds`, { amount: 15 })).status).toBe(201);
    expect(problem(await decide(id, { status: 'refunded' }))).toEqual([409, 'conflict', 'refund_amount']);
    expect(await decided(id, { status: 'refunded', refund_amount: 25 })).toMatchObject({ refund_amount: 25 });
    const unpaid = await shop.place(ada, 1);
    await shop.move(unpaid.id, { order_status: 'shipped' });
    const other = await received(ada, unpaid);
    expect(problem(await decide(other.id, { status: 'refunded' }))).toEqual([409, 'conflict', 'status']);
  });
});

describe('store credit instead', () => {
  test('"store credit issued to the customer’s balance, spendable at checkout"', async () => {
    const buyer = await shop.buyer();
    const order = await shop.delivered(buyer);
    const { id } = await asked(buyer, order);
    expect(problem(await buyer.send('POST', `/v1/returns/${id}/accept-credit`))).toEqual([409, 'conflict', undefined]);
    expect((await decided(id, { credit_offer: { amount: 35 } })).credit_offer).toEqual({
      status: 'pending',
      amount: 35,
    });
    const operator = ok(
      await shop.stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
        name: 'Mall',
        stores: [shop.keys.store_id],
      }),
    );
    const marketplace = (query: string) =>
      shop.stoa.send('POST', `/v1/returns/${id}/accept-credit${query}`, {
        key: operator.operator_test_key,
        headers: buyer.headers,
      });
    expect(problem(await marketplace(''))).toEqual([400, 'invalid_request', 'store_id']);
    expect(problem(await marketplace(`?store_id=${shop.keys.store_id}`))).toEqual([409, 'conflict', undefined]);
    expect(problem(await buyer.send('POST', '/v1/returns/first/accept-credit'))).toEqual([
      400,
      'invalid_request',
      'id',
    ]);
    const { data } = (await buyer.send('POST', `/v1/returns/${id}/accept-credit`)).body;
    expect(data).toEqual({ store_credit_id: expect.stringMatching(UUID), amount: 35 });
    expect(answer(await buyer.send('GET', `/v1/returns/${id}`))).toMatchObject({
      status: 'credited',
      credit_offer: { status: 'accepted', amount: 35 },
    });
    expect(await shop.credit(buyer)).toMatchObject({ balance: 35, entries: [{ amount: 35, order_id: order.id }] });
    expect(await shop.order(order.id)).toMatchObject({
      payment_status: 'partially_refunded',
      amount_refunded: 35,
      refunds: [{ amount: 35, status: 'succeeded' }],
      items: [{ quantity_returned: 0 }],
    });
    const next = await shop.place(buyer, 4, { store_credit: 35 });
    expect(next).toMatchObject({ store_credit_total: 35, amount_due: 5 });
    expect(problem(await buyer.send('POST', `/v1/returns/${id}/accept-credit`))).toEqual([409, 'conflict', undefined]);
    expect(problem(await decide(id, { credit_offer: { amount: 1 } }))).toEqual([409, 'conflict', 'credit_offer']);
    expect((await decided(id, { credit_offer: null })).credit_offer).toMatchObject({ status: 'accepted' });
    await shop.balanced();
  });

  test('refuses an offer to a deleted customer', async () => {
    const buyer = await shop.buyer();
    const { id } = await asked(buyer, await shop.delivered(buyer));
    await decided(id, { credit_offer: { amount: 5 } });
    expect((await shop.store('DELETE', `/v1/customers/${buyer.id}`)).status).toBe(200);
    for (const body of [{ credit_offer: { amount: 6 } }, { status: 'approved', credit_offer: { amount: 6 } }])
      expect(problem(await decide(id, body))).toEqual([409, 'conflict', 'credit_offer']);
    expect(await decided(id, { credit_offer: null })).toMatchObject({
      status: 'requested',
      credit_offer: { status: 'withdrawn', amount: 5 },
    });
    expect((await decided(id, { status: 'approved' })).status).toBe('approved');
  });

  test('reserves its amount while it is pending, and no longer', async () => {
    const order = await shop.delivered(ada);
    const [one, two] = [
      await asked(ada, order, { items: pieces(order, 2) }),
      await asked(ada, order, { items: pieces(order, 2) }),
    ];
    await decided(one.id, { credit_offer: { amount: 30 } });
    expect(problem(await decide(two.id, { credit_offer: { amount: 10.01 } }))).toEqual([
      409,
      'conflict',
      'credit_offer.amount',
    ]);
    const byHand = (amount: number) => shop.store('POST', `/v1/orders/${order.id}/refunds`, { amount });
    expect(problem(await byHand(10.01))).toEqual([409, 'conflict', 'amount']);
    await decided(one.id, { credit_offer: { amount: 20 } });
    await decided(two.id, { credit_offer: { amount: 20 } });
    expect((await decided(two.id, { credit_offer: null })).credit_offer).toEqual({ status: 'withdrawn', amount: 20 });
    expect((await decided(one.id, { status: 'rejected' })).credit_offer).toMatchObject({ status: 'withdrawn' });
    expect((await byHand(40)).status).toBe(201);
    expect((await shop.order(order.id)).payment_status).toBe('refunded');
  });
});
