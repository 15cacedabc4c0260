// A field that is refused is named as the request has it.
import { beforeAll, expect, test } from 'vitest';
import { ADDRESS, BUYER, callRaw, connect, type Document, openShop, paidWith } from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const LONG = 'x'.repeat(301);
const sentTo = (...methods: object[]) => ({ fulfillment: { methods } });
const to = (address: object) => sentTo({ type: 'shipping', destinations: [{ ...ADDRESS, ...address }] });
const PLACE = 'fulfillment.methods[0].destinations[0]';

/** Requests that cannot become orders, by their fault. */
const WRONG: readonly [path: string, body: object][] = [
  ['buyer.first_name', { buyer: { ...BUYER, first_name: 'A\nda' } }],
  ['buyer.phone_number', { buyer: { ...BUYER, phone_number: '+254\u0007700' } }],
  [`${PLACE}.extended_address`, to({ extended_address: '2nd\nfloor' })],
  [`${PLACE}.phone_number`, to({ phone_number: '+254\n700' })],
  ['buyer.email', { buyer: { email: 'ada' } }],
  ['buyer.phone_number', { buyer: { ...BUYER, phone_number: LONG } }],
  ['buyer.first_name', { buyer: { ...BUYER, first_name: LONG } }],
  ['discounts.codes[1]', { discounts: { codes: ['SPRING', 'x'.repeat(60)] } }],
  ['discounts.codes[0]', { discounts: { codes: ['🙂'.repeat(60)] } }],
  [`${PLACE}.street_address`, to({ street_address: LONG })],
  [`${PLACE}.address_locality`, to({ address_locality: LONG })],
  [`${PLACE}.address_country`, to({ address_country: 'Kenya' })],
  [`${PLACE}.phone_number`, to({ phone_number: LONG })],
  [
    'fulfillment.methods[1].destinations[1].address_country',
    sentTo(
      { type: 'pickup' },
      {
        type: 'shipping',
        selected_destination_id: 'b',
        destinations: [
          { id: 'a', ...ADDRESS },
          { id: 'b', ...ADDRESS, address_country: 'XX' },
        ],
      },
    ),
  ],
  [
    'fulfillment.methods[0].groups[1].selected_option_id',
    sentTo({ destinations: [ADDRESS], groups: [{ id: 'a' }, { id: 'b', selected_option_id: 'nowhere' }] }),
  ],
  ['fulfillment.methods[0].selected_destination_id', sentTo({ type: 'pickup', selected_destination_id: 'pickup:x' })],
];

/** Refused by a protocol error or by a message of the document. */
const pathIn = (document: Document): string | undefined => document.path ?? document.messages?.[0]?.path;

test('names fields of created and updated checkouts', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  const { document: checkout } = await send('POST', '/ucp/checkout-sessions', { body: { line_items } });
  for (const [path, more] of WRONG) {
    const body = { line_items, ...more };
    const created = await send('POST', '/ucp/checkout-sessions', { body });
    expect(pathIn(created.document), created.text).toBe(`$.${path}`);
    if (created.status !== 400) expect(created.document.messages[0].code).toBe('not_found');
    const changed = await send('PUT', `/ucp/checkout-sessions/${checkout.id}`, { body });
    expect(pathIn(changed.document), changed.text).toBe(`$.${path}`);
  }
  const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
  expect(inventory.held).toBe(1);
});

test('names the cart of a new checkout', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  for (const cart_id of ['x', shop.mug]) {
    const { status, document } = await send('POST', '/ucp/checkout-sessions', { body: { cart_id } });
    expect([status, document.ucp.status, pathIn(document)]).toEqual([200, 'error', '$.cart_id']);
  }
  const { document: cart } = await send('POST', '/ucp/carts', {
    body: { line_items: [{ item: { id: shop.mug }, quantity: 9 }] },
  });
  const short = await send('POST', '/ucp/checkout-sessions', { body: { cart_id: cart.id } });
  expect(short.document.messages).toMatchObject([{ code: 'out_of_stock', path: '$.cart_id' }]);
});

test('names fields of a completion', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  const methods = [{ type: 'shipping', destinations: [ADDRESS], groups: [{ id: 'g', selected_option_id: 'place' }] }];
  const { document: ready } = await send('POST', '/ucp/checkout-sessions', {
    body: { line_items, buyer: BUYER, fulfillment: { methods } },
  });
  expect(ready.status).toBe('ready_for_complete');
  const [instrument] = paidWith('vt_nothing').payment.instruments;
  const pay = (more: object) =>
    send('POST', `/ucp/checkout-sessions/${ready.id}/complete`, {
      body: {
        payment: {
          instruments: [
            { id: 'a', type: 'card' },
            { ...instrument, selected: true, ...more },
          ],
        },
      },
    });
  const wrong = [
    ['payment.instruments[1].credential.token', await pay({})],
    [
      'payment.instruments[1].billing_address.street_address',
      await pay({ billing_address: { ...ADDRESS, street_address: '1\nRoad' } }),
    ],
    [
      'payment.instruments[1].billing_address.address_country',
      await pay({ billing_address: { ...ADDRESS, address_country: 'XX' } }),
    ],
  ] as const;
  for (const [path, { document }] of wrong) expect(pathIn(document)).toBe(`$.${path}`);
  expect(wrong[0][1].document.messages[0].code).toBe('payment_failed');
});

test('accepts texts of the maximum length in characters, however many bytes', async () => {
  const shop = await openShop(stoa);
  const buyer = { ...BUYER, first_name: '🙂'.repeat(100) };
  const { status, document } = await sending(shop)('POST', '/ucp/checkout-sessions', {
    body: { line_items: [{ item: { id: shop.mug }, quantity: 1 }], buyer },
  });
  expect([status, document.buyer], JSON.stringify(document)).toEqual([201, buyer]);
});

test('names fields of a search in the protocol’s error', async () => {
  const shop = await openShop(stoa);
  const body = { query: '', pagination: { cursor: 'nowhere' } };
  const { status, document } = await sending(shop)('POST', '/ucp/catalog/search', { body });
  expect([status, document]).toEqual([
    400,
    { code: 'invalid_request', content: expect.any(String), path: '$.pagination.cursor' },
  ]);
});

test('names a text with forbidden characters', async () => {
  const shop = await openShop(stoa);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  const buyer = { ...BUYER, phone_number: '+254\u0000700' };
  const rest = await sending(shop)('POST', '/ucp/checkout-sessions', { body: { line_items, buyer } });
  expect([rest.status, rest.document.path]).toEqual([400, '$.buyer.phone_number']);
  const params = { name: 'create_checkout', arguments: { checkout: { line_items, buyer } } };
  const tool = await sending(shop)('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { Accept: 'application/json, text/event-stream' },
  });
  expect([tool.status, tool.document.error.data.path]).toEqual([400, 'checkout.buyer.phone_number']);
});

test('names fields of a tool’s arguments', async () => {
  const shop = await openShop(stoa);
  const client = await connect(shop, shop.merchant.keys.publishable_test_key);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  await expect(
    callRaw(client, 'search_catalog', { catalog: { query: '', pagination: { cursor: 'nowhere' } } }),
  ).rejects.toMatchObject({ code: -32602, data: { path: 'catalog.pagination.cursor' } });
  const ways = async (args: object) => {
    const { structuredContent } = await callRaw(client, 'get_shipping_options', args);
    return pathIn(structuredContent);
  };
  await expect(ways({ line_items, destination: { ...ADDRESS, address_country: 'Kenya' } })).rejects.toMatchObject({
    code: -32602,
    data: { path: 'destination.address_country' },
  });
  await expect(
    callRaw(client, 'create_checkout', { checkout: { line_items, buyer: { email: 'ada' } } }),
  ).rejects.toMatchObject({ code: -32602, data: { path: 'checkout.buyer.email' } });
  expect(await ways({ line_items: [{ item: { id: 'x' }, quantity: 1 }], destination: ADDRESS })).toBe(
    '$.line_items[0].item.id',
  );
  expect(await ways({ cart_id: 'x', destination: ADDRESS })).toBe('$.cart_id');
  await client.close();
});
