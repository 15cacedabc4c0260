// Orders of assistants as ACP's platforms hear of them.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ADDRESS,
  BUYER,
  call,
  connect,
  type Document,
  openShop,
  paidWith,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { acpSchemaErrors, hasAcpSchemas } from '#test/support/acp_schema.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

interface Received {
  readonly headers: Headers;
  readonly body: string;
}

allowLocalVerifier();
let stoa: Stoa;
let platform: ReturnType<typeof Bun.serve>;
const received: Received[] = [];

beforeAll(async () => {
  platform = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      received.push({ headers: request.headers, body: await request.text() });
      return new Response('');
    },
  });
  stoa = await sharedStoa();
});
afterAll(async () => {
  await platform.stop(true);
});

test('sends an assistant’s order whole and signed, and no others', async () => {
  const shop = await openShop(stoa);
  const { merchant } = shop;
  // Prices that contain their tax: it adds nothing.
  expect((await merchant.secret('PATCH', '/v1/store', { tax_inclusive: true })).status).toBe(200);
  const url = `http://127.0.0.1:${platform.port}/orders`;
  const made = await merchant.test('POST', '/v1/webhook-endpoints', { url, events: ['*'], format: 'acp' });
  expect(made.status, made.text).toBe(201);
  expect(made.body.webhook_endpoint.format).toBe('acp');
  const secret: string = made.body.webhook_endpoint.signing_secret;

  const own = await merchant.test(
    'POST',
    '/v1/orders',
    {
      items: [{ variant_id: shop.mug, quantity: 1 }],
      email: 'own@example.com',
      shipping_option_id: 'place',
      shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
    },
    { signWith: merchant.keys.hmac_test_secret },
  );
  expect(own.status, own.text).toBe(201);

  const client = await connect(shop, merchant.keys.publishable_test_key);
  await merchant.test('POST', '/v1/promotions', { name: 'Spring', type: 'percentage', value: 10, status: 'active' });
  await merchant.test('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 });
  const sent = {
    line_items: [{ item: { id: shop.mug }, quantity: 2 }],
    buyer: BUYER,
    fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
  };
  const started = await call(client, 'create_checkout', { checkout: sent });
  const [method] = started.fulfillment.methods;
  const groups = [{ id: method.groups[0].id, selected_option_id: method.groups[0].options[0].id }];
  const methods = [{ id: method.id, groups }];
  await call(client, 'update_checkout', { id: started.id, checkout: { ...sent, fulfillment: { methods } } });
  const token = await tokenFor(stoa, shop, started.id);
  const done = await call(client, 'complete_checkout', { id: started.id, checkout: paidWith(token) });
  const refund = await merchant.test(
    'POST',
    `/v1/orders/${done.order.id}/refunds`,
    { amount: 5, reason: 'Chipped' },
    { signWith: merchant.keys.hmac_test_secret },
  );
  expect(refund.status, refund.text).toBe(201);

  const delivered = await merchant.test(
    'PATCH',
    `/v1/orders/${done.order.id}`,
    { order_status: 'delivered' },
    { signWith: merchant.keys.hmac_test_secret },
  );
  expect(delivered.status, delivered.text).toBe(200);

  const orders = await eventually(() => {
    const all: Document[] = received.map(({ body }) => JSON.parse(body));
    expect(all.some(({ data }) => data.status === 'completed' && data.adjustments[0].status === 'completed')).toBe(
      true,
    );
    return all;
  });
  expect(new Set(orders.map(({ data }) => data.id))).toEqual(new Set([done.order.id]));
  expect(orders[0]).toMatchObject({
    type: 'order_create',
    data: {
      checkout_session_id: started.id,
      permalink_url: expect.stringContaining(`/s/${merchant.keys.store_id}/orders/${done.order.id}`),
      line_items: [{ quantity: { ordered: 2, current: 2, fulfilled: 0 }, unit_price: 1000, subtotal: 2000 }],
    },
  });
  const last = orders.find(({ data }) => data.status === 'completed' && data.adjustments[0].status === 'completed')!;
  // Without recorded shipments the buyer has received all of it; the amount charged stays.
  expect(last).toMatchObject({
    type: 'order_update',
    data: {
      line_items: [{ quantity: { ordered: 2, current: 2, fulfilled: 2 }, status: 'fulfilled' }],
      fulfillments: [
        {
          type: 'shipping',
          status: 'delivered',
          line_items: [{ quantity: 2 }],
          events: [{ type: 'delivered' }],
        },
      ],
      adjustments: [{ amount: 500, currency: 'usd' }],
    },
  });
  const amounts = Object.fromEntries(last.data.totals.map(({ type, amount }: Document) => [type, amount]));
  expect(amounts).toMatchObject({ subtotal: 2000, discount: 200, amount_refunded: 500 });
  expect(amounts.total).toBe(amounts.subtotal - amounts.discount + amounts.fulfillment);
  if (hasAcpSchemas)
    for (const { data } of orders) expect(acpSchemaErrors('agentic_checkout', 'Order', data)).toEqual([]);

  for (const { headers, body } of received) {
    const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('merchant-signature')!)!;
    expect(signature).toBe(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
    expect(headers.get('x-svc-signature')).toBeNull();
  }
});

test('tests an endpoint of this format with an order only', async () => {
  const { merchant } = await openShop(stoa);
  const url = `http://127.0.0.1:${platform.port}/try`;
  const made = await merchant.test('POST', '/v1/webhook-endpoints', { url, events: ['*'], format: 'acp' });
  const path = `/v1/webhook-endpoints/${made.body.webhook_endpoint.id}/test`;
  const before = received.length;
  expect((await merchant.test('POST', path, {})).body).toEqual({ success: true, status_code: 200 });
  expect(JSON.parse(received[before]!.body).type).toBe('order_create');
  const other = await merchant.test('POST', path, { event_type: 'product.created' });
  expect([other.status, other.body.error.param]).toEqual([400, 'event_type']);
  const wrong = await merchant.test('POST', '/v1/webhook-endpoints', { url, events: ['*'], format: 'fax' });
  expect([wrong.status, wrong.body.error.param]).toEqual([400, 'format']);
});
