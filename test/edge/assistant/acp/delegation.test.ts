// Delegated payment: for whom a token is issued, and for what none is.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { ADDRESS, allowance, card, delegated, openReady, sending, wanted } from '#test/edge/assistant/acp/agent.ts';
import { type Document, openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { acpSchemaErrors, hasAcpSchemas } from '#test/support/acp_schema.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test.each([
  ['another kind of payment', { payment_method: { ...card('4242424242424242'), type: 'bank' } }, 'payment_method.type'],
  ['more than one time', { allowance: { reason: 'recurring' } }, 'allowance.reason'],
  ['a text for risk signals', { risk_signals: 'none' }, 'risk_signals'],
  ['an amount in words', { allowance: { max_amount: '100' } }, 'allowance.max_amount'],
])('no token is issued for %s', async (_, more, param) => {
  const shop = await openShop(stoa);
  const { document: session } = await sending(shop)('POST', '/acp/checkout_sessions', { body: wanted(shop) });
  const body = {
    payment_method: card('4242424242424242'),
    risk_signals: [],
    metadata: {},
    ...more,
    allowance: allowance(shop, session.id, 'allowance' in more ? more.allowance : {}),
  };
  const { status, document } = await sending(shop)('POST', '/acp/agentic_commerce/delegate_payment', { body });
  expect([status, document.code, document.param]).toEqual([400, 'invalid_request', `$.${param}`]);
});

const WHOLE = (shop: Shop, session: string): Document => ({
  payment_method: card('4242424242424242'),
  allowance: allowance(shop, session),
  billing_address: ADDRESS,
  risk_signals: [{ type: 'card_testing', score: 5, action: 'authorized' }],
  metadata: {},
});

/** Each takes a whole request out of what the published schema allows. */
const OUTSIDE: readonly [path: string, change: (body: Document) => void][] = [
  ['', (body) => Object.assign(body, { more: 1 })],
  ['risk_signals', (body) => delete body.risk_signals],
  ['metadata', (body) => delete body.metadata],
  ['metadata', (body) => Object.assign(body.metadata, { a: 1 })],
  ['payment_method', (body) => Object.assign(body.payment_method, { more: 1 })],
  ['payment_method', (body) => delete body.payment_method.card_number_type],
  ['payment_method', (body) => delete body.payment_method.display_card_funding_type],
  ['payment_method', (body) => delete body.payment_method.metadata],
  ['payment_method', (body) => Object.assign(body.payment_method, { card_number_type: 'pan' })],
  ['payment_method', (body) => Object.assign(body.payment_method, { display_card_funding_type: 'gift' })],
  ['payment_method', (body) => Object.assign(body.payment_method, { display_last4: '42' })],
  ['payment_method', (body) => Object.assign(body.payment_method, { iin: '424242424' })],
  ['payment_method', (body) => Object.assign(body.payment_method, { checks_performed: ['pin'] })],
  ['payment_method', (body) => Object.assign(body.payment_method, { name: null })],
  ['allowance', (body) => Object.assign(body.allowance, { more: 1 })],
  ['allowance', (body) => Object.assign(body.allowance, { currency: 'USD' })],
  ['allowance', (body) => delete body.allowance.expires_at],
  ['billing_address', (body) => delete body.billing_address.postal_code],
  ['billing_address', (body) => Object.assign(body.billing_address, { country: 'KEN' })],
  ['billing_address', (body) => Object.assign(body.billing_address, { line_one: 'x'.repeat(61) })],
  ['risk_signals', (body) => Object.assign(body.risk_signals[0], { action: 'none' })],
  ['risk_signals', (body) => Object.assign(body.risk_signals[0], { score: 0.5 })],
];

test('no token is issued for what the published schema refuses', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const { document: session } = await send('POST', '/acp/checkout_sessions', { body: wanted(shop) });
  const ask = (body: Document) => send('POST', '/acp/agentic_commerce/delegate_payment', { body });
  for (const [path, change] of OUTSIDE) {
    const body = structuredClone(WHOLE(shop, session.id));
    change(body);
    if (hasAcpSchemas) expect(acpSchemaErrors('delegate_payment', 'DelegatePaymentRequest', body)).not.toEqual([]);
    const { status, document } = await ask(body);
    expect([status, document.code], `${change}`).toEqual([400, 'invalid_request']);
    expect(document.param, `${change}`).toContain(`$${path && `.${path}`}`);
  }
  expect((await ask(WHOLE(shop, session.id))).status).toBe(201);
});

// 9,999,999,999 minor units are the most that anything costs.
test.each([
  ['9007199254740991'],
  ['9007199254740993'],
  ['1000000000000000'],
  ['10000000000'],
  ['12345678901234567890'],
  ['1e300'],
  ['0'],
  ['-1'],
  ['0.5'],
])('no token is issued for %s minor units', async (amount) => {
  const shop = await openShop(stoa);
  const { document: session } = await sending(shop)('POST', '/acp/checkout_sessions', { body: wanted(shop) });
  const body = JSON.stringify({
    payment_method: card('4242424242424242'),
    allowance: allowance(shop, session.id, { max_amount: 4711 }),
    risk_signals: [],
    metadata: {},
  }).replace('4711', amount);
  const { status, document } = await sending(shop)('POST', '/acp/agentic_commerce/delegate_payment', { body });
  expect([status, document.code, document.param]).toEqual([400, 'invalid_request', '$.allowance.max_amount']);
});

test.each([
  ['number', '4242424242424241', 'invalid_card'],
  ['exp_month', '13', 'invalid_card'],
  ['exp_month', 11, 'invalid_request'],
  ['exp_year', '30', 'invalid_card'],
  ['exp_year', 2030, 'invalid_request'],
  ['cvc', '12', 'invalid_card'],
  ['cvc', 223, 'invalid_request'],
])('no token is issued for a card whose %s is %j', async (name, value, code) => {
  const shop = await openShop(stoa);
  const { document: session } = await sending(shop)('POST', '/acp/checkout_sessions', { body: wanted(shop) });
  const body = {
    payment_method: { ...card('4242424242424242'), [name]: value },
    allowance: allowance(shop, session.id),
    risk_signals: [],
    metadata: {},
  };
  const { status, document } = await sending(shop)('POST', '/acp/agentic_commerce/delegate_payment', { body });
  expect([status, document.code, document.param]).toEqual([400, code, `$.payment_method.${name}`]);
});

test('a token is issued for the most that anything costs', async () => {
  const shop = await openShop(stoa);
  const { document: session } = await sending(shop)('POST', '/acp/checkout_sessions', { body: wanted(shop) });
  expect((await delegated(shop, session.id, { more: { max_amount: 9_999_999_999 } })).status).toBe(201);
});

// RFC "Delegate Payment", 5: keys belong to the endpoint, so another body or session under one is 422.
test('one key is one token', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const headers = { 'Idempotency-Key': randomUUID() };
  const [one, two] = await Promise.all([openReady(shop), openReady(shop)]);
  const expires = { expires_at: new Date(Date.now() + 600_000).toISOString() };
  const ask = (session: string) => {
    const payment_method = card('4242424242424242');
    const body = { payment_method, allowance: allowance(shop, session, expires), risk_signals: [], metadata: {} };
    return send('POST', '/acp/agentic_commerce/delegate_payment', { body, headers });
  };
  const first = await ask(one.id);
  const again = await ask(one.id);
  expect([first.status, again.status, again.document.id]).toEqual([201, 201, first.document.id]);
  const crossed = await ask(two.id);
  expect([crossed.status, crossed.document.code]).toEqual([422, 'idempotency_conflict']);
});

test('no token is issued for a card that is none, another merchant, or in production', async () => {
  const shop = await openShop(stoa);
  const ready = await openReady(shop);
  const bad = await delegated(shop, ready.id, { number: '4242424242424241' });
  expect([bad.status, bad.document.code]).toEqual([400, 'invalid_card']);
  const other = await delegated(shop, ready.id, { more: { merchant_id: 'other' } });
  expect([other.status, other.document.param]).toEqual([400, '$.allowance.merchant_id']);
  const live = await sending(shop)('POST', '/acp/agentic_commerce/delegate_payment', {
    key: shop.merchant.keys.secret_key,
    body: {
      payment_method: card('4242424242424242'),
      allowance: allowance(shop, ready.id),
      risk_signals: [],
      metadata: {},
    },
  });
  expect(live.status).toBe(403);
});
