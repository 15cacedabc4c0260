// The door by which assistants complete a checkout: what its order is of, and what pays it.
import { beforeAll, expect, test } from 'vitest';
import { ADDRESS, BUYER, delegated, openReady, paidWith, sending, wanted } from '#test/edge/assistant/acp/agent.ts';
import { openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('an order has the currency of its checkout, in which it is paid, though the store sells in another one by then', async () => {
  const shop = await openShop(stoa);
  const { id } = await openReady(shop);
  const { document: token } = await delegated(shop, id);
  expect((await shop.merchant.secret('PATCH', '/v1/store', { currency: 'EUR' })).status).toBe(200);
  const path = `/acp/checkout_sessions/${id}/complete`;
  const { document: done } = await sending(shop)('POST', path, { body: paidWith(token.id) });
  expect([done.status, done.currency]).toEqual(['completed', 'usd']);
  await eventually(async () => {
    const { order } = (await shop.merchant.test('GET', `/v1/orders/${done.order.id}`)).body;
    expect(order).toMatchObject({ currency: 'USD', total_amount: 25, amount_paid: 25, payment_status: 'paid' });
  });
});

test.each([
  ['the goods', (shop: Shop) => ({ line_items: wanted(shop, 3).line_items })],
  ['the address', () => ({ fulfillment_details: { name: 'Ada Mwangi', address: ADDRESS } })],
])('%s of a checkout stay as they are once the store sells in another currency', async (_, changeOf) => {
  const shop = await openShop(stoa);
  const { id } = await openReady(shop);
  expect((await shop.merchant.secret('PATCH', '/v1/store', { currency: 'EUR' })).status).toBe(200);
  const path = `/acp/checkout_sessions/${id}`;
  const { status, document } = await sending(shop)('POST', path, { body: changeOf(shop) });
  expect([status, document.message], JSON.stringify(document)).toEqual([409, expect.stringContaining('EUR')]);
  const { document: unchanged } = await sending(shop)('GET', path, {});
  expect([unchanged.status, unchanged.currency]).toEqual(['ready_for_payment', 'usd']);
});

/** A checkout whose way of delivery is not chosen. */
const openUnchosen = async (shop: Shop) => {
  const fulfillment_details = { name: 'Ada Mwangi', address: ADDRESS };
  const body = { ...wanted(shop), buyer: BUYER, fulfillment_details };
  const { document } = await sending(shop)('POST', '/acp/checkout_sessions', { body });
  expect(document.status).toBe('not_ready_for_payment');
  return document;
};

test('refuses completion until the shopper selects a shipping option that adds to the total', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const { id, line_items } = await openUnchosen(shop);
  const { document: token } = await delegated(shop, id);
  const complete = () => send('POST', `/acp/checkout_sessions/${id}/complete`, { body: paidWith(token.id) });
  const refused = await complete();
  expect([refused.status, refused.document.param], JSON.stringify(refused.document)).toEqual([
    400,
    '$.selected_fulfillment_options[0].option_id',
  ]);
  expect((await shop.merchant.test('GET', '/v1/orders')).body.orders).toEqual([]);
  const item_ids = line_items.map((line: { id: string }) => line.id);
  const selected_fulfillment_options = [{ type: 'shipping', option_id: 'place', item_ids }];
  await send('POST', `/acp/checkout_sessions/${id}`, { body: { selected_fulfillment_options } });
  expect((await complete()).document.status).toBe('completed');
  const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
  expect(orders).toMatchObject([{ total_amount: 25 }]);
});

test('completes a checkout with a free shipping option that the shopper did not select', async () => {
  const shop = await openShop(stoa);
  await shop.merchant.test('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 0 } } });
  const { id } = await openUnchosen(shop);
  const { document: token } = await delegated(shop, id);
  const path = `/acp/checkout_sessions/${id}/complete`;
  expect((await sending(shop)('POST', path, { body: paidWith(token.id) })).document.status).toBe('completed');
  const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
  expect(orders).toMatchObject([{ total_amount: 20, amount_paid: 20, shipping_option_id: 'place' }]);
});
