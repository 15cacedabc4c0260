// An order in a further currency over HTTP: from its cart to its payment, partial refunds and the books.
import { beforeAll, expect, test } from 'vitest';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let variant: string;
let unpriced: string;
const CART = { 'X-Session-Id': 'books-of-a-shopper' };

const merchant = async (method: string, path: string, body: unknown, key = keys.secret_test_key) => {
  const reply = await stoa.send(method, path, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
};
const signed = (path: string, body: unknown) =>
  stoa.send('POST', path, { key: keys.secret_test_key, signWith: keys.hmac_test_secret, body });
const cart = (method: string, path: string, body?: unknown) =>
  stoa.send(method, `/v1/cart${path}`, {
    key: keys.publishable_test_key,
    headers: CART,
    ...(body === undefined ? {} : { body }),
  });

beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ currency: 'USD' });
  const currencies = [
    { currency: 'EUR', prices: 'rate' },
    { currency: 'JPY', prices: 'fixed' },
  ];
  await merchant('PATCH', '/v1/store', { currencies }, keys.secret_key);
  await merchant('PUT', '/v1/exchange-rates/EUR', { rate: 0.92, rounding: { to: '0.99' } });
  await merchant('PUT', '/v1/exchange-rates/JPY', { rate: 151.37 });
  const shipping_info = { requires_shipping: false };
  variant = (await merchant('POST', '/v1/products', { name: 'Mug', price: 20, stock: 50, shipping_info })).variant_id;
  unpriced = (await merchant('POST', '/v1/products', { name: 'Lid', price: 5, stock: 50, shipping_info })).variant_id;
  await merchant('POST', '/v1/price-lists', {
    name: 'Yen',
    currency: 'JPY',
    prices: [{ variant_id: variant, price: 2980 }],
  });
  await merchant('POST', '/v1/tax-rates', { name: 'VAT', country: 'DE', rate: 0.19 });
});

test('sells a cart in its currency, pays and refunds it to the cent in both', async () => {
  await cart('POST', '/items', { variant_id: variant, quantity: 3 });
  const changed = await cart('PATCH', '', { currency: 'eur' });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body.cart).toMatchObject({ currency: 'EUR', subtotal: 53.97, warnings: [] });
  const { gift_card } = await merchant('POST', '/v1/gift-cards', { amount: 10 });
  const carded = await cart('POST', '/gift-cards', { code: gift_card.code });
  expect(carded.body.cart).toMatchObject({ gift_card_total: 9.2, amount_due: 44.77 });
  const placed = await signed('/v1/orders', {
    cart: true,
    session_id: CART['X-Session-Id'],
    email: 'ada@example.com',
    billing_address: { line1: '1', city: 'Berlin', country: 'DE' },
  });
  expect(placed.status, placed.text).toBe(201);
  const { order } = placed.body;
  expect(order).toMatchObject({
    currency: 'EUR',
    subtotal: 53.97,
    tax_total: 10.25,
    total_amount: 64.22,
    gift_card_total: 9.2,
    amount_due: 55.02,
  });
  expect(order.store_amounts).toMatchObject({ currency: 'USD', exchange_rate: 0.92, total_amount: 69.8 });
  const { subtotal, tax_total, total_amount } = order.store_amounts;
  expect(Math.round((subtotal + tax_total) * 100)).toBe(Math.round(total_amount * 100));
  await merchant('PUT', '/v1/exchange-rates/EUR', { rate: 0.5 });

  const started = await signed('/v1/payments/initialize', {
    provider: 'card_checkout',
    amount: order.amount_due,
    currency: 'EUR',
    email: 'ada@example.com',
    order_id: order.id,
  });
  expect(started.status, started.text).toBe(200);
  await merchant('POST', `/v1/sandbox/payments/${started.body.reference}`, { outcome: 'succeed' });
  await merchant('POST', '/v1/payments/verify', { provider: 'card_checkout', reference: started.body.reference });
  const read = async () => (await stoa.send('GET', `/v1/orders/${order.id}`, { key: keys.secret_test_key })).body.order;
  expect(await read()).toMatchObject({ payment_status: 'paid', amount_paid: 55.02 });
  for (const amount of [0.01, 20.01, 44.2])
    await merchant('POST', `/v1/orders/${order.id}/refunds`, { amount, reason: 'part' });
  expect(await read()).toMatchObject({
    payment_status: 'refunded',
    amount_refunded: 64.22,
    store_amounts: { amount_refunded: 69.8 },
  });
  const { gift_card: back } = (
    await stoa.send('GET', `/v1/gift-cards?code=${gift_card.code}`, { key: keys.secret_test_key })
  ).body;
  expect(back.balance).toBe(10);
  const balance = await stoa.services.runtime.ask('LedgerAdmin/GetTrialBalance', NO_TENANT, {
    store_id: keys.store_id,
  } as never);
  if (balance instanceof Refusal) throw new Error(balance.message);
  expect(JSON.stringify(balance)).not.toMatch(/"balanced":false/);
});

test('sells fixed prices, and refuses a variant without one', async () => {
  const order = (items: unknown) => signed('/v1/orders', { items, currency: 'JPY', email: 'ada@example.com' });
  const placed = await order([{ variant_id: variant, quantity: 2 }]);
  expect(placed.status, placed.text).toBe(201);
  expect(placed.body.order).toMatchObject({ currency: 'JPY', total_amount: 5960 });
  const refused = await order([{ variant_id: unpriced, quantity: 1 }]);
  expect(refused.status).toBe(400);
  expect(refused.body.error.param).toBe('items[0].variant_id');
});

test('stops selling once the rate is too old', async () => {
  await merchant('PUT', '/v1/exchange-rates/EUR', { rate: 0.92, max_age_hours: 1 });
  await merchant('POST', '/v1/sandbox/time-travel', { advance_seconds: 3_601 });
  const refused = await signed('/v1/orders', {
    items: [{ variant_id: variant, quantity: 1 }],
    currency: 'EUR',
    email: 'a@example.com',
  });
  expect(refused.status, refused.text).toBe(409);
  expect(refused.body.error.code).toBe('currency_not_available');
});
