// One checkout, three protocols: begun over MCP, changed over UCP, paid over ACP, and exactly one paid order comes of it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, BUYER, call, connect, type Document, openShop, tokenFor } from '#test/edge/assistant/mcp/shop.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

test('what MCP begins and UCP changes becomes exactly one paid order over ACP', async () => {
  const shop = await openShop(stoa);
  const { merchant } = shop;
  const key = merchant.keys.publishable_test_key;
  const client = await connect(shop, key, 'First Assistant');
  const begun = await call(client, 'create_checkout', {
    checkout: { line_items: [{ item: { id: shop.mug }, quantity: 1 }], buyer: BUYER },
  });

  const send = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${shop.base}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, document: (await answer.json()) as Document };
  };
  const sent = {
    line_items: [{ item: { id: shop.mug }, quantity: 2 }],
    buyer: BUYER,
    fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
  };
  const placed = await send('PUT', `/ucp/checkout-sessions/${begun.id}`, sent);
  const [method] = placed.document.fulfillment.methods;
  const groups = [{ id: method.groups[0].id, selected_option_id: method.groups[0].options[0].id }];
  const ready = await send('PUT', `/ucp/checkout-sessions/${begun.id}`, {
    ...sent,
    fulfillment: { methods: [{ id: method.id, groups }] },
  });
  expect(ready.document.status).toBe('ready_for_complete');

  const token = await tokenFor(stoa, shop, begun.id);
  const pay = {
    payment_data: { handler_id: 'card_token', instrument: { type: 'card', credential: { type: 'spt', token } } },
  };
  const path = `/acp/checkout_sessions/${begun.id}/complete`;
  const version = { 'API-Version': '2026-04-17', 'User-Agent': 'Third Assistant' };
  // Twelve at once, each with a key of its own: one of them places the order.
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => send('POST', path, pay, { ...version, 'Idempotency-Key': randomUUID() })),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done.map(({ document }) => document.status)).toEqual(['completed']);
  const { id } = done[0]!.document.order;

  const seen = await call(client, 'get_checkout', { id: begun.id });
  expect(seen).toMatchObject({ status: 'completed', order: { id } });
  const { body } = await merchant.test('GET', '/v1/orders');
  expect(body.orders).toMatchObject([
    { id, payment_status: 'paid', total_amount: 25, agent: { name: 'Third Assistant', protocol: 'acp' } },
  ]);
  const intent = await merchant.test('GET', `/v1/agent/checkout-intents/${begun.id}`);
  expect(intent.body.data.agent).toEqual({ name: 'First Assistant', protocol: 'mcp' });
});
