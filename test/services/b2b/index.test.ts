// Tests paying and voiding invoices over HTTP: effects on order and ledger, and concurrent requests.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import {
  ANY_ID,
  about,
  asStore,
  balanced,
  clock,
  closeShop,
  confirm,
  DAY_MS,
  errorOf,
  invoice,
  issue,
  keys,
  made,
  newBuyer,
  newVariant,
  openShop,
  orderOf,
  pay,
  publishedEvents,
  signed,
  stoa,
} from '#test/services/b2b/shop.ts';
import { eventually } from '#test/support/server.ts';
import type { Shopper } from '#test/support/session.ts';

let ada: Shopper;
let shoe: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  shoe = await newVariant({ stock: 100_000 });
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
});
afterAll(async () => {
  // Every ledger posting balances.
  expect(await balanced()).toBe(true);
  await closeShop();
});
beforeEach(() => clock.advance(1_000));

const moment = () => clock.now({ store: keys.store_id, environment: 'sandbox' });
const hundred = () => [{ variant_id: shoe, quantity: 100, unit_price: 7.5 }];
const move = (id: string, verb: string, body?: unknown, headers = {}) =>
  asStore()('POST', `/v1/b2b/invoices/${id}/${verb}`, body, headers);
const read = async ({ id }: Pick<Invoice, 'id'>): Promise<Invoice> =>
  (await made(asStore()('GET', `/v1/b2b/invoices/${id}`))).data;
const agreed = (terms = 'net_30', items: readonly unknown[] = hundred()): Promise<PurchaseOrder> =>
  issue(ada, items, { quote: { payment_terms: terms } });
const confirmed = async (terms?: string, items?: readonly unknown[]): Promise<PurchaseOrder> =>
  confirm(await agreed(terms, items));
const reread = async ({ id }: PurchaseOrder): Promise<PurchaseOrder> =>
  (await made(asStore()('GET', `/v1/b2b/purchase-orders/${id}`))).data;

describe('paying an invoice', () => {
  test('pays the whole order when it bills everything', async () => {
    const order = await confirmed();
    const sent = await invoice(order);
    clock.advance(DAY_MS);
    const { status, body } = await move(sent.id, 'pay', { amount: 870, reference: 'MT103 4711' });
    expect([status, body.data]).toEqual([
      200,
      { ...sent, status: 'paid', amount_due: 0, paid_at: moment().toISOString(), reference: 'MT103 4711' },
    ]);
    expect(await read(sent)).toEqual(body.data);
    expect(await orderOf(order)).toMatchObject({
      payment_status: 'paid',
      order_status: 'confirmed',
      amount_paid: 870,
      amount_due: 0,
    });
    const [published] = await publishedEvents(1, about('b2b.invoice.paid', sent.id));
    expect([published!.data.object, published!.previous_attributes]).toEqual([
      body.data,
      { status: 'issued', amount_due: 870, paid_at: null, reference: null },
    ]);
    await publishedEvents(1, about('order.paid', order.order_id!));
  });

  test('pays the order in parts, invoice by invoice', async () => {
    const order = await confirmed();
    const [item] = order.items;
    const one = await invoice(order, [{ item_id: item!.id, quantity: 40 }]);
    const two = await invoice(order);
    await pay(two);
    expect(await orderOf(order)).toMatchObject({ payment_status: 'pending', amount_paid: 522, amount_due: 348 });
    await publishedEvents(0, about('order.paid', order.order_id!));
    await pay(one);
    expect(await orderOf(order)).toMatchObject({ payment_status: 'paid', amount_paid: 870, amount_due: 0 });
    await publishedEvents(1, about('order.paid', order.order_id!));
    // A payment can be refunded like any other order's.
    await made(asStore()('POST', `/v1/orders/${order.order_id}/refunds`, { amount: 500, reason: 'Worn.' }));
    expect(await orderOf(order)).toMatchObject({ payment_status: 'partially_refunded', amount_refunded: 500 });
    expect(errorOf(await asStore()('POST', `/v1/orders/${order.order_id}/refunds`, { amount: 370.01 }))).toEqual([
      409,
      'conflict',
      'amount',
    ]);
  });

  test('refuses another amount and names the amount due', async () => {
    const sent = await invoice(await confirmed());
    for (const amount of [869.99, 870.01, 0, 87_000]) {
      const reply = await move(sent.id, 'pay', { amount });
      expect(errorOf(reply)).toEqual([400, 'amount_mismatch', 'amount']);
      expect(reply.body.error.details).toContain('870.00');
    }
    for (const amount of [-1, '870', null, undefined])
      expect(errorOf(await move(sent.id, 'pay', { amount }))).toEqual([400, 'invalid_request', 'amount']);
    expect(errorOf(await move(sent.id, 'pay', { amount: 870, reference: 'x'.repeat(2_001) }))).toEqual([
      400,
      'invalid_request',
      'reference',
    ]);
    expect(await read(sent)).toEqual(sent);
  });

  test('succeeds once under concurrent requests and posts once to the ledger', async () => {
    const order = await confirmed();
    const sent = await invoice(order);
    const replies = await Promise.all(Array.from({ length: 8 }, () => move(sent.id, 'pay', { amount: 870 })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect(await orderOf(order)).toMatchObject({ payment_status: 'paid', amount_paid: 870 });
    await publishedEvents(1, about('b2b.invoice.paid', sent.id));
    await publishedEvents(1, about('order.paid', order.order_id!));
    const { sql } = stoa.services.runtime.postgres;
    const postings = await sql`select 1 from ledger.posting where order_id = ${order.order_id}`;
    expect(postings).toHaveLength(1);
    const another = await invoice(await confirmed());
    const key = { 'Idempotency-Key': 'pay-once' };
    const [first, again] = [
      await move(another.id, 'pay', { amount: 870 }, key),
      await move(another.id, 'pay', { amount: 870 }, key),
    ];
    expect([first.status, again.status, again.body.data, again.body.idempotent]).toEqual([
      200,
      200,
      first.body.data,
      true,
    ]);
  });

  test('accepts a payment of 0 for an invoice of 0', async () => {
    const sent = await invoice(await confirmed('net_7', [{ variant_id: shoe, quantity: 1, unit_price: 0 }]));
    expect(sent.amount_due).toBe(0);
    expect((await move(sent.id, 'pay', { amount: 0 })).status).toBe(200);
  });

  test('balances the ledger when the order is cancelled concurrently', async () => {
    for (let count = 0; count < 6; count++) {
      const order = await confirmed();
      const sent = await invoice(order);
      const [paid, cancelled] = await Promise.all([
        move(sent.id, 'pay', { amount: 870 }),
        signed('PATCH', `/v1/orders/${order.order_id}`, { order_status: 'cancelled' }),
      ]);
      expect(cancelled.status).toBe(200);
      expect((await read(sent)).status).toBe(paid.status === 200 ? 'paid' : 'void');
      await eventually(async () => expect((await orderOf(order)).amount_paid).toBe(paid.status === 200 ? 870 : 0));
      expect((await reread(order)).status).toBe('cancelled');
      if (paid.status !== 200) expect(errorOf(paid)).toEqual([409, 'conflict', undefined]);
    }
    expect(await balanced()).toBe(true);
  });
});

describe('voiding an invoice', () => {
  test('frees its units for another invoice', async () => {
    const order = await confirmed('net_7');
    const sent = await invoice(order);
    const { status, body } = await move(sent.id, 'void', {});
    expect([status, body.data]).toEqual([200, { ...sent, status: 'void', amount_due: 0 }]);
    expect(errorOf(await move(sent.id, 'void'))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await move(sent.id, 'pay', { amount: 0 }))).toEqual([409, 'conflict', undefined]);
    const next = await invoice(order);
    expect(next.total).toBe(870);
    clock.advance(8 * DAY_MS);
    expect((await read(next)).status).toBe('overdue');
    expect((await made(move(next.id, 'void'))).data.status).toBe('void');
    const paid = await invoice(order);
    await pay(paid);
    expect(errorOf(await move(paid.id, 'void'))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await move(ANY_ID, 'void'))).toEqual([404, 'not_found', undefined]);
    expect(errorOf(await move(ANY_ID, 'pay', { amount: 1 }))).toEqual([404, 'not_found', undefined]);
  });

  test('happens to open invoices when the order is cancelled', async () => {
    const order = await confirmed();
    const [item] = order.items;
    const paid = await invoice(order, [{ item_id: item!.id, quantity: 1 }]);
    const open = await invoice(order);
    await pay(paid);
    await made(signed('PATCH', `/v1/orders/${order.order_id}`, { order_status: 'cancelled' }));
    expect([(await read(paid)).status, (await read(open)).status]).toEqual(['paid', 'void']);
    expect((await reread(order)).status).toBe('cancelled');
    expect(await orderOf(order)).toMatchObject({ order_status: 'cancelled', amount_paid: 8.7, amount_due: 0 });
  });

  test('keeps one of a concurrent void and payment', async () => {
    for (let count = 0; count < 6; count++) {
      const order = await confirmed();
      const sent = await invoice(order);
      const [paid, ended] = await Promise.all([move(sent.id, 'pay', { amount: 870 }), move(sent.id, 'void')]);
      expect([paid.status, ended.status].sort()).toEqual([200, 409]);
      expect((await read(sent)).status).toBe(paid.status === 200 ? 'paid' : 'void');
      expect((await orderOf(order)).payment_status).toBe(paid.status === 200 ? 'paid' : 'pending');
    }
  });
});
