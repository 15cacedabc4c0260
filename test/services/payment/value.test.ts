// Gift cards and store credit over HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboard, join } from '#test/services/staff/client.ts';
import { eventually } from '#test/support/server.ts';
import { errorOf, type PaymentSystem, type Shopper, startPaymentSystem } from './payment_system.ts';

let shop: PaymentSystem;
let ada: Shopper;
let bob: Shopper;
beforeAll(async () => {
  shop = await startPaymentSystem();
  ada = await shop.newShopper();
  bob = await shop.newShopper();
});
afterAll(() => shop.close());

const create = (body: unknown, options = {}) => shop.send('POST', '/v1/gift-cards', { body, ...options });
const byCode = (code: string, key = shop.keys.publishable_key) =>
  shop.send('GET', `/v1/gift-cards?code=${encodeURIComponent(code)}`, { key });
const cardsOf = (shopper: Shopper, query = '', token = shopper.token) =>
  shop.send('GET', `/v1/gift-cards?customer_id=${shopper.id}${query}`, {
    key: shop.keys.publishable_key,
    headers: { 'x-auth-token': token },
  });
const tomorrow = () => new Date(shop.clock.real() + 86_400_000).toISOString();

describe('a new gift card', () => {
  test('starts with its initial amount as balance, and publishes gift_card.issued', async () => {
    const { status, body } = await create({ amount: 50, expires_at: tomorrow(), customer_id: ada.id.toUpperCase() });
    expect([status, body.gift_card]).toEqual([
      201,
      {
        id: expect.any(String),
        code: expect.stringMatching(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/),
        status: 'active',
        currency: 'USD',
        initial_amount: 50,
        balance: 50,
        expires_at: expect.any(String),
        customer_id: ada.id,
        created_at: expect.any(String),
      },
    ]);
    const issued = await shop.recordedEvents(shop.keys.store_id, 'production', ['gift_card.issued']);
    expect(issued.at(-1)?.object).toEqual(body.gift_card);
  });

  test.each<[string, unknown, number, string, string]>([
    ['without an amount', {}, 400, 'invalid_request', 'amount'],
    ['of nothing', { amount: 0 }, 400, 'invalid_request', 'amount'],
    ['of less than nothing', { amount: -5 }, 400, 'invalid_request', 'amount'],
    ['with too many decimals', { amount: 5.001 }, 400, 'invalid_request', 'amount'],
    ['with decimals that yen do not have', { amount: 5.5, currency: 'JPY' }, 400, 'invalid_request', 'amount'],
    ['beyond all amounts', { amount: 100_000_000 }, 400, 'invalid_request', 'amount'],
    ['with a text for an amount', { amount: '50' }, 400, 'invalid_request', 'amount'],
    ['in no currency', { amount: 5, currency: 'ABC' }, 400, 'invalid_request', 'currency'],
    [
      'that is over before it begins',
      { amount: 5, expires_at: '2020-01-01T00:00:00Z' },
      400,
      'invalid_request',
      'expires_at',
    ],
    ['of an unknown customer', { amount: 5, customer_id: randomUUID() }, 404, 'not_found', 'customer_id'],
  ])('%s is refused', async (_name, body, ...expected) => {
    expect(errorOf(await create(body))).toEqual(expected);
  });

  test('counts three decimals of a dinar and none of a yen', async () => {
    expect((await create({ amount: 1.005, currency: 'kwd' })).body.gift_card).toMatchObject({
      balance: 1.005,
      currency: 'KWD',
    });
    expect((await create({ amount: 500, currency: 'JPY' })).body.gift_card.balance).toBe(500);
  });

  test('repeats its answer under one idempotency key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [await create({ amount: 7 }, { headers }), await create({ amount: 7 }, { headers })];
    expect([second.status, second.body]).toEqual([201, { ...first.body, idempotent: true }]);
  });
});

describe('reading gift cards', () => {
  test('finds a card by its code in any spelling', async () => {
    const { code, id } = (await create({ amount: 20 })).body.gift_card;
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code} `]) {
      const { status, body } = await byCode(typed);
      expect([status, body.gift_card.id, body.gift_card.balance]).toEqual([200, id, 20]);
      expect(Object.keys(body)).toEqual(['gift_card']);
    }
  });

  test('answers the requested fields only, for a code and for a customer', async () => {
    const { code } = (await create({ amount: 7, customer_id: bob.id })).body.gift_card;
    const read = (query: string) =>
      shop.send('GET', `/v1/gift-cards?${query}`, {
        key: shop.keys.publishable_key,
        headers: { 'x-auth-token': bob.token },
      });
    expect((await read(`code=${code}&fields=balance,%20status`)).body).toEqual({
      gift_card: { status: 'active', balance: 7 },
    });
    expect((await read(`customer_id=${bob.id}&limit=1&fields=balance`)).body).toEqual({
      gift_cards: [{ balance: 7 }],
      pagination: expect.objectContaining({ limit: 1 }),
    });
    for (const names of ['nope', 'gift_card', 'gift_card.balance', 'balance,']) {
      const refused = await read(`code=${code}&fields=${names}`);
      expect([refused.status, refused.body.error?.param], names).toEqual([400, 'fields']);
    }
  });

  test('answers 404 for an unknown code, and for one of another environment or store', async () => {
    const { code } = (await create({ amount: 20 })).body.gift_card;
    expect(errorOf(await byCode('AAAA-BBBB-CCCC-DDDD'))).toEqual([404, 'not_found', 'code']);
    expect(errorOf(await byCode('x'))).toEqual([404, 'not_found', 'code']);
    expect(errorOf(await byCode(code, shop.keys.publishable_test_key))).toEqual([404, 'not_found', 'code']);
    const outsider = await shop.stoa.createStore();
    expect(errorOf(await byCode(code, outsider.publishable_key))).toEqual([404, 'not_found', 'code']);
  });

  test('lists a customer’s cards page by page, newest first', async () => {
    const carol = await shop.newShopper();
    const made: string[] = [];
    for (let at = 0; at < 5; at++)
      made.unshift((await create({ amount: at + 1, customer_id: carol.id })).body.gift_card.id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await cardsOf(carol, `&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(Object.keys(body)).toEqual(['gift_cards', 'pagination']);
      seen.push(...body.gift_cards.map(({ id }: { id: string }) => id));
      cursor = body.pagination.next_cursor;
    } while (cursor);
    expect(seen).toEqual(made);
  });

  test.each<[string, string, Record<string, string>, number]>([
    ['names neither code nor customer', '', {}, 400],
    ['names both', 'both', {}, 400],
    ['names a customer without their session', 'ada', {}, 401],
    ['names another customer', 'ada', { 'x-auth-token': 'bob' }, 403],
    ['comes with a foreign cursor', 'cursor', { 'x-auth-token': 'ada' }, 400],
  ])('that %s is refused', async (_name, what, headers, status) => {
    const token = { ada: ada.token, bob: bob.token }[headers['x-auth-token'] ?? ''];
    const query = {
      '': '',
      both: `?code=AAAA&customer_id=${ada.id}`,
      ada: `?customer_id=${ada.id}`,
      cursor: `?customer_id=${ada.id}&cursor=abcd`,
    }[what];
    const sent = token ?? (what === 'both' ? ada.token : undefined);
    const reply = await shop.send('GET', `/v1/gift-cards${query}`, { headers: sent ? { 'x-auth-token': sent } : {} });
    expect(reply.status).toBe(status);
  });
});

describe('disabling a gift card', () => {
  const disable = (id: string, body: unknown = { status: 'disabled' }) =>
    shop.send('PATCH', `/v1/gift-cards/${id}`, { body });

  test('disables it, and a repetition changes nothing', async () => {
    const { id, code } = (await create({ amount: 20 })).body.gift_card;
    for (const _time of [1, 2]) {
      const { status, body } = await disable(id);
      expect([status, body.gift_card.status, body.gift_card.balance]).toEqual([200, 'disabled', 20]);
    }
    expect((await byCode(code)).body.gift_card.status).toBe('disabled');
  });

  test('answers 404 for an unknown card, and 400 for any other status', async () => {
    expect((await disable(randomUUID())).status).toBe(404);
    expect(errorOf(await disable(randomUUID(), { status: 'active' }))).toEqual([400, 'invalid_request', 'status']);
  });
});

describe('a gift card that expires', () => {
  test('reads as expired from that moment, and publishes gift_card.expired once', async () => {
    const at = new Date(shop.clock.real() + 60_000).toISOString();
    const { id, code } = (await create({ amount: 20, expires_at: at })).body.gift_card;
    shop.clock.advance(59_999);
    expect((await byCode(code)).body.gift_card.status).toBe('active');
    shop.clock.advance(1);
    expect((await byCode(code)).body.gift_card).toMatchObject({ status: 'expired', balance: 20 });
    const mine = async () =>
      (await shop.recordedEvents(shop.keys.store_id, 'production', ['gift_card.expired'])).filter(
        ({ object }) => object.id === id,
      );
    await eventually(async () => expect(await mine()).toHaveLength(1));
    expect((await mine())[0]!.object).toMatchObject({ status: 'expired', balance: 20 });
  });
});

describe('value that goes back to an expired gift card', () => {
  const write = (method: string, path: string, body: unknown) =>
    shop.send(method, path, { body, signWith: shop.keys.hmac_secret });
  const paidByCard = async (buyer: object) => {
    const product = { name: 'Gift wrap', price: 20, stock: 5, shipping_info: { requires_shipping: false } };
    const { variant_id } = (await write('POST', '/v1/products', product)).body;
    const expires_at = new Date(shop.clock.real() + 60_000).toISOString();
    const { code, id } = (await create({ amount: 20, expires_at })).body.gift_card;
    const items = [{ variant_id, quantity: 1 }];
    const { status, body, text } = await write('POST', '/v1/orders', { items, gift_card_codes: [code], ...buyer });
    expect([status, body.order?.payment_status], text).toEqual([201, 'paid']);
    shop.clock.advance(60_000);
    return { code, card: id, order: body.order.id };
  };

  test('becomes the customer’s store credit, by a refund and by a cancellation', async () => {
    const shopper = await shop.newShopper();
    const { order } = await paidByCard({ customer_id: shopper.id });
    const { status, body, text } = await write('POST', `/v1/orders/${order}/refunds`, { amount: 5 });
    expect([status, body.refunded_to], text).toEqual([
      201,
      [{ type: 'store_credit', id: shopper.id, amount: 5, closed: false }],
    ]);
    const cancelled = await write('PATCH', `/v1/orders/${order}`, { order_status: 'cancelled' });
    expect(cancelled.body.order).toMatchObject({ order_status: 'cancelled', payment_status: 'refunded' });
    const credit = await shop.send('GET', `/v1/store-credit?customer_id=${shopper.id}`, {
      key: shop.keys.publishable_key,
      headers: { 'x-auth-token': shopper.token },
    });
    expect(credit.body.store_credit.balance).toBe(20);
  });

  test.each([
    ['a guest', async () => ({ email: 'guest@example.com' }), async () => {}],
    [
      'a customer who is deleted since',
      async () => ({ customer_id: (await shop.newShopper()).id }),
      (id: string) => shop.send('DELETE', `/v1/customers/${id}`),
    ],
  ])('opens the card again for 90 days where the order is that of %s', async (_name, buyerOf, leave) => {
    const buyer = await buyerOf();
    const { code, card, order } = await paidByCard(buyer);
    if ('customer_id' in buyer) await leave(buyer.customer_id);
    const until = new Date(shop.clock.real() + 90 * 86_400_000).toISOString();
    const { body } = await write('POST', `/v1/orders/${order}/refunds`, { amount: 20 });
    expect(body.refunded_to).toEqual([{ type: 'gift_card', id: card, amount: 20, closed: false }]);
    expect((await byCode(code)).body.gift_card).toMatchObject({ status: 'active', balance: 20, expires_at: until });
  });
});

describe('store credit of a deleted customer', () => {
  const write = (method: string, path: string, body: unknown) =>
    shop.send(method, path, { body, signWith: shop.keys.hmac_secret });
  /** Places an order of 20.00, paid with 15.00 of store credit and a gift card of 5.00, then deletes its customer. */
  const paidByDeleted = async () => {
    const shopper = await shop.newShopper();
    const product = { name: 'Gift wrap', price: 20, stock: 5, shipping_info: { requires_shipping: false } };
    const { variant_id } = (await write('POST', '/v1/products', product)).body;
    const card = (await create({ amount: 5 })).body.gift_card;
    await shop.send('POST', '/v1/store-credit', { body: { customer_id: shopper.id, amount: 15 } });
    const items = [{ variant_id, quantity: 1 }];
    const paying = { customer_id: shopper.id, store_credit: 15, gift_card_codes: [card.code] };
    const { status, body, text } = await write('POST', '/v1/orders', { items, ...paying });
    expect([status, body.order?.payment_status], text).toEqual([201, 'paid']);
    expect((await shop.send('DELETE', `/v1/customers/${shopper.id}`)).status).toBe(200);
    return { customer: shopper.id, card, order: body.order.id };
  };
  const booked = async (customer: string) => {
    const [row] = await shop.stoa.services.runtime.postgres.sql<{ balance: number }[]>`
      select balance from ledger.account where store = ${shop.keys.store_id} and environment = 'production'
        and kind = 'store_credit' and subject = ${customer}`;
    return row?.balance;
  };

  test('stays on the closed account, and the refund names it as closed', async () => {
    const { customer, card, order } = await paidByDeleted();
    const { status, body, text } = await write('POST', `/v1/orders/${order}/refunds`, { amount: 20 });
    expect([status, body.refunded_to], text).toEqual([
      201,
      [
        { type: 'store_credit', id: customer, amount: 15, closed: true },
        { type: 'gift_card', id: card.id, amount: 5, closed: false },
      ],
    ]);
    expect(await booked(customer)).toBe(1_500);
  });

  test('stays on the closed account when the order is cancelled', async () => {
    const { customer, card, order } = await paidByDeleted();
    const { body } = await write('PATCH', `/v1/orders/${order}`, { order_status: 'cancelled' });
    expect(body.order).toMatchObject({ payment_status: 'refunded', store_credit_total: 0, gift_card_total: 0 });
    expect(await booked(customer)).toBe(1_500);
    expect((await byCode(card.code)).body.gift_card).toMatchObject({ status: 'active', balance: 5 });
  });
});

describe('store credit', () => {
  const grant = (body: unknown) => shop.send('POST', '/v1/store-credit', { body });
  const read = (shopper: Shopper, token = shopper.token) =>
    shop.send('GET', `/v1/store-credit?customer_id=${shopper.id}`, {
      key: shop.keys.publishable_key,
      headers: { 'x-auth-token': token },
    });

  test('starts at zero, and adds up each grant', async () => {
    const dora = await shop.newShopper();
    expect((await read(dora)).body).toEqual({ store_credit: { balance: 0, currency: 'USD', entries: [] } });
    await grant({ customer_id: dora.id, amount: 10.1, reason: 'Goodwill' });
    const { status, body } = await grant({ customer_id: dora.id, amount: 10.2 });
    const entry = { id: expect.any(String), order_id: null, created_at: expect.any(String) };
    expect([status, body.store_credit]).toEqual([
      201,
      {
        balance: 20.3,
        currency: 'USD',
        entries: [
          { ...entry, amount: 10.2, reason: null },
          { ...entry, amount: 10.1, reason: 'Goodwill' },
        ],
      },
    ]);
    expect((await read(dora)).body).toEqual(body);
  });

  test.each<[string, unknown, number, string, string]>([
    ['to an unknown customer', { customer_id: randomUUID(), amount: 5 }, 404, 'not_found', 'customer_id'],
    ['to no id', { customer_id: 'ada', amount: 5 }, 400, 'invalid_request', 'customer_id'],
    ['without a customer', { amount: 5 }, 400, 'invalid_request', 'customer_id'],
    ['of nothing', { customer_id: randomUUID(), amount: 0 }, 400, 'invalid_request', 'amount'],
    ['of parts of a cent', { customer_id: randomUUID(), amount: 0.005 }, 400, 'invalid_request', 'amount'],
  ])('granted %s is refused', async (_name, body, ...expected) => {
    expect(errorOf(await grant(body))).toEqual(expected);
  });

  test('refuses every reader but its owner and staff of the dashboard', async () => {
    expect((await read(ada, bob.token)).status).toBe(403);
    const path = `/v1/store-credit?customer_id=${ada.id}`;
    expect((await shop.send('GET', path)).status).toBe(401);
    expect((await shop.send('GET', path, { key: shop.keys.publishable_key })).status).toBe(401);
  });

  test('opens to staff of the dashboard, who name a customer', async () => {
    const dora = await shop.newShopper();
    const granted = await grant({ customer_id: dora.id, amount: 7 });
    const { cookie } = await join(shop.stoa, shop.keys, 'support');
    const path = '/v1/store-credit';
    expect((await dashboard(shop.stoa, 'GET', `${path}?customer_id=${dora.id}`, { cookie })).body).toEqual(
      granted.body,
    );
    expect(errorOf(await dashboard(shop.stoa, 'GET', path, { cookie }))).toEqual([404, 'not_found', 'customer_id']);
  });
});
