// Causes each documented event, clause by clause, by calls of a merchant or a shopper. Events of payments, publishing,
// connections and wholesale have their own files.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { SandboxAnswer } from '#services/cli/trigger/sandbox.ts';
import { customer, email, name, product, travel } from '#services/cli/trigger/sandbox.ts';
import { shippoRate, shippoShipment, shippoTransaction } from '#test/services/shipping/carrier/stand_in.ts';
import { KENYA, location, NAIROBI } from '#test/services/shipping/fixture.ts';
import { paid } from './event_payment.ts';
import { changedOrder, type EventCause, type ExpectedEvent, momentAfter, order, type Scene } from './event_scene.ts';

const HOUR_MS = 3_600_000;
const anything = expect.any(String);

const code = (): string => `E${randomUUID().slice(0, 8).toUpperCase()}`;
export const tokenOf = ({ session }: SandboxAnswer): Record<string, string> => ({
  'x-auth-token': session.access_token,
});

// ── Orders ──────────────────────────────────────────────────────────────────────────────────────────────

/** A label of a carrier account: bought, so that it carries what tells where the parcel is. */
const label = async (scene: Scene): Promise<ExpectedEvent> => {
  const { sandbox, carrier } = scene;
  carrier.on('/shippo/shipments/', () => shippoShipment([shippoRate()]));
  carrier.on('/shippo/transactions/', () => shippoTransaction());
  await sandbox.put('/v1/shipping/config', {
    restriction: 'none',
    locations: [location('Nairobi', NAIROBI.latitude, NAIROBI.longitude, { primary: true, ships: true })],
    zones: [KENYA],
  });
  const account = { kind: 'carrier_account', name: name('Account'), api_key: 'shippo_test_1' };
  await sandbox.post('/v1/shipping/providers', { ...account, base_url: `${carrier.url}/shippo` });
  const sent = { shipping_info: { requires_shipping: true, length: 30, width: 20, height: 10 }, weight_grams: 850 };
  const { variant_id } = await product(sandbox, sent);
  const address = { first_name: 'Ada', last_name: 'Mwangi', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
  const items = [{ variant_id, quantity: 1 }];
  const destination = {
    address_to: address,
    items,
    parcel: { weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10 },
  };
  const { rates } = await sandbox.post('/v1/shipping/calculate', destination);
  const { rate_id, source } = rates[0];
  const { order: placed } = await sandbox.sign('POST', '/v1/orders', {
    items,
    email: email(),
    shipping_address: { ...address, ...NAIROBI },
    shipping_rate_id: rate_id,
    shipping_rate_source: source,
  });
  const { shipment } = await sandbox.post(`/v1/orders/${placed.id}/shipments`, { rate_id, source });
  const { tracking_number, tracking_url, carrier: by } = shipment;
  expect([tracking_number, tracking_url, by]).toEqual([anything, anything, anything]);
  return { object: { id: placed.id, tracking_number, tracking_url, carrier: by } };
};

const ORDER_ROWS: readonly EventCause[] = [
  [
    'order.created',
    'POST /v1/orders succeeds, before it is paid',
    async (scene) => {
      const { id, order_number } = await order(scene);
      const shown = { total_amount: 20, currency: 'USD', payment_status: 'pending' };
      return { object: { id, order_number, ...shown } };
    },
  ],
  [
    'order.created',
    'POST /v1/orders succeeds, paid by a gift card alone',
    async (scene) => {
      const { gift_card } = await scene.sandbox.post('/v1/gift-cards', { amount: 25 });
      const { id } = await order(scene, { gift_card_codes: [gift_card.code] });
      return { object: { id, payment_status: 'paid', amount_due: 0 } };
    },
  ],
  [
    'order.paid',
    'payment_status becomes paid, by a PATCH',
    async (scene) => {
      const { id } = await changedOrder(scene, { payment_status: 'paid' });
      return { object: { id, payment_status: 'paid' }, was: { payment_status: 'pending' } };
    },
  ],
  [
    'order.paid',
    'payment_status becomes paid, by a provider',
    async (scene) => {
      const { placed } = await paid(scene);
      return { object: { id: placed.id, payment_status: 'paid' }, was: { payment_status: 'pending' } };
    },
  ],
  ...['shipped', 'delivered'].map(
    (order_status): EventCause => [
      'order.fulfilled',
      `order_status becomes ${order_status}`,
      async (scene) => {
        const { id } = await changedOrder(scene, { order_status });
        return { object: { id, order_status }, was: { order_status: 'pending' } };
      },
    ],
  ),
  ['order.shipped', 'a shipping label is purchased', label],
  [
    'order.cancelled',
    'order_status becomes cancelled',
    async (scene) => {
      const { id } = await changedOrder(scene, { order_status: 'cancelled' });
      return { object: { id, order_status: 'cancelled' }, was: { order_status: 'pending' } };
    },
  ],
  [
    'order.refunded',
    'a refund is recorded',
    async (scene) => {
      const { id } = await changedOrder(scene, { payment_status: 'paid' });
      await scene.sandbox.post(`/v1/orders/${id}/refunds`, { amount: 5, reason: 'late' });
      return { object: { id, amount_refunded: 5, refund: expect.objectContaining({ amount: 5, reason: 'late' }) } };
    },
  ],
  [
    'order.updated',
    'a PATCH that triggers no more specific event',
    async (scene) => {
      const { id } = await changedOrder(scene, { note: 'Ring twice' });
      return { object: { id, note: 'Ring twice' }, was: { note: null } };
    },
  ],
];

// ── Customers, catalogue, carts ──────────────────────────────────────────────────────────────────────────────────────

/** A cart of two products under a new session. */
const cart = async ({ sandbox }: Scene): Promise<{ shown: SandboxAnswer; headers: Record<string, string> }> => {
  const { variant_id } = await product(sandbox);
  const headers = { 'x-session-id': randomUUID() };
  const { cart: shown } = await sandbox.post('/v1/cart/items', { variant_id, quantity: 2 }, headers);
  return { shown, headers };
};

/** Brings a stock of ten down to `left`, by a count or by an order. */
const stockOf = (type: string, when: string, left: number, by: 'a count' | 'an order'): EventCause => [
  type,
  `${when}, by ${by}`,
  async ({ sandbox }) => {
    const { variant_id } = await product(sandbox, { low_stock_threshold: 5 });
    const items = [{ variant_id, quantity: 10 - left }];
    if (by === 'an order') await sandbox.sign('POST', '/v1/orders', { items, email: email() });
    else await sandbox.post('/v1/inventory/adjustments', { variant_id, on_hand: left, reason: 'count' });
    return { object: { variant_id, stock: left, low_stock_threshold: 5 } };
  },
];

const SHOP_ROWS: readonly EventCause[] = [
  [
    'customer.created',
    'POST /v1/customers succeeds',
    async ({ sandbox }) => ({ object: { id: (await sandbox.post('/v1/customers', { email: email() })).customer.id } }),
  ],
  [
    'customer.updated',
    'PATCH /v1/customers/:id succeeds',
    async ({ sandbox }) => {
      const registered = await customer(sandbox);
      const { id } = registered.customer;
      await sandbox.patch(`/v1/customers/${id}`, { first_name: 'Ada' }, tokenOf(registered));
      return { object: { id, first_name: 'Ada' }, was: { first_name: null } };
    },
  ],
  [
    'customer.deleted',
    'a customer is soft-deleted',
    async ({ sandbox }) => {
      const { id } = (await sandbox.post('/v1/customers', { email: email() })).customer;
      await sandbox.delete(`/v1/customers/${id}`);
      return { object: { id } };
    },
  ],
  [
    'product.created',
    'product published at once',
    async ({ sandbox }) => ({ object: { id: (await product(sandbox)).id } }),
  ],
  [
    'product.created',
    'product published later',
    async ({ sandbox }) => {
      const { id } = await product(sandbox, { is_active: false });
      await sandbox.patch(`/v1/products/${id}`, { is_active: true });
      return { object: { id, is_active: true } };
    },
  ],
  [
    'product.updated',
    'fields change',
    async ({ sandbox }) => {
      const { id } = await product(sandbox);
      await sandbox.patch(`/v1/products/${id}`, { price: 25 });
      return { object: { id, price: 25 }, was: { price: 20 } };
    },
  ],
  stockOf('product.stock_low', "a variant's stock drops below low_stock_threshold", 2, 'a count'),
  stockOf('product.stock_low', "a variant's stock drops below low_stock_threshold", 2, 'an order'),
  stockOf('product.out_of_stock', "a variant's stock reaches zero", 0, 'a count'),
  stockOf('product.out_of_stock', "a variant's stock reaches zero", 0, 'an order'),
  [
    'cart.created',
    'cart session started',
    async (scene) => ({ object: { id: (await cart(scene)).shown.id, item_count: 2 } }),
  ],
  [
    'cart.updated',
    'items change',
    async (scene) => {
      const { shown, headers } = await cart(scene);
      const { variant_id } = await product(scene.sandbox);
      await scene.sandbox.post('/v1/cart/items', { variant_id, quantity: 1 }, headers);
      return { object: { id: shown.id, item_count: 3 }, was: { item_count: 2 } };
    },
  ],
  [
    'cart.updated',
    'quantities change',
    async (scene) => {
      const { shown, headers } = await cart(scene);
      await scene.sandbox.patch(`/v1/cart/items/${shown.items[0].id}`, { quantity: 4 }, headers);
      return { object: { id: shown.id, item_count: 4 }, was: { item_count: 2 } };
    },
  ],
  [
    'cart.abandoned',
    'no activity for a period on a cart with an identified shopper',
    async ({ sandbox }) => {
      const registered = await customer(sandbox);
      const { variant_id } = await product(sandbox);
      const item = { variant_id, quantity: 1, customer_id: registered.customer.id };
      const { cart: shown } = await sandbox.post('/v1/cart/items', item, tokenOf(registered));
      await travel(sandbox, HOUR_MS + 60_000);
      return { object: { id: shown.id, customer_id: registered.customer.id } };
    },
  ],
];

// ── Gift cards, promotions ───────────────────────────────────────────────────────────────────────────────────────────

const promotion = async ({ sandbox }: Scene, more: object): Promise<SandboxAnswer> => {
  const body = { name: name('Promotion'), code: code(), type: 'percentage', value: 10, ...more };
  return (await sandbox.post('/v1/promotions', body)).promotion;
};

const movedPromotion = (type: string, when: string, from: string, to: string): EventCause => [
  type,
  when,
  async (scene) => {
    const { id } = await promotion(scene, { status: from });
    await scene.sandbox.patch(`/v1/promotions/${id}`, { status: to });
    return { object: { id, status: to }, ...(from === 'active' && { was: { status: from } }) };
  },
];

const VALUE_ROWS: readonly EventCause[] = [
  [
    'gift_card.issued',
    'created',
    async ({ sandbox }) => {
      const { id } = (await sandbox.post('/v1/gift-cards', { amount: 25 })).gift_card;
      return { object: { id, balance: 25 } };
    },
  ],
  [
    'gift_card.redeemed',
    'applied to an order',
    async (scene) => {
      const { gift_card } = await scene.sandbox.post('/v1/gift-cards', { amount: 25 });
      const { id: order_id } = await order(scene, { gift_card_codes: [gift_card.code] });
      return { object: { id: gift_card.id, balance: 5, order_id, amount: 20 } };
    },
  ],
  [
    'gift_card.expired',
    'passes expiry',
    async (scene) => {
      const { gift_card } = await scene.sandbox.post('/v1/gift-cards', {
        amount: 25,
        expires_at: await momentAfter(scene, HOUR_MS),
      });
      await travel(scene.sandbox, 2 * HOUR_MS);
      return { object: { id: gift_card.id, status: 'expired' } };
    },
  ],
  [
    'promotion.applied',
    'an order uses a promotion code',
    async (scene) => {
      const made = await promotion(scene, { status: 'active' });
      const { id: order_id } = await order(scene, { promotion_codes: [made.code] });
      return { object: { order_id, code: made.code } };
    },
  ],
  ...['draft', 'active'].map(
    (status): EventCause => [
      'promotion.created',
      `created in any status: ${status}`,
      async (scene) => ({ object: { id: (await promotion(scene, { status })).id, status } }),
    ],
  ),
  [
    'promotion.created',
    'created in any status: scheduled',
    async (scene) => {
      const { id } = await promotion(scene, { status: 'scheduled', starts_at: await momentAfter(scene, HOUR_MS) });
      return { object: { id, status: 'scheduled' } };
    },
  ],
  movedPromotion('promotion.activated', 'status becomes active, by a PATCH', 'draft', 'active'),
  [
    'promotion.activated',
    'status becomes active, by time',
    async (scene) => {
      const { id } = await promotion(scene, { starts_at: await momentAfter(scene, HOUR_MS) });
      await travel(scene.sandbox, 2 * HOUR_MS);
      return { object: { id, status: 'active' } };
    },
  ],
  movedPromotion('promotion.deactivated', 'a live promotion ends', 'active', 'ended'),
  movedPromotion('promotion.deactivated', 'a live promotion pauses', 'active', 'paused'),
  [
    'promotion.deactivated',
    'a live promotion expires',
    async (scene) => {
      const { id } = await promotion(scene, { status: 'active', ends_at: await momentAfter(scene, HOUR_MS) });
      await travel(scene.sandbox, 2 * HOUR_MS);
      return { object: { id, status: 'expired' }, was: { status: 'active' } };
    },
  ],
];

export const ROWS: readonly EventCause[] = [...ORDER_ROWS, ...SHOP_ROWS, ...VALUE_ROWS];
