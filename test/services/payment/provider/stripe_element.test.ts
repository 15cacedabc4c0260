// Payments on the shop's own page, at a stand-in of Stripe: begun once, declined, tried again, settled by reports and by
// asking, captured later, replaced and ended.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf, type PaymentSystem, startPaymentSystem } from '#test/services/payment/payment_system.ts';
import { openTill, PRICE, type Till } from '#test/services/payment/till.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';
import type { Provider } from './stand_in.ts';
import { startStripe } from './stripe.ts';

const PUBLISHABLE_KEY = 'pk_test_stand_in';
const ELEMENT = { presentation: 'element', capture: 'automatic' };
const CALLERS = 10;
const ROUNDS = 5;
const DAY_MS = 86_400_000;

let shop: PaymentSystem;
let stripe: Provider;
let till: Till;
beforeAll(async () => {
  stripe = await startStripe(() => shop.clock.real());
  process.env[stripe.variable] = stripe.standIn.url;
  shop = await startPaymentSystem();
  till = await openTill(shop, stripe);
  const credentials = { ...(stripe.connection.credentials as object), publishable_key: PUBLISHABLE_KEY };
  const connected = await till.write('POST', '/v1/payments/providers', { ...stripe.connection, credentials });
  expect(connected.status, connected.text).toBe(201);
  expect(connected.text).not.toContain(PUBLISHABLE_KEY);
});
afterAll(async () => {
  await shop.close();
  await stripe.standIn.stop();
});

const begin = async (more: object = {}) => {
  const order = await till.placed();
  const { status, body, text } = await till.initialize(order, { ...ELEMENT, ...more });
  expect(status, text).toBe(200);
  const { reference, session_id: session } = body;
  return { order, reference, session, body };
};
const report = (session: string): Promise<Reply> => {
  const { headers, body } = stripe.report(session);
  const path = `/v1/payments/callbacks/card_checkout/${till.keys.store_id}/sandbox`;
  return shop.stoa.send('POST', path, { body, headers });
};
const verified = async (reference: string): Promise<string> =>
  (await till.write('POST', '/v1/payments/verify', { provider: 'card_checkout', reference })).body.status;
const isPaid = (order: { readonly id: string }) =>
  eventually(async () => expect(await till.orderOf(order)).toMatchObject({ payment_status: 'paid', amount_due: 0 }));

test('answers what the page mounts the card fields with, and shows the offer among the methods', async () => {
  const { body, session } = await begin();
  expect(body).toMatchObject({
    ...{ type: 'element', checkout_url: null },
    element: { provider: 'stripe', publishable_key: PUBLISHABLE_KEY, script_url: null },
  });
  expect(session).toMatch(/^pi_/);
  expect(body.element.client_secret).toMatch(new RegExp(`^${session}_secret_`));
  const { methods } = (await till.write('GET', '/v1/payments/methods')).body;
  const offers = methods.map(({ provider, element }: Record<string, string>) => [provider, element]);
  expect(Object.fromEntries(offers)).toMatchObject({ card_checkout: 'stripe', wallet: null, bank_africa: null });
});

test('stays open for another card after a declined one, and settles by the report', async () => {
  const { order, reference, session } = await begin();
  stripe.decline(session);
  expect((await report(session)).status).toBe(200);
  expect(await verified(reference)).toBe('pending');
  stripe.pay(session);
  expect((await report(session)).status).toBe(200);
  await isPaid(order);
  const { text } = await till.write('GET', `/v1/payments?order_id=${order.id}`);
  expect(text).not.toContain('_secret_');
  expect((await till.write('POST', `/v1/orders/${order.id}/refunds`, { amount: PRICE })).status).toBe(201);
  await eventually(async () => expect(await till.paymentOf(order)).toMatchObject({ status: 'refunded' }));
});

test('settles by asking where no report comes', async () => {
  const { order, reference, session } = await begin();
  stripe.pay(session);
  expect(await verified(reference)).toBe('succeeded');
  await isPaid(order);
});

test('authorises first and captures later', async () => {
  const { order, reference, session } = await begin({ capture: 'manual' });
  stripe.pay(session);
  expect((await report(session)).status).toBe(200);
  await eventually(async () => expect(await verified(reference)).toBe('authorized'));
  const captured = await till.write('POST', `/v1/payments/${reference}/capture`, {});
  expect(captured.body, captured.text).toMatchObject({ status: 'succeeded', amount: PRICE });
  await isPaid(order);
});

test('begins one intent for each key of many callers at once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const order = await till.placed();
    const before = stripe.startedCount;
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { provider: 'card_checkout', amount: PRICE, email: 'ada@example.com', order_id: order.id, ...ELEMENT };
    const replies = await Promise.all(
      Array.from({ length: CALLERS }, () => till.write('POST', '/v1/payments/initialize', body, key)),
    );
    expect(stripe.startedCount).toBe(before + 1);
    const answered = replies.filter(({ status }) => status === 200);
    expect(new Set(answered.map(({ body }) => body.session_id)).size).toBe(1);
    for (const { status } of replies) expect([200, 409]).toContain(status);
  }
});

test('begins one intent for many callers with one key, and for a retry after a lost answer', async () => {
  const order = await till.placed();
  const before = stripe.startedCount;
  const key = { 'Idempotency-Key': randomUUID() };
  const body = { provider: 'card_checkout', amount: PRICE, email: 'ada@example.com', order_id: order.id };
  const ask = () => till.write('POST', '/v1/payments/initialize', { ...body, ...ELEMENT }, key);
  stripe.standIn.mood = 'lost';
  expect((await ask()).status).toBe(503);
  stripe.standIn.mood = 'well';
  await Promise.all(Array.from({ length: CALLERS }, ask));
  const { body: started, text } = await eventually(async () => {
    const reply = await ask();
    expect(reply.status, reply.text).toBe(200);
    return reply;
  });
  expect(stripe.startedCount, text).toBe(before + 1);
  expect(started.element.client_secret).toBe(`${started.session_id}_secret_stand_in`);
});

test('ends at Stripe with the next payment of the order, and once its time is over', async () => {
  const { order, reference } = await begin();
  const next = await till.initialize(order, ELEMENT);
  expect(next.status, next.text).toBe(200);
  await eventually(async () => expect(await verified(reference)).toBe('expired'));
  shop.clock.advance(DAY_MS + 1);
  expect(await verified(next.body.reference)).toBe('expired');
  expect((await till.orderOf(order)).payment_status).not.toBe('paid');
});

test('refuses providers without card fields with the field’s path, and stores nothing', async () => {
  const order = await till.placed();
  const bare = await openTill(shop, stripe);
  const bareOrder = await bare.placed();
  const refusals = [
    await till.initialize(order, { ...ELEMENT, provider: 'wallet' }),
    await till.initialize(order, { ...ELEMENT, provider: 'bank_africa', currency: 'USD' }),
    await bare.initialize(bareOrder, ELEMENT),
  ];
  for (const refusal of refusals) expect(errorOf(refusal)).toEqual([400, 'invalid_request', 'presentation']);
  expect(refusals[2]!.body.error.message).toContain('credentials.publishable_key');
  expect(errorOf(await till.initialize(order, { presentation: 'popup' }))[2]).toBe('presentation');
  expect((await till.write('GET', `/v1/payments?order_id=${order.id}`)).body.payments).toEqual([]);
  expect((await bare.write('GET', `/v1/payments?order_id=${bareOrder.id}`)).body.payments).toEqual([]);
  const { methods } = (await bare.write('GET', '/v1/payments/methods')).body;
  expect(methods.find(({ provider }: { provider: string }) => provider === 'card_checkout').element).toBeNull();
});

test('refuses a publishable key of the other environment', async () => {
  const credentials = { ...(stripe.connection.credentials as object), publishable_key: 'pk_live_stand_in' };
  const refused = await till.write('POST', '/v1/payments/providers', { ...stripe.connection, credentials });
  expect(errorOf(refused)).toEqual([400, 'invalid_request', 'credentials.publishable_key']);
});
