// A shopper from the door to the confirmed order: registers, searches, fills a cart, asks what delivery costs, holds an
// offer, orders it, and pays at the simulator's page, in a real browser where there is one. The same total all the way.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
/** The store's own site. */
let site: Server;
let home: string;
const visits: string[] = [];

beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ country: 'KE' });
  site = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Shop</title>');
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  home = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
});

const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};
const merchant = (method: string, path: string, body?: unknown): Promise<Reply['body']> =>
  done(
    stoa.send(method, path, {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      ...(body === undefined ? {} : { body }),
    }),
  );
const storefront = (method: string, path: string, body?: unknown, headers = {}): Promise<Reply['body']> =>
  done(stoa.send(method, path, { key: keys.publishable_test_key, headers, ...(body === undefined ? {} : { body }) }));

/** Approves like a shopper on the page; without a browser, like the page's form. */
const approve = async (url: string): Promise<void> => {
  const program = chromiumProgram();
  if (!program) {
    console.warn('No Chromium is installed (Debian: apt-get install chromium): the form is sent without one.');
    const body = new URLSearchParams({ outcome: 'succeed' });
    await fetch(url, { method: 'POST', body });
    return;
  }
  const browser = await openBrowser(program);
  try {
    await browser.page.open(url);
    expect(await browser.page.read('document.querySelector(".amount").textContent')).toContain('USD');
    await browser.page.read(`void setTimeout(() => document.querySelector('button[value="succeed"]').click(), 1)`);
    await eventually(async () => expect(await browser.page.read('location.href')).toBe(`${home}/thanks`));
    expect(visits).toContain('/thanks');
  } finally {
    await browser.close();
  }
};

test('a shopper registers, searches, fills a cart, orders, pays, and has a confirmed order', async () => {
  const { category } = await merchant('POST', '/v1/categories', { name: 'Lighting' });
  const lamp = await merchant('POST', '/v1/products', {
    name: 'Brass desk lamp',
    price: 39.95,
    stock: 3,
    category_id: category.id,
    weight_grams: 900,
  });
  await merchant('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16, applies_to_shipping: true });
  await merchant('PUT', '/v1/shipping/config', {
    restriction: 'none',
    fulfil_from: 'primary',
    locations: [],
    zones: [{ name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 4.5 } }],
    tiers: [],
    fallback: null,
  });

  const { customer, session } = await merchant('POST', '/v1/auth/register', {
    email: 'wanjiru@example.com',
    password: 'correct horse battery',
  });
  const signedIn = { 'x-auth-token': session.access_token };

  const found = await eventually(async () => {
    const { products } = await storefront('POST', '/v1/search', { query: 'brass lamp' });
    expect(products.map(({ id }: { id: string }) => id)).toContain(lamp.id);
    return products[0];
  });
  const { cart } = await storefront(
    'POST',
    '/v1/cart/items',
    { variant_id: found.variant_id, quantity: 2, customer_id: customer.id },
    signedIn,
  );
  expect(cart).toMatchObject({ customer_id: customer.id, item_count: 2, subtotal: 79.9, total: 79.9 });

  const place = { latitude: -1.2683, longitude: 36.8111, country_code: 'KE' };
  const shipping = await storefront('POST', '/v1/shipping/calculate', { ...place, order_total: cart.total });
  expect(shipping).toMatchObject({ fee: 4.5, options: [{ id: 'place' }] });
  const address = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE', ...place, country_code: undefined };
  const items = cart.items.map(({ variant_id, quantity }: { variant_id: string; quantity: number }) => ({
    variant_id,
    quantity,
  }));
  const { data: intent } = await storefront('POST', '/v1/agent/checkout-intents', {
    items,
    email: customer.email,
    shipping_address: address,
    shipping_option_id: 'place',
  });
  expect(intent).toMatchObject({ status: 'ready', hold: { status: 'held' }, shipping_total: 4.5, tax_total: 13.5 });
  expect(intent.grand_total).toBe(97.9);
  expect((await merchant('GET', `/v1/inventory/${found.variant_id}`)).inventory.available).toBe(1);

  const { order } = await merchant('POST', '/v1/orders', { checkout_intent_id: intent.id });
  expect(order).toMatchObject({ total_amount: intent.grand_total, amount_due: 97.9, payment_status: 'pending' });
  const { checkout_url: url, reference } = await merchant('POST', '/v1/payments/initialize', {
    provider: 'card_checkout',
    amount: order.amount_due,
    email: order.email,
    order_id: order.id,
    success_url: `${home}/thanks`,
    cancel_url: `${home}/cart`,
  });
  await approve(url);

  expect(await merchant('POST', '/v1/payments/verify', { provider: 'card_checkout', reference })).toMatchObject({
    status: 'succeeded',
    amount: 97.9,
    order_id: order.id,
  });
  expect((await merchant('GET', `/v1/orders/${order.id}`)).order).toMatchObject({
    order_status: 'confirmed',
    payment_status: 'paid',
    amount_paid: 97.9,
    amount_due: 0,
  });
  expect((await merchant('GET', `/v1/inventory/${found.variant_id}`)).inventory).toMatchObject({ on_hand: 1 });
  await eventually(async () => {
    const { data } = await storefront('GET', `/v1/agent/checkout-intents/${intent.id}`);
    expect(data).toMatchObject({ status: 'completed', order_id: order.id });
  });
});
