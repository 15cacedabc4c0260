// A field that is refused is named as the request has it.
import { beforeAll, expect, test } from 'vitest';
import { BUYER, openReady, paidWith, sending, wanted } from '#test/edge/assistant/acp/agent.ts';
import { openShop } from '#test/edge/assistant/mcp/shop.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const PLACE = { name: 'Ada Mwangi', line_one: '1 Road', city: 'Nairobi', state: '', country: 'KE', postal_code: '' };
const LONG = 'x'.repeat(301);
const within = (address: object) => ({ fulfillment_details: { address: { ...PLACE, ...address } } });

const WRONG: readonly [param: string, body: object][] = [
  ['$.buyer.email', { buyer: { email: 'ada' } }],
  ['$.buyer.email', { buyer: { email: 'ada' }, fulfillment_details: { email: BUYER.email } }],
  ['$.fulfillment_details.email', { fulfillment_details: { email: 'ada' } }],
  ['$.buyer.first_name', { buyer: { ...BUYER, first_name: LONG } }],
  ['$.buyer.full_name', { buyer: { email: BUYER.email, full_name: `${LONG} Mwangi` } }],
  ['$.buyer.phone_number', { buyer: { ...BUYER, phone_number: LONG } }],
  ['$.fulfillment_details.phone_number', { fulfillment_details: { phone_number: LONG, address: PLACE } }],
  ['$.fulfillment_details.address.name', within({ name: LONG })],
  ['$.fulfillment_details.address.line_one', within({ line_one: LONG })],
  ['$.fulfillment_details.address.line_two', within({ line_two: LONG })],
  ['$.fulfillment_details.address.city', within({ city: LONG })],
  ['$.fulfillment_details.address.state', within({ state: LONG })],
  ['$.fulfillment_details.address.country', within({ country: 'XX' })],
  ['$.fulfillment_details.address.postal_code', within({ postal_code: LONG })],
  ['$.discounts.codes[1]', { discounts: { codes: ['SPRING', LONG] } }],
  ['$.coupons[1]', { coupons: ['SPRING', LONG] }],
  ['$.order_notes', { order_notes: 'x'.repeat(2_001) }],
  ['$.buyer.phone_number', { buyer: { ...BUYER, phone_number: '+254\u0000700' } }],
  ['$.buyer.phone_number', { buyer: { ...BUYER, phone_number: '+254\n700' } }],
  ['$.buyer.phone_number', { buyer: { ...BUYER, phone_number: '+254\u0007700' } }],
  ['$.buyer.last_name', { buyer: { ...BUYER, last_name: 'Mwangi\u0007' } }],
  ['$.fulfillment_details.phone_number', { fulfillment_details: { phone_number: '+254\r700', address: PLACE } }],
  ['$.fulfillment_details.address.line_two', within({ line_two: '2nd\nfloor' })],
  ['$.fulfillment_details.address.name', within({ name: 'Ada\u001b Mwangi' })],
  ['$.fulfillment_details.address.company', within({ company: 'Mwangi\tLtd' })],
  ['$.buyer.first_name', { buyer: { ...BUYER, first_name: '\ud800' } }],
];

test('maps fields of created and updated sessions', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const { document: session } = await send('POST', '/acp/checkout_sessions', { body: wanted(shop, 1) });
  for (const [param, more] of WRONG)
    for (const [path, body] of [
      ['', { ...wanted(shop, 1), ...more }],
      [`/${session.id}`, more],
    ] as const) {
      const { status, document } = await send('POST', `/acp/checkout_sessions${path}`, { body });
      expect([status, document.code, document.param], JSON.stringify(document)).toEqual([
        400,
        'invalid_request',
        param,
      ]);
    }
  const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
  expect(inventory.held).toBe(1);
});

test('maps fields of a completion', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const { id } = await openReady(shop);
  const pay = (more: object, payment = {}) => {
    const { payment_data } = paidWith('vt_nothing');
    const body = { payment_data: { ...payment_data, ...payment }, ...more };
    return send('POST', `/acp/checkout_sessions/${id}/complete`, { body });
  };
  const wrong: readonly [string, Promise<{ status: number; document: { param: string } }>][] = [
    ['$.payment_data.instrument.credential.token', pay({})],
    ['$.payment_data.billing_address.name', pay({}, { billing_address: { ...PLACE, name: LONG } })],
    ['$.payment_data.billing_address.line_one', pay({}, { billing_address: { ...PLACE, line_one: LONG } })],
    ['$.payment_data.billing_address.country', pay({}, { billing_address: { ...PLACE, country: 'XX' } })],
    ['$.buyer.full_name', pay({ buyer: { email: BUYER.email, full_name: LONG } })],
    ['$.buyer.email', pay({ buyer: { email: 'ada' } })],
  ];
  for (const [param, answer] of wrong) {
    const { status, document } = await answer;
    expect([status, document.param], JSON.stringify(document)).toEqual([400, param]);
  }
});

test('maps an update that removes all codes', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const promotion = { name: 'Spring', code: 'SPRING', type: 'percentage', value: 10, status: 'active' };
  expect((await shop.merchant.test('POST', '/v1/promotions', promotion)).status).toBe(201);
  for (const none of [{ discounts: null }, { discounts: { codes: null } }, { coupons: null }, { coupons: [] }]) {
    const body = { ...wanted(shop, 1), discounts: { codes: ['SPRING'] } };
    const { document } = await send('POST', '/acp/checkout_sessions', { body });
    expect(document.discounts.codes).toEqual(['SPRING']);
    const cleared = await send('POST', `/acp/checkout_sessions/${document.id}`, { body: none });
    expect([cleared.status, cleared.document.discounts.codes], JSON.stringify(none)).toEqual([200, []]);
  }
});
