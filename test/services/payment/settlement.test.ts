// Payments of orders with the simulator: each confirms its order once, in the exact amount, and is refunded to its
// source.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { TrialBalanceLine } from '#proto/gen/value.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';

let shop: PaymentSystem;
let variant: string;
beforeAll(async () => {
  shop = await startPaymentSystem();
  const made = await write('POST', '/v1/products', {
    name: 'Gift wrap',
    price: 13.3,
    stock: 1_000,
    shipping_info: { requires_shipping: false },
  });
  variant = made.body.variant_id;
});
afterAll(() => shop.close());

const write = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  shop.send(method, path, {
    key: shop.keys.secret_test_key,
    signWith: shop.keys.hmac_test_secret,
    ...(body === undefined ? {} : { body }),
    headers,
  });

/** Places an order of two units, 26.60 in total. */
const placed = async (more: Record<string, unknown> = {}): Promise<StoreOrder> => {
  const reply = await write('POST', '/v1/orders', {
    items: [{ variant_id: variant, quantity: 2 }],
    email: 'ada@example.com',
    ...more,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.order;
};
const orderOf = async (id: string): Promise<StoreOrder> => (await write('GET', `/v1/orders/${id}`)).body.order;
const payment = (order: StoreOrder, more: Record<string, unknown> = {}) => ({
  provider: 'card_checkout',
  amount: order.amount_due,
  email: 'ada@example.com',
  order_id: order.id,
  ...more,
});
const startPayment = async (order: StoreOrder): Promise<string> => {
  const reply = await write('POST', '/v1/payments/initialize', payment(order));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.reference;
};
const decide = (reference: string, outcome: string): Promise<Reply> =>
  write('POST', `/v1/sandbox/payments/${reference}`, { outcome });
const verify = (reference: string): Promise<Reply> =>
  write('POST', '/v1/payments/verify', { provider: 'card_checkout', reference });
const paid = async (more: Record<string, unknown> = {}): Promise<{ order: StoreOrder; reference: string }> => {
  const order = await placed(more);
  const reference = await startPayment(order);
  expect((await decide(reference, 'succeed')).status).toBe(200);
  return { order: await orderOf(order.id), reference };
};
const eventTypesOf = async (order: StoreOrder, types: readonly string[]) =>
  (await shop.recordedEvents(shop.keys.store_id, 'sandbox', types))
    .filter(({ object }) => object.id === order.id || object.order_id === order.id)
    .map(({ type }) => type);

/** Checks that the sandbox's ledger is balanced, and returns its lines. */
const balanced = async (): Promise<readonly TrialBalanceLine[]> => {
  const { balanced, lines } = (await shop.stoa.services.runtime.ask(
    'LedgerAdmin/GetTrialBalance',
    { store: '', environment: 'production' },
    { store: shop.keys.store_id },
  )) as { balanced: boolean; lines: TrialBalanceLine[] };
  expect(balanced).toBe(true);
  return lines;
};
const held = async (kind: string, subject: string): Promise<number> => {
  const { sql } = shop.stoa.services.runtime.postgres;
  const [row] = await sql`
    select coalesce(sum(balance), 0)::bigint as balance from ledger.account
    where store = ${shop.keys.store_id} and kind = ${kind} and subject = ${subject}`;
  return Number(row!.balance);
};

const paymentId = async (reference: string): Promise<string> => {
  const { body } = await write('GET', '/v1/payments?limit=100');
  return body.payments.find((each: { reference: string }) => each.reference === reference).id;
};

describe('paying an order', () => {
  test('confirms it once, and the ledger is balanced', async () => {
    const order = await placed();
    expect([order.order_status, order.payment_status, order.amount_due]).toEqual(['pending', 'pending', 26.6]);
    const reference = await startPayment(order);
    expect((await verify(reference)).body).toMatchObject({ status: 'pending', order_id: order.id });
    expect((await decide(reference, 'succeed')).body).toMatchObject({ status: 'succeeded', amount: 26.6 });
    const after = await orderOf(order.id);
    expect(after).toMatchObject({
      order_status: 'confirmed',
      payment_status: 'paid',
      amount_paid: 26.6,
      amount_due: 0,
    });
    await Promise.all(Array.from({ length: 4 }, () => decide(reference, 'succeed')));
    await Promise.all(Array.from({ length: 4 }, () => verify(reference)));
    expect(await orderOf(order.id)).toEqual(after);
    expect(await eventTypesOf(order, ['order.paid', 'payment.succeeded', 'order.updated'])).toEqual([
      'payment.succeeded',
      'order.paid',
    ]);
    expect(await held('order', order.id)).toBe(2_660);
    await balanced();
  });

  test.each([
    ['minor units', 2660],
    ['a cent less', 26.59],
    ['a cent more', 26.61],
  ])('answers amount_mismatch with the amount due for %s', async (_name, amount) => {
    const order = await placed();
    const reply = await write('POST', '/v1/payments/initialize', payment(order, { amount }));
    expect(errorOf(reply)).toEqual([400, 'amount_mismatch', 'amount']);
    expect(reply.body.error.details).toContain('26.60 USD');
  });

  test('refuses another currency, and mobile money in a dollar store', async () => {
    const order = await placed();
    const euros = await write('POST', '/v1/payments/initialize', payment(order, { currency: 'EUR' }));
    expect(errorOf(euros)).toEqual([400, 'invalid_request', 'currency']);
    const phone = { provider: 'mobile_money', phone: '254700000000' };
    const shillings = await write('POST', '/v1/payments/initialize', payment(order, { ...phone, amount: 27 }));
    expect(errorOf(shillings)).toEqual([400, 'invalid_request', 'provider']);
  });

  test('requires the amount that gift cards leave', async () => {
    const { gift_card } = (await write('POST', '/v1/gift-cards', { amount: 20 })).body;
    const order = await placed({ gift_card_codes: [gift_card.code] });
    expect(order.amount_due).toBe(6.6);
    const whole = await write('POST', '/v1/payments/initialize', payment(order, { amount: 26.6 }));
    expect(whole.body.error.code).toBe('amount_mismatch');
    const reference = await startPayment(order);
    await decide(reference, 'succeed');
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_paid: 6.6, gift_card_total: 20 });
    await balanced();
  });

  test('spends a gift card once for eight concurrent orders', async () => {
    const { gift_card } = (await write('POST', '/v1/gift-cards', { amount: 26.6 })).body;
    const body = {
      items: [{ variant_id: variant, quantity: 2 }],
      email: 'ada@example.com',
      gift_card_codes: [gift_card.code],
    };
    /** Repeats the request under one key while another transaction locks the card. */
    const insist = async (): Promise<Reply> => {
      const key = { 'Idempotency-Key': randomUUID() };
      return eventually(async () => {
        const reply = await write('POST', '/v1/orders', body, key);
        expect(reply.headers.has('retry-after'), reply.text).toBe(false);
        return reply;
      });
    };
    const replies = await Promise.all(Array.from({ length: 8 }, insist));
    const placed = replies.filter(({ status }) => status === 201).map(({ body: { order } }) => order);
    const spent = placed.filter(({ gift_card_total }) => gift_card_total > 0);
    expect(spent.map(({ gift_card_total, payment_status }) => [gift_card_total, payment_status])).toEqual([
      [26.6, 'paid'],
    ]);
    for (const { status, body: answer } of replies)
      if (status !== 201) expect([status, answer.error.code]).toEqual([400, 'gift_card_not_applicable']);
    const left = await write('GET', `/v1/gift-cards?code=${gift_card.code}`);
    expect(left.body.gift_card).toMatchObject({ balance: 0, status: 'redeemed' });
    await balanced();
  });

  test('can be repeated after a failure', async () => {
    const order = await placed();
    const first = await startPayment(order);
    await decide(first, 'fail');
    expect((await orderOf(order.id)).payment_status).toBe('failed');
    const second = await startPayment(order);
    expect((await orderOf(order.id)).payment_status).toBe('pending');
    await decide(second, 'succeed');
    expect((await orderOf(order.id)).payment_status).toBe('paid');
    expect(await eventTypesOf(order, ['payment.failed', 'payment.succeeded', 'order.paid'])).toEqual([
      'payment.failed',
      'payment.succeeded',
      'order.paid',
    ]);
  });

  test('expires the first of two payments of one order', async () => {
    const order = await placed();
    const first = await startPayment(order);
    const second = await startPayment(order);
    expect((await verify(first)).body.status).toBe('expired');
    expect(errorOf(await decide(first, 'succeed'))).toEqual([409, 'conflict', 'outcome']);
    expect((await decide(second, 'succeed')).status).toBe(200);
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_paid: 26.6 });
  });

  test('leaves one of twelve concurrent payments of one order, and counts one success', async () => {
    const order = await placed();
    const references = await Promise.all(Array.from({ length: 12 }, () => startPayment(order)));
    const statuses = await Promise.all(references.map(async (each) => (await verify(each)).body.status));
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 11 }, () => 'expired'), 'pending']);
    const outcomes = await Promise.all(references.map(async (each) => (await decide(each, 'succeed')).status));
    expect(outcomes.toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_paid: 26.6, amount_refunded: 0 });
    await balanced();
  });

  test('refunds a success after a payment taken elsewhere, in either order', async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => placed()));
    for (const [at, order] of orders.entries()) {
      const reference = await startPayment(order);
      const note = () => write('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
      if (at < 2) {
        expect((await note()).status).toBe(200);
        expect((await decide(reference, 'succeed')).status).toBe(200);
        await eventually(async () => expect((await verify(reference)).body.status).toBe('refunded'));
        expect(await eventTypesOf(order, ['payment.succeeded', 'payment.refunded'])).toEqual([
          'payment.succeeded',
          'payment.refunded',
        ]);
        expect(await held('deposit', await paymentId(reference))).toBe(0);
      } else await Promise.all([note(), decide(reference, 'succeed')]);
      await eventually(async () =>
        expect(await orderOf(order.id)).toMatchObject({
          payment_status: 'paid',
          amount_paid: 26.6,
          amount_refunded: 0,
          amount_due: 0,
        }),
      );
      expect(await held('order', order.id)).toBe(2_660);
    }
    await balanced();
  });

  test('answers succeeded only after its order is updated', async () => {
    const { postgres } = shop.stoa.services.runtime;
    const order = await placed();
    const reference = await startPayment(order);
    const replies = await postgres.transaction(async ({ sql }) => {
      await sql`select from orders.order where store = ${shop.keys.store_id} and id = ${order.id} for update`;
      const first = decide(reference, 'succeed');
      await eventually(async () =>
        expect(await postgres.sql`select status from payment.payment where reference = ${reference}`).toEqual([
          { status: 'succeeded' },
        ]),
      );
      // The payment is settled, and its order is not yet updated.
      const second = verify(reference);
      const bothWait = eventually(async () =>
        expect(
          await postgres.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ).toHaveLength(2),
      );
      await Promise.race([
        bothWait,
        second.then(async () => expect((await orderOf(order.id)).payment_status).toBe('paid')),
      ]);
      return { first, second };
    });
    expect((await replies.first).status).toBe(200);
    expect((await replies.second).body.status).toBe('succeeded');
    expect((await orderOf(order.id)).payment_status).toBe('paid');
  });

  test('refuses an order that is paid or cancelled', async () => {
    const { order } = await paid();
    const again = await write('POST', '/v1/payments/initialize', payment(order, { amount: 26.6 }));
    expect(again.status).toBe(400);
    const other = await placed();
    expect((await write('PATCH', `/v1/orders/${other.id}`, { order_status: 'cancelled' })).status).toBe(200);
    expect(errorOf(await write('POST', '/v1/payments/initialize', payment(other)))).toEqual([
      409,
      'conflict',
      'order_id',
    ]);
  });
});

describe('a refund', () => {
  const refund = (order: StoreOrder, body: unknown, headers: Record<string, string> = {}) =>
    write('POST', `/v1/orders/${order.id}/refunds`, body, headers);

  test('returns to its source, and updates the order and the payment', async () => {
    const { order, reference } = await paid();
    const key = { 'Idempotency-Key': randomUUID() };
    const made = await refund(order, { amount: 10, reason: 'Torn' }, key);
    expect(made.status, made.text).toBe(201);
    expect((await refund(order, { amount: 10, reason: 'Torn' }, key)).body.refund.id).toBe(made.body.refund.id);
    await eventually(async () => {
      expect(await orderOf(order.id)).toMatchObject({
        payment_status: 'partially_refunded',
        amount_refunded: 10,
        refunds: [{ id: made.body.refund.id, amount: 10, reason: 'Torn', status: 'succeeded' }],
      });
    });
    expect((await verify(reference)).body.status).toBe('succeeded');
    expect((await refund(order, { amount: 16.6 })).status).toBe(201);
    await eventually(async () => expect((await verify(reference)).body.status).toBe('refunded'));
    await eventually(async () => {
      const { payment_status, refunds } = await orderOf(order.id);
      expect([payment_status, refunds.map(({ status }) => status)]).toEqual(['refunded', ['succeeded', 'succeeded']]);
    });
    expect((await refund(order, { amount: 0.01 })).status).toBe(409);
    expect(await eventTypesOf(order, ['order.refunded', 'payment.refunded'])).toEqual([
      'order.refunded',
      'payment.refunded',
      'order.refunded',
      'payment.refunded',
    ]);
    expect(await held('order', order.id)).toBe(0);
    await balanced();
  });

  test('uses payments first, then gift cards', async () => {
    const { gift_card } = (await write('POST', '/v1/gift-cards', { amount: 20 })).body;
    const { order } = await paid({ gift_card_codes: [gift_card.code] });
    expect((await refund(order, { amount: 10 })).status).toBe(201);
    await eventually(async () =>
      expect((await orderOf(order.id)).refunds).toMatchObject([{ amount: 10, status: 'succeeded' }]),
    );
    const card = await write('GET', `/v1/gift-cards?code=${gift_card.code}`);
    expect(card.body.gift_card).toMatchObject({ balance: 3.4, status: 'active' });
    expect(await eventTypesOf(order, ['payment.refunded'])).toEqual(['payment.refunded']);
    await balanced();
  });

  test('never exceeds the amount paid when five run at once', async () => {
    const { order } = await paid();
    const replies = await Promise.all(Array.from({ length: 5 }, () => refund(order, { amount: 10 })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    await eventually(async () => expect(await orderOf(order.id)).toMatchObject({ amount_refunded: 20 }));
    expect(await held('order', order.id)).toBe(660);
    await balanced();
  });
});
