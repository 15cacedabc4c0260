// Captures and voids of authorised payments by the simulator: in whole, in part, by expiry, and once for many callers.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { PAYMENT_WINDOW_MS } from '#services/order/unpaid.ts';
import { openMarketplace } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';
import { heldBy, openTill, PRICE, type Till } from './till.ts';

const CALLERS = 20;
const DAY_S = 86_400;

let shop: PaymentSystem;
beforeAll(async () => {
  shop = await startPaymentSystem();
});
afterAll(() => shop.close());

describe('the simulator', () => {
  let till: Till;
  beforeAll(async () => {
    till = await openTill(shop);
  });
  const capture = (reference: string, body: object = {}, headers = {}): Promise<Reply> =>
    till.write('POST', `/v1/payments/${reference}/capture`, body, headers);
  const release = (reference: string): Promise<Reply> => till.write('POST', `/v1/payments/${reference}/void`, {});
  const cancel = ({ id }: StoreOrder): Promise<Reply> =>
    till.write('PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' });

  test('reserves the amount, moves no money, and pays the order once captured', async () => {
    const { order, reference } = await till.authorized();
    await eventually(async () =>
      expect(await till.orderOf(order)).toMatchObject({
        order_status: 'pending',
        payment_status: 'authorized',
        amount_paid: 0,
        amount_due: PRICE,
      }),
    );
    expect(await heldBy(shop, till, order)).toBe(0);
    const authorized = await till.paymentOf(order);
    expect(authorized).toMatchObject({
      status: 'authorized',
      capture: 'manual',
      amount_authorized: PRICE,
      paid_at: null,
    });
    expect(Date.parse(String(authorized.capture_before)) - Date.parse(String(authorized.authorized_at))).toBe(
      7 * DAY_S * 1_000,
    );
    const key = randomUUID();
    const captured = await capture(reference, {}, { 'Idempotency-Key': key });
    expect(captured.body, captured.text).toMatchObject({ success: true, status: 'succeeded', amount: PRICE });
    expect(captured.body).toMatchObject({ capture_before: null, in_progress: null });
    expect((await capture(reference, {}, { 'Idempotency-Key': key })).body).toMatchObject(captured.body);
    expect(errorOf(await capture(reference))).toEqual([409, 'conflict', 'reference']);
    await eventually(async () =>
      expect(await till.orderOf(order)).toMatchObject({
        order_status: 'confirmed',
        payment_status: 'paid',
        amount_paid: PRICE,
        amount_released: 0,
        amount_due: 0,
      }),
    );
    expect(await heldBy(shop, till, order)).toBe(2_660);
    expect(await till.eventTypesOf(order)).toEqual([
      'payment.authorized',
      'payment.captured',
      'payment.succeeded',
      'order.paid',
    ]);
  });

  test('captures a part, releases the rest, and refunds no more than the part', async () => {
    const { order, reference } = await till.authorized();
    for (const amount of [PRICE + 0.01, 1_000_000])
      expect(errorOf(await capture(reference, { amount }))).toEqual([400, 'invalid_request', 'amount']);
    const captured = await capture(reference, { amount: 20 });
    expect(captured.body).toMatchObject({ status: 'succeeded', amount: 20, amount_authorized: PRICE });
    await eventually(async () =>
      expect(await till.orderOf(order)).toMatchObject({
        payment_status: 'paid',
        total_amount: PRICE,
        amount_paid: 20,
        amount_released: 6.6,
        amount_due: 0,
      }),
    );
    expect(await heldBy(shop, till, order)).toBe(2_000);
    const refund = (amount: number): Promise<Reply> => till.write('POST', `/v1/orders/${order.id}/refunds`, { amount });
    expect(errorOf(await refund(20.01))).toEqual([409, 'conflict', 'amount']);
    expect((await refund(20)).status).toBe(201);
    await eventually(async () =>
      expect(await till.paymentOf(order)).toMatchObject({ status: 'refunded', amount: 20, amount_refunded: 20 }),
    );
    expect(await till.orderOf(order)).toMatchObject({ payment_status: 'refunded', amount_due: 0 });
    expect(await heldBy(shop, till, order)).toBe(0);
  });

  test('counts the captured part alone in the report of sales', async () => {
    const own = await openTill(shop);
    const { reference } = await own.authorized();
    const part = await own.write('POST', `/v1/payments/${reference}/capture`, { amount: 20 });
    expect(part.status, part.text).toBe(200);
    const day = new Date(shop.clock.real()).toISOString().slice(0, 10);
    await eventually(async () => {
      const { body, text } = await own.write('GET', `/v1/reports/sales?from=${day}&to=${day}&interval=day`);
      expect(body?.sales.total, text).toMatchObject({ total: PRICE, refunds: 6.6, net: 20 });
    });
  });

  test('voids, and the order is paid by another payment', async () => {
    const { order, reference } = await till.authorized();
    expect(errorOf(await till.initialize(order))).toEqual([409, 'conflict', 'order_id']);
    const voided = await release(reference);
    expect(voided.body, voided.text).toMatchObject({ success: false, status: 'voided', capture_before: null });
    await eventually(async () => expect((await till.orderOf(order)).payment_status).toBe('voided'));
    expect(errorOf(await capture(reference))).toEqual([409, 'conflict', 'reference']);
    const again = await eventually(async () => {
      const reply = await till.initialize(order, { capture: 'automatic' });
      expect(reply.status, reply.text).toBe(200);
      return reply.body.reference;
    });
    await till.write('POST', `/v1/sandbox/payments/${again}`, { outcome: 'succeed' });
    await eventually(async () => expect((await till.orderOf(order)).payment_status).toBe('paid'));
    expect(await heldBy(shop, till, order)).toBe(2_660);
  });

  test('refuses a refund before the capture', async () => {
    const { gift_card } = (await till.write('POST', '/v1/gift-cards', { amount: 5 })).body;
    const order = await till.placed({ gift_card_codes: [gift_card.code] });
    const { reference } = (await till.initialize(order)).body;
    await till.write('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
    const reply = await till.write('POST', `/v1/orders/${order.id}/refunds`, { amount: 5 });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'payment_not_captured']);
    expect((await capture(reference)).status).toBe(200);
    expect(await heldBy(shop, till, order)).toBe(2_660);
  });

  test('voids the authorisation of a cancelled order, and captures no more of it', async () => {
    const { order, reference } = await till.authorized();
    expect((await cancel(order)).status).toBe(200);
    const refused = await capture(reference);
    expect(errorOf(refused)).toEqual([409, 'conflict', 'reference']);
    await eventually(async () => expect(await till.paymentOf(order)).toMatchObject({ status: 'voided' }));
    expect(await till.orderOf(order)).toMatchObject({
      order_status: 'cancelled',
      payment_status: 'voided',
      amount_paid: 0,
    });
    expect(await till.eventTypesOf(order)).toEqual(['payment.authorized', 'order.cancelled', 'payment.voided']);
  });

  test('voids the authorisation of an order that was paid elsewhere', async () => {
    const { order, reference } = await till.authorized();
    const paid = await till.write('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
    expect(paid.status, paid.text).toBe(200);
    expect(errorOf(await capture(reference))).toEqual([409, 'conflict', 'reference']);
    await eventually(async () => expect(await till.paymentOf(order)).toMatchObject({ status: 'voided' }));
    expect(await heldBy(shop, till, order)).toBe(2_660);
  });

  test('lapses after seven days of the sandbox, and frees the pieces of an order that must be paid', async () => {
    const own = await openTill(shop);
    const { order, reference } = await own.authorized();
    const { sql } = shop.stoa.services.runtime.postgres;
    await sql`
      insert into orders.unpaid (store, environment, order_id, due_at)
      values (${own.keys.store_id}, 'sandbox', ${order.id}, ${new Date(shop.clock.real() + PAYMENT_WINDOW_MS)})`;
    const travel = (advance_seconds: number): Promise<Reply> =>
      own.write('POST', '/v1/sandbox/time-travel', { advance_seconds });
    expect((await travel(6 * DAY_S)).status).toBe(200);
    expect(await own.orderOf(order)).toMatchObject({ order_status: 'pending', payment_status: 'authorized' });
    expect((await travel(DAY_S + 7_200)).status).toBe(200);
    await eventually(async () => {
      expect(await own.paymentOf(order)).toMatchObject({ status: 'voided' });
      expect(await own.orderOf(order)).toMatchObject({ order_status: 'cancelled', payment_status: 'voided' });
    });
    expect(errorOf(await own.write('POST', `/v1/payments/${reference}/capture`, {}))).toEqual([
      409,
      'conflict',
      'reference',
    ]);
    expect(await own.eventTypesOf(order)).toEqual(['payment.authorized', 'payment.voided', 'order.cancelled']);
  });

  test('captures once, voids once, or cancels, whichever of many callers is first', async () => {
    for (let round = 0; round < 3; round++) {
      const { order, reference } = await till.authorized();
      const callers = [() => capture(reference, { amount: 20 }), () => release(reference), () => cancel(order)];
      const replies = await Promise.all(Array.from({ length: CALLERS }, (_, at) => callers[(at + round) % 3]!()));
      for (const { status, text } of replies) expect([200, 409, 429], text).toContain(status);
      await eventually(async () => {
        const payment = await till.paymentOf(order);
        expect(['succeeded', 'voided', 'refunded']).toContain(payment.status);
        expect(payment.needs_review).toBe(false);
      });
      const types = await till.eventTypesOf(order);
      const captures = types.filter((type) => type === 'payment.captured').length;
      const voids = types.filter((type) => type === 'payment.voided').length;
      expect(captures + voids).toBe(1);
      const { status } = await till.paymentOf(order);
      expect(await heldBy(shop, till, order)).toBe(status === 'succeeded' ? 2_000 : 0);
    }
  });

  test.each(['bank_africa', 'mobile_money'])('refuses manual capture for %s', async (provider) => {
    const currency = provider === 'bank_africa' ? { currency: 'USD' } : { currency: 'KES' };
    const keys = await shop.stoa.createStore(currency);
    const reply = await shop.send('POST', '/v1/payments/initialize', {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      body: { provider, amount: 20, email: 'a@b.example', phone: '254700000000', capture: 'manual', ...currency },
    });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', 'capture']);
  });

  test('refuses manual capture of a checkout over several merchants', async () => {
    const market = await openMarketplace(shop.stoa, { merchants: 2 });
    const { group_id } = (await market.checkout()).body.checkout;
    const input = { provider: 'card_checkout', capture: 'manual' };
    const reply = await market.send('POST', `/v1/cart/checkout/${group_id}/pay`, input);
    expect(errorOf(reply)).toEqual([400, 'invalid_request', 'capture']);
  });

  test('refuses the capture and the void of an unknown payment', async () => {
    for (const path of ['capture', 'void'])
      expect(errorOf(await till.write('POST', `/v1/payments/pay_unknown/${path}`, {}))).toEqual([
        404,
        'not_found',
        'reference',
      ]);
  });
});
