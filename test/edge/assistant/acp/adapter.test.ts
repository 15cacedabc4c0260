// Tests shopping over ACP: from a session to a paid order, protocol headers and refusals.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BUYER,
  delegated,
  judged,
  openReady,
  paidWith,
  sending,
  VERSION,
  wanted,
} from '#test/edge/assistant/acp/agent.ts';
import { type Document, fieldsSaying, HOSTILE_NAME, openShop, sellHostile } from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

describe('an agent', () => {
  test('begins a session, chooses its delivery, pays by a delegated token, and reads it', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const requestId = randomUUID();
    const created = await send('POST', '/acp/checkout_sessions', {
      body: wanted(shop),
      headers: { 'Request-Id': requestId },
    });
    judged('CheckoutSession', created.document);
    expect(created.status).toBe(201);
    expect(created.headers.get('request-id')).toBe(requestId);
    expect(created.document).toMatchObject({
      status: 'not_ready_for_payment',
      currency: 'usd',
      protocol: { version: VERSION },
      continue_url: `${shop.base}/checkout/${created.document.id}`,
      links: [{ type: 'return_policy', url: `${shop.base}/policies/returns` }],
    });
    expect(created.document.messages.map(({ param }: Document) => param)).toEqual([
      '$.fulfillment_details.address',
      '$.buyer.email',
      '$.selected_fulfillment_options',
    ]);
    expect(created.document.capabilities.payment.handlers[0].config.merchant_id).toBe(shop.merchant.keys.store_id);

    const ready = await openReady(shop);
    judged('CheckoutSession', ready);
    expect(ready.totals.find(({ type }: Document) => type === 'total').amount).toBe(2500);
    const token = await delegated(shop, ready.id);
    judged('DelegatePaymentResponse', token.document, 'delegate_payment');
    expect([token.status, token.document.metadata]).toEqual([
      201,
      {
        merchant_id: shop.merchant.keys.store_id,
        idempotency_key: token.headers.get('idempotency-key'),
      },
    ]);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { ...paidWith(token.document.id), buyer: BUYER };
    const done = await send('POST', `/acp/checkout_sessions/${ready.id}/complete`, { body, headers });
    judged('CheckoutSessionWithOrder', done.document);
    expect([done.status, done.document.status]).toEqual([200, 'completed']);
    expect(done.document.order).toMatchObject({ checkout_session_id: ready.id, order_number: expect.any(String) });
    expect(done.headers.get('idempotent-replayed')).toBeNull();
    const again = await send('POST', `/acp/checkout_sessions/${ready.id}/complete`, { body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.document.order).toEqual(done.document.order);
    const { document } = await send('GET', `/acp/checkout_sessions/${ready.id}`);
    expect(document).toMatchObject({ status: 'completed', order: { id: done.document.order.id } });
    const { body: stored } = await shop.merchant.test('GET', `/v1/orders/${done.document.order.id}`);
    expect(stored.order).toMatchObject({
      payment_status: 'paid',
      total_amount: 25,
      agent: { name: 'Parrot/1.0', protocol: 'acp' },
      checkout_intent_id: ready.id,
    });
    // "MUST send a confirmation email after the checkout has been completed", once.
    const sent = (await shop.merchant.test('GET', `/v1/sandbox/messages?email=${BUYER.email}`)).body;
    const messages = sent.messages.filter(({ kind }: Document) => kind === 'order_placed');
    expect(messages).toMatchObject([
      { kind: 'order_placed', subject: expect.stringContaining(stored.order.order_number) },
    ]);
    expect(messages[0].text).toContain('2 × Blue mug\n\nTotal: 25.00 USD\n\nFollow it at ');
    expect(messages[0].text).toContain(`${shop.base}/orders/${stored.order.id}`);
  });

  test('finds the store’s discovery document without a key, and its products with one', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const found = await send('GET', '/.well-known/acp.json', { key: null, headers: { 'API-Version': undefined } });
    judged('DiscoveryResponse', found.document);
    expect(found.document).toMatchObject({ api_base_url: `${shop.base}/acp`, protocol: { version: VERSION } });
    const feed = await send('GET', '/acp/feed');
    judged('ProductsResponse', feed.document, 'feed');
    expect(feed.document.products.map(({ title }: Document) => title).sort()).toEqual(['Blue mug', 'Shirt']);
    expect((await send('GET', '/acp/feed', { key: null })).status).toBe(401);
  });

  test('sends codes: those that do not apply are told, and refuse nothing', async () => {
    const shop = await openShop(stoa);
    await shop.merchant.test('POST', '/v1/promotions', {
      name: 'Spring',
      code: 'SPRING',
      type: 'percentage',
      value: 10,
      status: 'active',
    });
    const { document } = await sending(shop)('POST', '/acp/checkout_sessions', {
      body: { ...wanted(shop), discounts: { codes: ['SPRING', 'NOPE'] } },
    });
    judged('CheckoutSession', document);
    // "Responses: array of extension declaration objects."
    expect(document.capabilities.extensions).toEqual([
      {
        name: 'discount',
        extends: [
          '$.CheckoutSessionCreateRequest.discounts',
          '$.CheckoutSessionUpdateRequest.discounts',
          '$.CheckoutSession.discounts',
        ],
      },
    ]);
    expect(document.discounts.rejected).toMatchObject([{ code: 'NOPE', reason: 'discount_code_invalid' }]);
    expect(document.messages).toContainEqual(
      expect.objectContaining({ type: 'warning', code: 'discount_code_invalid' }),
    );
  });

  // RFC "Discount Extension", 8.2: "All discount amounts are positive integers in minor currency units".
  test('reads a discount as an amount that is taken off, in the session as in its lines', async () => {
    const shop = await openShop(stoa);
    const spring = { name: 'Spring', code: 'SPRING', type: 'percentage', value: 10, status: 'active' };
    await shop.merchant.test('POST', '/v1/promotions', spring);
    const body = { ...wanted(shop), discounts: { codes: ['SPRING'] } };
    const { document } = await sending(shop)('POST', '/acp/checkout_sessions', { body });
    const amounts = ({ totals }: Document) => totals.map(({ type, amount }: Document) => [type, amount]);
    const sums = [
      ['items_base_amount', 2000],
      ['items_discount', 200],
      ['subtotal', 1800],
      ['total', 1800],
    ];
    expect(amounts(document.line_items[0])).toEqual(sums);
    expect(amounts(document)).toEqual(sums);
    expect(document.discounts.applied).toMatchObject([{ code: 'SPRING', amount: 200 }]);
  });

  test('meets a product’s text as data alone, and in no message of ours', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const mug = await sellHostile(shop);
    const created = await send('POST', '/acp/checkout_sessions', { body: wanted({ ...shop, mug }, 1) });
    expect(created.status).toBe(201);
    expect(fieldsSaying(HOSTILE_NAME, created.document)).toEqual(['name']);
    expect(created.document.messages.length).toBeGreaterThan(0);
    expect(fieldsSaying(HOSTILE_NAME, created.document.messages)).toEqual([]);
    const outOfStock = await send('POST', '/acp/checkout_sessions', { body: wanted({ ...shop, mug }, 1) });
    expect(outOfStock.status).toBe(409);
    expect(fieldsSaying(HOSTILE_NAME, outOfStock.document)).toEqual([]);
  });

  test('answers a retried choice of delivery as the first time after its item is gone', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const ready = await openReady(shop);
    const path = `/acp/checkout_sessions/${ready.id}`;
    const headers = { 'Idempotency-Key': randomUUID() };
    const choice = { body: { selected_fulfillment_options: ready.selected_fulfillment_options }, headers };
    const first = await send('POST', path, choice);
    expect(first.status).toBe(200);
    const plate = await shop.merchant.test('POST', '/v1/products', { name: 'Plate', price: 3, stock: 5 });
    const moved = await send('POST', path, { body: { line_items: [{ id: plate.body.variant_id, quantity: 1 }] } });
    expect(moved.status).toBe(200);
    const again = await send('POST', path, choice);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.document.line_items).toEqual(first.document.line_items);
    const anew = await send('POST', path, { body: choice.body });
    expect([anew.status, anew.document.param]).toEqual([404, '$.selected_fulfillment_options[0].item_ids[0]']);
    expect((await send('GET', path)).document.line_items).toEqual(moved.document.line_items);
  });

  test('cancels a session once', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const { document } = await send('POST', '/acp/checkout_sessions', { body: wanted(shop, 5) });
    expect((await send('POST', '/acp/checkout_sessions', { body: wanted(shop, 1) })).status).toBe(409);
    const over = await send('POST', `/acp/checkout_sessions/${document.id}/cancel`, { body: {} });
    judged('CheckoutSession', over.document);
    expect(over.document.status).toBe('canceled');
    expect((await send('POST', `/acp/checkout_sessions/${document.id}/cancel`, { body: {} })).status).toBe(405);
    expect((await send('POST', '/acp/checkout_sessions', { body: wanted(shop, 1) })).status).toBe(201);
  });
});

describe('a gate', () => {
  test.each([
    ['no version', { 'API-Version': undefined }, 400, 'missing_api_version'],
    ['another version', { 'API-Version': '2025-09-29' }, 400, 'unsupported_api_version'],
    ['no idempotency key', { 'Idempotency-Key': undefined }, 400, 'idempotency_key_required'],
    ['too long a key', { 'Idempotency-Key': 'k'.repeat(256) }, 400, 'invalid'],
  ])('refuses %s', async (_, headers, status, code) => {
    const shop = await openShop(stoa);
    const answer = await sending(shop)('POST', '/acp/checkout_sessions', { body: wanted(shop), headers });
    expect([answer.status, answer.document.code]).toEqual([status, code]);
  });

  test('refuses no key, an unknown one, and another store’s', async () => {
    const [shop, other] = [await openShop(stoa), await openShop(stoa)];
    const send = sending(shop);
    const path = `/acp/checkout_sessions/${randomUUID()}`;
    expect((await send('GET', path, { key: null })).status).toBe(401);
    expect((await send('GET', path, { key: 'svc_sk_test_nothing' })).status).toBe(401);
    expect((await send('GET', path, { key: other.merchant.keys.secret_test_key })).status).toBe(404);
    expect((await send('GET', path)).document.code).toBe('not_found');
  });

  test('holds one key to one body, and answers its retries as the first time', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('POST', '/acp/checkout_sessions', { body: wanted(shop), headers })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ document }) => document.id)).size).toBe(1);
    for (const { status, document } of answers.filter((each) => each.status !== 201))
      expect([status, document.code]).toEqual([409, 'idempotency_in_flight']);
    const crossed = await send('POST', '/acp/checkout_sessions', { body: wanted(shop, 1), headers });
    expect([crossed.status, crossed.document.code]).toEqual([422, 'idempotency_conflict']);
  });

  // "Equivalence is determined by semantic JSON equality of the request body": order of names and trailing zeros are
  // nothing, the order of a list and null are something.
  test.each([
    ['names in another order', (mug: string) => `{"currency":"usd","line_items":[{"quantity":2,"id":"${mug}"}]}`, 201],
    ['2.0', (mug: string) => `{ "line_items": [{ "id": "${mug}", "quantity": 2.0 }], "currency": "usd" }`, 201],
    ['null', (mug: string) => `{"line_items":[{"id":"${mug}","quantity":2}],"currency":"usd","buyer":null}`, 422],
  ])('takes a body with %s for the same, or not', async (_, write, status) => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = `{"line_items":[{"id":"${shop.mug}","quantity":2}],"currency":"usd"}`;
    const first = await send('POST', '/acp/checkout_sessions', { body, headers });
    const again = await send('POST', '/acp/checkout_sessions', { body: write(shop.mug), headers });
    expect([first.status, again.status]).toEqual([201, status]);
    if (status === 201) expect(again.document.id).toBe(first.document.id);
  });
});

test('a session is in the currency that the agent names, of those that the store sells in, and keeps it', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  await shop.merchant.secret('PATCH', '/v1/store', { currencies: [{ currency: 'EUR', prices: 'rate' }] });
  await shop.merchant.test('PUT', '/v1/exchange-rates/EUR', { rate: 0.9 });
  const created = await send('POST', '/acp/checkout_sessions', { body: { ...wanted(shop), currency: 'eur' } });
  judged('CheckoutSession', created.document);
  expect([created.status, created.document.currency]).toEqual([201, 'eur']);
  expect(created.document.totals.find(({ type }: Document) => type === 'total').amount).toBe(1800);
  const { id } = created.document;
  const changed = await send('POST', `/acp/checkout_sessions/${id}`, { body: { buyer: BUYER, currency: 'eur' } });
  expect([changed.status, changed.document.currency]).toEqual([200, 'eur']);
  const other = await send('POST', `/acp/checkout_sessions/${id}`, { body: { buyer: null, currency: 'usd' } });
  expect([other.status, other.document.param]).toEqual([400, '$.currency']);
  expect((await send('GET', `/acp/checkout_sessions/${id}`)).document).toEqual(changed.document);
  // The edge has the store's former currencies for some seconds.
  await eventually(async () => {
    const { document } = await send('GET', '/.well-known/acp.json', { key: null });
    expect(document.capabilities.supported_currencies).toEqual(['usd', 'eur']);
  });
});

describe('what stands in the way', () => {
  test.each([
    ['nothing to buy', { line_items: [] }, 400, 'invalid_request', '$.line_items'],
    ['an unknown item', { line_items: [{ id: randomUUID() }] }, 400, 'invalid_item_id', '$.line_items[0].id'],
    [
      'too many pieces',
      { line_items: [{ id: 'mug', quantity: 500 }] },
      409,
      'out_of_stock',
      '$.line_items[0].quantity',
    ],
    ['another currency', { currency: 'eur' }, 400, 'invalid_request', '$.currency'],
    ['a text for a list', { line_items: 'mug' }, 400, 'invalid_request', '$.line_items'],
  ])('of %s is told', async (_, more, status, code, param) => {
    const shop = await openShop(stoa);
    const body = { ...wanted(shop), ...more };
    const items = Array.isArray(body.line_items)
      ? body.line_items.map((item) => (item.id === 'mug' ? { ...item, id: shop.mug } : item))
      : body.line_items;
    const answer = await sending(shop)('POST', '/acp/checkout_sessions', { body: { ...body, line_items: items } });
    expect([answer.status, answer.document.code, answer.document.param]).toEqual([status, code, param]);
  });

  test('a payment by a declined card, a token used twice, another store’s, or for less', async () => {
    const [shop, other] = [await openShop(stoa), await openShop(stoa)];
    const send = sending(shop);
    const ready = await openReady(shop);
    const pay = (token: string, session = ready.id) =>
      send('POST', `/acp/checkout_sessions/${session}/complete`, { body: paidWith(token) });
    const declined = await pay((await delegated(shop, ready.id, { number: '4000000000000002' })).document.id);
    expect([declined.status, declined.document.code]).toEqual([402, 'payment_declined']);
    const theirs = await openReady(other);
    expect((await pay((await delegated(other, theirs.id)).document.id)).status).toBe(400);
    const small = await pay((await delegated(shop, ready.id, { more: { max_amount: 100 } })).document.id);
    expect(small.status).toBeGreaterThanOrEqual(400);
    expect((await send('GET', `/acp/checkout_sessions/${ready.id}`)).document.status).toBe('ready_for_payment');
    const token = (await delegated(shop, ready.id)).document.id;
    expect((await pay(token)).status).toBe(200);
    const second = await openReady(shop);
    expect((await pay(token, second.id)).status).toBeGreaterThanOrEqual(400);
    expect((await send('GET', `/acp/checkout_sessions/${second.id}`)).document.status).toBe('ready_for_payment');
  });

  test('a buyer who comes with a payment that is refused stays unknown; with one that is taken, they bought', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const { id } = await openReady(shop);
    const before = (await send('GET', `/acp/checkout_sessions/${id}`)).document;
    const buyer = { email: 'eve@example.com', first_name: 'Eve', last_name: 'Otieno' };
    const pay = async (said: object, number?: string) => {
      const token = (await delegated(shop, id, number === undefined ? {} : { number })).document.id;
      return send('POST', `/acp/checkout_sessions/${id}/complete`, { body: { ...paidWith(token), ...said } });
    };
    expect((await pay({ buyer }, '4000000000000002')).status).toBe(402);
    const unknown = await send('POST', `/acp/checkout_sessions/${id}/complete`, {
      body: { ...paidWith('none'), buyer },
    });
    expect(unknown.status).toBe(400);
    const unreadable = await pay({ buyer: { ...buyer, email: 'eve' } });
    expect([unreadable.status, unreadable.document.param]).toEqual([400, '$.buyer.email']);
    expect((await send('GET', `/acp/checkout_sessions/${id}`)).document).toEqual(before);

    const done = await pay({ buyer });
    expect([done.status, done.document.buyer]).toEqual([200, buyer]);
    const { order } = (await shop.merchant.test('GET', `/v1/orders/${done.document.order.id}`)).body;
    expect(order.email).toBe('eve@example.com');
    const { messages } = (await shop.merchant.test('GET', '/v1/sandbox/messages?email=eve@example.com')).body;
    expect(messages.filter(({ kind }: Document) => kind === 'order_placed')).toHaveLength(1);
  });

  test('reports a deactivated product in a session as out of stock', async () => {
    const shop = await openShop(stoa);
    const { id } = await openReady(shop);
    const { products } = (await shop.merchant.test('GET', '/v1/products')).body;
    const mug = products.find(({ variant_id }: Document) => variant_id === shop.mug);
    await shop.merchant.test('PATCH', `/v1/products/${mug.id}`, { is_active: false });
    const token = (await delegated(shop, id)).document.id;
    const { status, document } = await sending(shop)('POST', `/acp/checkout_sessions/${id}/complete`, {
      body: paidWith(token),
    });
    expect([status, document.code, document.param]).toEqual([409, 'out_of_stock', '$.id']);
  });

  test('says in its message the field that its path names', async () => {
    const shop = await openShop(stoa);
    const body = { ...wanted(shop), line_items: [{ id: shop.mug, quantity: -1 }] };
    const { document } = await sending(shop)('POST', '/acp/checkout_sessions', { body });
    expect([document.message, document.param]).toEqual([
      '`$.line_items[0].quantity` must be at least 1.',
      '$.line_items[0].quantity',
    ]);
  });
});
