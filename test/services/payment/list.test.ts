// The list of payments: paged and filtered, and what comes to stand in it for a person to look at.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registry } from '#runtime/process/metric.ts';
import { eventually } from '#test/support/server.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';
import { type Merchant, startMerchant } from './provider/merchant.ts';
import type { Report } from './provider/stand_in.ts';
import { openPayShop, type PayShop } from './shop.ts';

const PRICE = 13.305;

let shop: PayShop;
let merchant: Merchant;
let keys: Keys;
let variant: string;
beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  shop = await openPayShop();
  merchant = await startMerchant(() => shop.clock.real());
  keys = await shop.stoa.createStore({ currency: 'KWD' });
  const product = { name: 'Lamp', price: PRICE, stock: 1_000, shipping_info: { requires_shipping: false } };
  variant = (await sent('POST', '/v1/products', product)).body.variant_id;
  expect((await sent('POST', '/v1/payments/providers', merchant.connection)).status).toBe(201);
});
afterAll(async () => {
  await shop.close();
  await merchant.standIn.stop();
});

const sent = (method: string, path: string, body?: unknown): Promise<Reply> =>
  shop.send(method, path, {
    key: keys.secret_test_key,
    signWith: keys.hmac_test_secret,
    ...(body === undefined ? {} : { body }),
  });
const begun = async (): Promise<{ order: string; reference: string; session: string }> => {
  const { body } = await sent('POST', '/v1/orders', {
    items: [{ variant_id: variant, quantity: 1 }],
    email: 'ada@example.com',
  });
  const reply = await sent('POST', '/v1/payments/initialize', {
    provider: merchant.name,
    amount: PRICE,
    currency: 'KWD',
    order_id: body.order.id,
  });
  expect(reply.status, reply.text).toBe(200);
  return { order: body.order.id, reference: reply.body.reference, session: reply.body.session_id };
};
const orderOf = async (id: string) => (await sent('GET', `/v1/orders/${id}`)).body.order;
const verify = (reference: string): Promise<Reply> =>
  sent('POST', '/v1/payments/verify', { provider: merchant.name, reference });
const report = ({ headers, body }: Report): Promise<Reply> =>
  shop.stoa.send('POST', `/v1/payments/callbacks/${merchant.name}/${keys.store_id}/sandbox`, { headers, body });
const listed = async (query: string): Promise<string[]> =>
  (await sent('GET', `/v1/payments?${query}`)).body.payments.map(({ reference }: { reference: string }) => reference);

describe.each([
  ['an amount as text', (text: string) => text.replace(/"amount":([\d.]+)/, '"amount":"$1"')],
  ['no amount', (text: string) => text.replace(/"amount":[\d.]+,/, '')],
  ['an amount of null', (text: string) => text.replace(/"amount":[\d.]+/, '"amount":null')],
  ['a part of the smallest unit', (text: string) => text.replace(/"amount":[\d.]+/, '"amount":0.00001')],
  ['an amount that only rounds to what is due', (text: string) => text.replace(/13.305/, '13.30500000000000000001')],
  ['a hundredth', (text: string) => text.replace(/"amount":[\d.]+/, '"amount":0.01')],
  ['no currency', (text: string) => text.replace(',"currency":"KWD"', '')],
  ['another currency', (text: string) => text.replace('KWD', 'BHD')],
  ['a currency that there is not', (text: string) => text.replace('KWD', 'dinar')],
])('a success that says %s', (what, twist: (standing: string) => string) => {
  // The stand-in's answers pass through doubles: a numeral that none keeps comes in a report alone.
  test.each(what.includes('only rounds') ? ['a report'] : ['a report', 'an answer'])(
    'in %s pays nothing, and waits for a person',
    async (way) => {
      const { order, reference, session } = await begun();
      merchant.pay(session);
      try {
        merchant.twist = twist;
        if (way === 'a report') expect((await report(merchant.report(session))).status).toBe(200);
        else expect((await verify(reference)).body).toMatchObject({ status: 'pending', needs_review: true });
        expect(await orderOf(order)).toMatchObject({ payment_status: 'pending', amount_paid: 0, amount_due: PRICE });
        expect(await listed(`needs_review=true&order_id=${order}`)).toEqual([reference]);
        expect(await listed(`needs_review=false&order_id=${order}`)).toEqual([]);
      } finally {
        merchant.twist = (text) => text;
      }
      // What adds up after all counts.
      expect((await verify(reference)).body).toMatchObject({ status: 'succeeded', needs_review: false });
      expect((await orderOf(order)).payment_status).toBe('paid');
      expect(await listed(`needs_review=true&order_id=${order}`)).toEqual([]);
    },
  );
});

test('is counted, and how long the oldest open payment waits is told', async () => {
  const { session } = await begun();
  merchant.pay(session, 0.01);
  await report(merchant.report(session));
  await eventually(async () => {
    const { values } = await registry.getSingleMetric('stoa_payments_needs_review')!.get();
    expect(values).toEqual([expect.objectContaining({ value: 1 })]);
    const age = await registry.getSingleMetric('stoa_payments_pending_age_seconds')!.get();
    expect(age.values[0]!.value).toBeGreaterThan(0);
  });
});

test('the list of payments is paged, newest first, and filtered', async () => {
  const references: string[] = [];
  for (let count = 0; count < 3; count++) {
    references.unshift((await begun()).reference);
    shop.clock.advance(1_000);
  }
  const { body: first } = await sent('GET', '/v1/payments?status=pending&needs_review=false&limit=2');
  expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
  const cursor = encodeURIComponent(first.pagination.next_cursor);
  const { body: second } = await sent('GET', `/v1/payments?status=pending&needs_review=false&limit=2&cursor=${cursor}`);
  const all = [...first.payments, ...second.payments].map(({ reference }: { reference: string }) => reference);
  expect(all).toEqual(references);
  expect((await sent('GET', '/v1/payments?status=lost')).status).toBe(400);
  expect((await sent('GET', `/v1/payments?limit=3&cursor=${cursor}`)).status).toBe(400);
});
