// A request that names a part that is not there is refused in each protocol's own form, and nothing is changed or paid.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import * as acp from '#test/edge/assistant/acp/agent.ts';
import {
  ADDRESS,
  BUYER,
  connect,
  type Document,
  openShop,
  paidWith,
  refused,
  type Shop,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
let shop: Shop;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openShop(stoa);
  await shop.merchant.test('POST', '/v1/inventory/adjustments', { variant_id: shop.mug, on_hand: 1_000 });
});

const ELSEWHERE = { ...ADDRESS, street_address: '99 Wrong Road' };
const lines = () => [{ item: { id: shop.mug }, quantity: 1 }];
const refusalIn = ({ messages: [first] }: Document) => [first?.code, first?.path];

const openReady = async () => {
  const methods = [{ type: 'shipping', destinations: [ADDRESS], groups: [{ selected_option_id: 'place' }] }];
  const { document } = await sending(shop)('POST', '/ucp/checkout-sessions', {
    body: { line_items: lines(), buyer: BUYER, fulfillment: { methods } },
  });
  expect(document.status, JSON.stringify(document)).toBe('ready_for_complete');
  return document;
};

const M = 'fulfillment.methods[0]';

describe('UCP and MCP refuse', () => {
  test.each<[string, string, object]>([
    [
      'a destination that is not among those sent',
      `${M}.selected_destination_id`,
      {
        selected_destination_id: 'c',
        destinations: [
          { id: 'a', ...ELSEWHERE },
          { id: 'b', ...ADDRESS },
        ],
      },
    ],
    [
      'a place to pick up at that does not exist',
      `${M}.selected_destination_id`,
      { type: 'pickup', selected_destination_id: 'pickup:x' },
    ],
    [
      'a place to pick up at that is no place of the store',
      `${M}.selected_destination_id`,
      { type: 'pickup', selected_destination_id: 'x' },
    ],
    [
      'an option that does not exist',
      `${M}.groups[0].selected_option_id`,
      { destinations: [ADDRESS], groups: [{ selected_option_id: 'nowhere' }] },
    ],
    ['a line that does not exist', `${M}.line_item_ids[0]`, { line_item_ids: ['li_9'], destinations: [ADDRESS] }],
    [
      'a line of a group that does not exist',
      `${M}.groups[0].line_item_ids[0]`,
      { destinations: [ADDRESS], groups: [{ line_item_ids: ['li_9'] }] },
    ],
  ])('%s', async (_, path, method) => {
    const send = sending(shop);
    const before = await openReady();
    const checkout = { line_items: lines(), buyer: BUYER, fulfillment: { methods: [{ type: 'shipping', ...method }] } };
    const changed = await send('PUT', `/ucp/checkout-sessions/${before.id}`, { body: checkout });
    expect(refusalIn(changed.document), changed.text).toEqual(['not_found', `$.${path}`]);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const answer = await refused(client, 'update_checkout', { id: before.id, checkout });
    expect(refusalIn(answer)).toEqual(['not_found', `$.${path}`]);
    await client.close();
    expect((await send('GET', `/ucp/checkout-sessions/${before.id}`)).document).toEqual(before);
    if (path.includes('line_item_ids')) return;
    const created = await send('POST', '/ucp/checkout-sessions', { body: checkout });
    expect(refusalIn(created.document), created.text).toEqual(['not_found', `$.${path}`]);
    await send('POST', `/ucp/checkout-sessions/${before.id}/cancel`);
  });

  test('a second option beside the first', async () => {
    const groups = [{ selected_option_id: 'place' }, { selected_option_id: 'nowhere' }];
    const body = { line_items: lines(), fulfillment: { methods: [{ destinations: [ADDRESS], groups }] } };
    const { status, document } = await sending(shop)('POST', '/ucp/checkout-sessions', { body });
    expect([status, document.path]).toEqual([400, `$.${M}.groups[1].selected_option_id`]);
  });

  test('a line item’s id that the checkout or the cart does not have', async () => {
    const send = sending(shop);
    const before = await openReady();
    const [line] = before.line_items;
    const named = (id: string) => ({ line_items: [{ id, item: { id: shop.mug }, quantity: 2 }], buyer: BUYER });
    const changed = await send('PUT', `/ucp/checkout-sessions/${before.id}`, { body: named('li_9') });
    expect(refusalIn(changed.document), changed.text).toEqual(['not_found', '$.line_items[0].id']);
    expect(changed.document.line_items).toEqual(before.line_items);
    const known = await send('PUT', `/ucp/checkout-sessions/${before.id}`, { body: named(line.id) });
    expect(known.document.line_items[0], known.text).toMatchObject({ id: line.id, quantity: 2 });
    await send('POST', `/ucp/checkout-sessions/${before.id}/cancel`);

    const { document: cart } = await send('POST', '/ucp/carts', { body: { line_items: lines() } });
    const wrong = await send('PUT', `/ucp/carts/${cart.id}`, { body: named('li_9') });
    expect(refusalIn(wrong.document), wrong.text).toEqual(['not_found', '$.line_items[0].id']);
    const right = await send('PUT', `/ucp/carts/${cart.id}`, { body: named(cart.line_items[0].id) });
    expect(right.document.line_items[0].quantity, right.text).toBe(2);
  });

  test('the address of before on a checkout that has none', async () => {
    const body = {
      line_items: lines(),
      fulfillment: { methods: [{ type: 'shipping', selected_destination_id: 'destination' }] },
    };
    const created = await sending(shop)('POST', '/ucp/checkout-sessions', { body });
    expect(refusalIn(created.document), created.text).toEqual(['not_found', `$.${M}.selected_destination_id`]);
  });

  test('keep the address that stands where the request selects it', async () => {
    const send = sending(shop);
    const before = await openReady();
    const [method] = before.fulfillment.methods;
    const { document } = await send('PUT', `/ucp/checkout-sessions/${before.id}`, {
      body: { line_items: lines(), buyer: BUYER, fulfillment: { methods: [method] } },
    });
    expect(document).toEqual(before);
    await send('POST', `/ucp/checkout-sessions/${before.id}/cancel`);
  });

  test.each([
    ['a payment handler that the store does not declare', 'handler_id', { handler_id: 'other' }],
    ['an instrument without a payment handler', 'handler_id', { handler_id: undefined }],
    ['a kind of instrument that the handler does not take', 'type', { type: 'wallet' }],
    ['an instrument of no kind', 'type', { type: undefined }],
  ])('%s', async (_, field, more) => {
    const send = sending(shop);
    const ready = await openReady();
    const token = await tokenFor(stoa, shop, ready.id);
    const [instrument] = paidWith(token).payment.instruments;
    const checkout = { payment: { instruments: [{ ...instrument, ...more }] } };
    const path = `payment.instruments[0].${field}`;
    const paid = await send('POST', `/ucp/checkout-sessions/${ready.id}/complete`, { body: checkout });
    expect(refusalIn(paid.document), paid.text).toEqual(['payment_failed', `$.${path}`]);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const answer = await refused(client, 'complete_checkout', { id: ready.id, checkout });
    expect(refusalIn(answer)).toEqual(['payment_failed', `$.${path}`]);
    await client.close();
    const after = await send('GET', `/ucp/checkout-sessions/${ready.id}`);
    expect(after.document).toEqual(ready);
    await send('POST', `/ucp/checkout-sessions/${ready.id}/cancel`);
  });
});

describe('ACP refuses', () => {
  test.each([
    ['a payment handler that the store does not declare', 'handler_id', { handler_id: 'other' }, {}],
    ['an instrument without a payment handler', 'handler_id', { handler_id: undefined }, {}],
    ['a kind of instrument that the handler does not take', 'instrument.type', {}, { type: 'wallet' }],
    ['an instrument of no kind', 'instrument.type', {}, { type: undefined }],
  ])('%s', async (_, field, payment, instrument) => {
    const send = acp.sending(shop);
    const ready = await acp.openReady(shop);
    const { payment_data } = acp.paidWith((await acp.delegated(shop, ready.id)).document.id);
    const body = {
      payment_data: { ...payment_data, ...payment, instrument: { ...payment_data.instrument, ...instrument } },
    };
    const paid = await send('POST', `/acp/checkout_sessions/${ready.id}/complete`, { body });
    expect([paid.status, paid.document], JSON.stringify(paid.document)).toMatchObject([
      400,
      { type: 'invalid_request', param: `$.payment_data.${field}` },
    ]);
    expect((await send('GET', `/acp/checkout_sessions/${ready.id}`)).document.status).toBe('ready_for_payment');
    await send('POST', `/acp/checkout_sessions/${ready.id}/cancel`);
  });

  test.each<[string, number, string, (ready: Document) => object]>([
    [
      'an option that does not exist',
      404,
      'selected_fulfillment_options[0].option_id',
      () => ({ selected_fulfillment_options: [{ type: 'shipping', option_id: 'nowhere', item_ids: [] }] }),
    ],
    [
      'a second option beside the first',
      400,
      'selected_fulfillment_options[1].option_id',
      () => ({
        selected_fulfillment_options: [
          { type: 'shipping', option_id: 'place', item_ids: [] },
          { type: 'shipping', option_id: 'nowhere', item_ids: [] },
        ],
      }),
    ],
    [
      'an item that the session does not have',
      404,
      'selected_fulfillment_options[0].item_ids[1]',
      ({ line_items: [line] }) => ({
        selected_fulfillment_options: [{ type: 'shipping', option_id: 'place', item_ids: [line.id, randomUUID()] }],
      }),
    ],
    ['an item that is not sold', 400, 'line_items[0].id', () => ({ line_items: [{ id: randomUUID(), quantity: 1 }] })],
  ])('%s', async (_, status, param, change) => {
    const send = acp.sending(shop);
    const ready = await acp.openReady(shop);
    const changed = await send('POST', `/acp/checkout_sessions/${ready.id}`, { body: change(ready) });
    expect([changed.status, changed.document.param], JSON.stringify(changed.document)).toEqual([status, `$.${param}`]);
    expect((await send('GET', `/acp/checkout_sessions/${ready.id}`)).document).toEqual(ready);
    await send('POST', `/acp/checkout_sessions/${ready.id}/cancel`);
  });

  test('a session of a quote, which would be sold at other prices', async () => {
    const { status, document } = await acp.sending(shop)('POST', '/acp/checkout_sessions', {
      body: { ...acp.wanted(shop, 1), quote_id: randomUUID() },
    });
    expect([status, document.param]).toEqual([400, '$.quote_id']);
  });
});
