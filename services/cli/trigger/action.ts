// Causes each type of event by real API calls, as a merchant or a shopper would make them.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHANNEL_ACTIONS } from './channel.ts';
import type { Sandbox, SandboxAnswer } from './sandbox.ts';
import { type Action, customer, email, name, product, travel } from './sandbox.ts';
import { WHOLESALE_ACTIONS } from './wholesale.ts';

const HOUR_MS = 3_600_000;

const order = async (sandbox: Sandbox, more: object = {}): Promise<SandboxAnswer> => {
  const { variant_id } = await product(sandbox);
  const items = [{ variant_id, quantity: 1 }];
  return (await sandbox.sign('POST', '/v1/orders', { items, email: email(), ...more })).order;
};

const changeOrder = async (sandbox: Sandbox, body: object): Promise<SandboxAnswer> => {
  const { id } = await order(sandbox);
  return (await sandbox.sign('PATCH', `/v1/orders/${id}`, body)).order;
};

const adjust = async (sandbox: Sandbox, onHand: number): Promise<SandboxAnswer> => {
  const { variant_id } = await product(sandbox, { low_stock_threshold: 5 });
  return sandbox.post('/v1/inventory/adjustments', { variant_id, on_hand: onHand, reason: 'trigger' });
};

const payment = async (
  sandbox: Sandbox,
  outcome: 'succeed' | 'fail',
  more: object = {},
): Promise<SandboxAnswer & { readonly reference: string }> => {
  const placed = await order(sandbox);
  const { reference } = await sandbox.sign('POST', '/v1/payments/initialize', {
    provider: 'card_checkout',
    amount: placed.amount_due,
    email: placed.email,
    order_id: placed.id,
    ...more,
  });
  await sandbox.post(`/v1/sandbox/payments/${reference}`, { outcome });
  return { ...placed, reference };
};

const MANUAL = { capture: 'manual' };

const cart = async (sandbox: Sandbox): Promise<{ add(): Promise<SandboxAnswer> }> => {
  const { variant_id } = await product(sandbox);
  const headers = { 'x-session-id': randomUUID() };
  const add = () => sandbox.post('/v1/cart/items', { variant_id, quantity: 1 }, headers);
  await add();
  return { add };
};

const expiryAfter = async (sandbox: Sandbox, ms: number): Promise<string> => {
  const { now } = await sandbox.post('/v1/sandbox/time-travel', { advance_seconds: 1 });
  return new Date(Date.parse(now) + ms).toISOString();
};

const promotion = async (sandbox: Sandbox, more: object = {}): Promise<SandboxAnswer> =>
  (await sandbox.post('/v1/promotions', { name: name('Promotion'), type: 'percentage', value: 10, ...more })).promotion;

const code = (): string => `T${randomUUID().slice(0, 8).toUpperCase()}`;

const shipment = async (sandbox: Sandbox): Promise<SandboxAnswer> => {
  const rates = { rates: [{ rate_id: 'trigger', carrier: 'Trigger', service: 'Next day', fee: 5 }] };
  const carrier = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(rates));
  });
  await new Promise<void>((listening) => carrier.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(carrier.address() as AddressInfo).port}/`;
  const { provider } = await sandbox.post('/v1/shipping/providers', { kind: 'custom', name: name('Carrier'), url });
  try {
    const { variant_id } = await product(sandbox, { shipping_info: { requires_shipping: true }, weight_grams: 500 });
    const { order: placed } = await sandbox.sign('POST', '/v1/orders', {
      items: [{ variant_id, quantity: 1 }],
      email: email(),
      shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE', latitude: -1.28, longitude: 36.82 },
    });
    return await sandbox.post(`/v1/orders/${placed.id}/shipments`, { rate_id: 'trigger', source: 'custom' });
  } finally {
    await sandbox.delete(`/v1/shipping/providers/${provider.id}`);
    carrier.close();
  }
};

const approvedReview = async (sandbox: Sandbox): Promise<SandboxAnswer> => {
  const { id: product_id } = await product(sandbox);
  const { session } = await customer(sandbox);
  const written = { product_id, rating: 5, title: 'Bright', body: 'Lights the whole room.' };
  const { review } = await sandbox.post('/v1/reviews', written, { 'x-auth-token': session.access_token });
  return (await sandbox.patch(`/v1/reviews/${review.id}`, { status: 'approved' })).review;
};

const collection = async (sandbox: Sandbox): Promise<SandboxAnswer> =>
  (await sandbox.post('/v1/product-collections', { name: name('Collection') })).collection;

export const ACTIONS: Readonly<Record<string, Action>> = {
  'order.created': (sandbox) => order(sandbox),
  'order.paid': (sandbox) => changeOrder(sandbox, { payment_status: 'paid' }),
  'order.fulfilled': (sandbox) => changeOrder(sandbox, { order_status: 'shipped' }),
  'order.shipped': shipment,
  'order.cancelled': (sandbox) => changeOrder(sandbox, { order_status: 'cancelled' }),
  'order.refunded': async (sandbox) => {
    const { id } = await changeOrder(sandbox, { payment_status: 'paid' });
    return sandbox.post(`/v1/orders/${id}/refunds`, { amount: 5, reason: 'trigger' });
  },
  'order.updated': (sandbox) => changeOrder(sandbox, { note: 'trigger' }),
  'payment.succeeded': (sandbox) => payment(sandbox, 'succeed'),
  'payment.failed': (sandbox) => payment(sandbox, 'fail'),
  'payment.refunded': async (sandbox) => {
    const { id } = await payment(sandbox, 'succeed');
    return sandbox.post(`/v1/orders/${id}/refunds`, { amount: 5, reason: 'trigger' });
  },
  'payment.authorized': (sandbox) => payment(sandbox, 'succeed', MANUAL),
  'payment.captured': async (sandbox) => {
    const { reference } = await payment(sandbox, 'succeed', MANUAL);
    return sandbox.sign('POST', `/v1/payments/${reference}/capture`, {});
  },
  'payment.voided': async (sandbox) => {
    const { reference } = await payment(sandbox, 'succeed', MANUAL);
    return sandbox.sign('POST', `/v1/payments/${reference}/void`, {});
  },
  'customer.created': (sandbox) => sandbox.post('/v1/customers', { email: email() }),
  'customer.updated': async (sandbox) => {
    const { customer: registered, session } = await customer(sandbox);
    const headers = { 'x-auth-token': session.access_token };
    return sandbox.patch(`/v1/customers/${registered.id}`, { first_name: 'Ada' }, headers);
  },
  'customer.deleted': async (sandbox) => {
    const { customer: created } = await sandbox.post('/v1/customers', { email: email() });
    return sandbox.delete(`/v1/customers/${created.id}`);
  },
  'product.created': (sandbox) => product(sandbox),
  'product.updated': async (sandbox) => sandbox.patch(`/v1/products/${(await product(sandbox)).id}`, { price: 25 }),
  'product.stock_low': (sandbox) => adjust(sandbox, 2),
  'product.out_of_stock': (sandbox) => adjust(sandbox, 0),
  'cart.created': cart,
  'cart.updated': async (sandbox) => (await cart(sandbox)).add(),
  'cart.abandoned': async (sandbox) => {
    const { variant_id } = await product(sandbox);
    const { customer: registered, session } = await customer(sandbox);
    const headers = { 'x-auth-token': session.access_token };
    await sandbox.post('/v1/cart/items', { variant_id, quantity: 1, customer_id: registered.id }, headers);
    const { store } = await sandbox.get('/v1/store');
    return travel(sandbox, (store.cart_abandoned_after_minutes + 1) * 60_000);
  },
  'gift_card.issued': (sandbox) => sandbox.post('/v1/gift-cards', { amount: 25 }),
  'gift_card.redeemed': async (sandbox) => {
    const { gift_card: card } = await sandbox.post('/v1/gift-cards', { amount: 25 });
    return order(sandbox, { gift_card_codes: [card.code] });
  },
  'gift_card.expired': async (sandbox) => {
    await sandbox.post('/v1/gift-cards', { amount: 25, expires_at: await expiryAfter(sandbox, HOUR_MS) });
    return travel(sandbox, 2 * HOUR_MS);
  },
  'promotion.applied': async (sandbox) => {
    const own = code();
    await promotion(sandbox, { code: own, status: 'active' });
    return order(sandbox, { promotion_codes: [own] });
  },
  'promotion.created': (sandbox) => promotion(sandbox, { code: code(), status: 'draft' }),
  'promotion.activated': (sandbox) => promotion(sandbox, { code: code(), status: 'active' }),
  'promotion.deactivated': async (sandbox) => {
    const { id } = await promotion(sandbox, { code: code(), status: 'active' });
    return sandbox.patch(`/v1/promotions/${id}`, { status: 'paused' });
  },
  'collection.created': collection,
  'collection.updated': async (sandbox) =>
    sandbox.patch(`/v1/product-collections/${(await collection(sandbox)).id}`, { name: name('Collection') }),
  'review.approved': approvedReview,
  'post.published': async (sandbox) =>
    (await sandbox.post('/v1/blog/posts', { title: name('Triggered post'), status: 'published' })).post,
  'lookbook.published': async (sandbox) => {
    const { id: product_id } = await product(sandbox);
    const hotspots = [{ x: 0.5, y: 0.5, product_id }];
    const images = [{ url: 'https://pictures.example.com/look.jpg', hotspots }];
    return sandbox.post('/v1/lookbooks', { title: name('Triggered lookbook'), status: 'published', images });
  },
  'payment_provider.connected': (sandbox) =>
    sandbox.post('/v1/payments/providers', {
      provider: `trigger_${randomUUID().slice(0, 8)}`,
      name: 'Trigger',
      custom_provider: true,
      initialize_url: 'https://pay.example.com/initialize',
      verify_url: 'https://pay.example.com/verify',
      signing_secret: randomUUID(),
    }),
  'shipping_provider.connected': async (sandbox) => {
    const { provider } = await sandbox.post('/v1/shipping/providers', {
      kind: 'custom',
      name: name('Carrier'),
      url: 'https://rates.example.com/',
    });
    return sandbox.delete(`/v1/shipping/providers/${provider.id}`);
  },
  // Emitted after the first product or the first approved review.
  'feature.status_changed': async (sandbox) => {
    const { features } = await sandbox.get('/v1/features');
    const awaits = (name: string): boolean =>
      features.some(({ feature, status }: SandboxAnswer) => feature === name && status === 'awaiting_data');
    if (awaits('catalogue')) return product(sandbox);
    if (awaits('reviews')) return approvedReview(sandbox);
    throw new Error('A sandbox with reviews has its features already: reset it first (POST /v1/sandbox/reset).');
  },
  'feed.sync.completed': async (sandbox) => {
    const { feed } = await sandbox.post('/v1/ingestion/feeds', {
      name: name('Feed'),
      url: 'https://feed.invalid/catalogue.csv',
      format: 'csv',
    });
    await sandbox.post(`/v1/ingestion/feeds/${feed.id}/sync`);
    return feed;
  },
  ...CHANNEL_ACTIONS,
  ...WHOLESALE_ACTIONS,
};
