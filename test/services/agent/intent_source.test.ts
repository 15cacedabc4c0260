// Cart drafts, quotes and intents of a product that is no longer sold. Variants in the body are not found, stored ones are
// out of stock.
import { beforeAll, expect, test } from 'vitest';
import { EMAIL, items, openShop, type Shop } from '#test/services/agent/shop.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const WAYS: readonly (readonly [string, (shop: Shop) => Promise<Reply>])[] = [
  ['deactivated', (shop) => shop.write('PATCH', `/v1/products/${shop.product}`, { is_active: false })],
  ['deleted', (shop) => shop.write('DELETE', `/v1/products/${shop.product}`)],
];

const SHIPPED = { shipping_info: { requires_shipping: true, weight: 1, weight_unit: 'kg' } };
const ADDRESS = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' };
const NAIROBI = { latitude: -1.2921, longitude: 36.8219 };

const openDelivering = async (): Promise<Shop> => {
  const shop = await openShop(stoa, SHIPPED);
  const set = await shop.write('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 5 } } });
  expect(set.status, set.text).toBe(200);
  return shop;
};

const refusedFor = ({ variant }: Shop, { status, body, text }: Reply, param: string) => {
  const { code, details } = body.error ?? {};
  expect([status, code, body.error?.param], text).toEqual([409, 'insufficient_stock', param]);
  expect(details).toBe(`${variant}: 2 wanted, 0 available`);
};

test.each(WAYS)('a cart draft of a %s product is shown as it was, and nothing can be made of it', async (_, unsell) => {
  const shop = await openShop(stoa);
  const { data: draft } = (await shop.ask('POST', '/v1/agent/cart-drafts', { items: items(shop) })).body;
  const path = `/v1/agent/cart-drafts/${draft.id}`;
  expect((await unsell(shop)).status).toBeLessThan(300);
  expect((await shop.ask('GET', path)).body.data).toEqual(draft);
  refusedFor(shop, await shop.ask('PATCH', path, { email: EMAIL }), 'cart_draft_id');
  refusedFor(shop, await shop.ask('POST', '/v1/agent/checkout-intents', { cart_draft_id: draft.id }), 'cart_draft_id');
  const named = await shop.ask('PATCH', path, { items: items(shop) });
  expect([named.status, named.body.error.param]).toEqual([404, 'items[0].variant_id']);
});

test.each(WAYS)('a quote of a %s product is refused to an order, and says of which', async (_, unsell) => {
  const shop = await openDelivering();
  const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop) })).body;
  await unsell(shop);
  const body = { quote_id: quote.id, email: EMAIL, shipping_address: ADDRESS };
  refusedFor(shop, await shop.order(body), 'quote_id');
});

test('a quote of a deleted product holds nothing', async () => {
  const shop = await openDelivering();
  const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop) })).body;
  await shop.write('DELETE', `/v1/products/${shop.product}`);
  const from = (more: object) => shop.ask('POST', '/v1/agent/checkout-intents', { quote_id: quote.id, ...more });
  refusedFor(shop, await from({}), 'quote_id');
  refusedFor(shop, await from({ shipping_address: ADDRESS, shipping_option_id: 'place' }), 'quote_id');
});

test.each(WAYS)('a checkout intent of a %s product is refused as one, whichever way it goes on', async (_, unsell) => {
  const shop = await openDelivering();
  const begin = async (more: object = {}) =>
    (await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop), email: EMAIL, ...more })).body.data;
  const placeless = await begin();
  const placed = await begin({ shipping_address: ADDRESS, shipping_option_id: 'place' });
  expect(placed.status).toBe('ready');
  await unsell(shop);
  const order = (id: string, more: object = {}) => shop.order({ checkout_intent_id: id, ...more });
  refusedFor(shop, await order(placed.id), 'checkout_intent_id');
  refusedFor(shop, await order(placeless.id, { shipping_address: ADDRESS }), 'checkout_intent_id');
  expect((await shop.ask('POST', `/v1/agent/checkout-intents/${placed.id}/cancel`)).status).toBe(200);
});

test('a checkout intent of a deleted product cannot be changed, unless to something else', async () => {
  const shop = await openDelivering();
  const { data } = (await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop), email: EMAIL })).body;
  await shop.write('DELETE', `/v1/products/${shop.product}`);
  const change = (body: object) => shop.ask('PATCH', `/v1/agent/checkout-intents/${data.id}`, body);
  refusedFor(shop, await change({ promotion_codes: ['NONE'] }), 'id');
  refusedFor(shop, await change({ ...NAIROBI, shipping_option_id: 'place' }), 'id');
  const other = (await shop.write('POST', '/v1/products', { name: 'Mug', price: 3, stock: 5 })).body.variant_id;
  const changed = await change({ items: [{ variant_id: other, quantity: 1 }] });
  expect(changed.body.data?.lines, changed.text).toMatchObject([{ variant_id: other, quantity: 1 }]);
});
