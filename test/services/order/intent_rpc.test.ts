// The door by which assistants complete a checkout: what its order is of, and what pays it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { delegated, openReady, paidWith, sending } from '#test/edge/assistant/acp/agent.ts';
import { openShop } from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

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
