// Offers of the Agent API in further currencies than the store's: quotes and checkout intents over HTTP, from their prices
// to the orders that are placed from them.
import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const HOUR_MS = 3_600_000;
const ADDRESS = { line1: '12 Moi Avenue', city: 'Berlin', country: 'DE' };

let stoa: Stoa;
let keys: Keys;
let mug: string;
let lid: string;
let lesson: string;

const merchant = async (method: string, path: string, body: unknown, key = keys.secret_test_key) => {
  const reply = await stoa.send(method, path, { key, body });
  if (reply.status >= 300) throw new Error(`${path} ${reply.text}`);
  return reply.body;
};

const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
  stoa.send(method, `/v1/agent/${path}`, { key: keys.publishable_test_key, ...(body === undefined ? {} : { body }) });

const began = async (body: object): Promise<CheckoutIntent> => {
  const reply = await ask('POST', 'checkout-intents', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};

const changed = async (id: string, body: object): Promise<CheckoutIntent> => {
  const reply = await ask('PATCH', `checkout-intents/${id}`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
};

const order = (body: object): Promise<Reply> =>
  stoa.send('POST', '/v1/orders', { key: keys.secret_test_key, signWith: keys.hmac_test_secret, body });

const problemOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];

const setRate = (currency: string, rate: number, more: object = {}) =>
  merchant('PUT', `/v1/exchange-rates/${currency}`, { rate, max_age_hours: 1, ...more });

const openStore = async (): Promise<void> => {
  keys = await stoa.createStore({ currency: 'USD' });
  const currencies = [
    { currency: 'EUR', prices: 'rate' },
    { currency: 'JPY', prices: 'fixed' },
  ];
  await merchant('PATCH', '/v1/store', { currencies }, keys.secret_key);
  await setRate('EUR', 0.9);
  await setRate('JPY', 150);
  const newProduct = async (product: object): Promise<string> =>
    (await merchant('POST', '/v1/products', { price: 20, stock: 500, ...product })).variant_id;
  mug = await newProduct({ name: 'Mug' });
  lid = await newProduct({ name: 'Lid', price: 5 });
  lesson = await newProduct({ name: 'Lesson', shipping_info: { requires_shipping: false } });
  await merchant('POST', '/v1/price-lists', {
    name: 'Yen',
    currency: 'JPY',
    prices: [{ variant_id: mug, price: 2980 }],
  });
  await merchant('POST', '/v1/tax-rates', { name: 'VAT', country: 'DE', rate: 0.19 });
  await merchant('PUT', '/v1/shipping/config', {
    zones: [{ name: 'Germany', kind: 'countries', countries: ['DE'], rate: { fee: 10, free_threshold: 100 } }],
  });
};

beforeAll(async () => {
  stoa = await sharedStoa();
  await openStore();
});

describe('a checkout intent in a further currency', () => {
  test('shows lines, delivery and tax in it, and its order costs the same in both currencies', async () => {
    const open = await began({ items: [{ variant_id: mug, quantity: 2 }], currency: 'eur', email: 'ada@example.com' });
    expect(open).toMatchObject({ currency: 'EUR', exchange_rate: 0.9, subtotal: 36, lines: [{ unit_price: 18 }] });
    const located = await changed(open.id, { shipping_address: ADDRESS });
    expect(located.shipping_options).toMatchObject([{ id: 'place', fee: 9, currency: 'EUR' }]);
    const ready = await changed(open.id, { shipping_option_id: 'place' });
    expect(ready).toMatchObject({ status: 'ready', shipping_total: 9, tax_total: 6.84, grand_total: 51.84 });
    const other = await order({ checkout_intent_id: open.id, expected_total: 57.6 });
    expect(problemOf(other)).toEqual([400, 'amount_mismatch', 'expected_total']);
    const placed = await order({ checkout_intent_id: open.id, expected_total: 51.84 });
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.order).toMatchObject({
      currency: 'EUR',
      total_amount: ready.grand_total,
      store_amounts: { currency: 'USD', exchange_rate: 0.9, total_amount: 57.6 },
    });
  });

  test('keeps its lines, delivery and rate while the merchant changes the rate', async () => {
    const fields = { email: 'ada@example.com', shipping_address: ADDRESS, shipping_option_id: 'place' };
    const open = await began({ items: [{ variant_id: mug, quantity: 1 }], currency: 'EUR', ...fields });
    try {
      await setRate('EUR', 0.5);
      const moved = await changed(open.id, { shipping_address: { ...ADDRESS, city: 'Hamburg' } });
      expect(moved).toMatchObject({ exchange_rate: 0.9, shipping_total: 9, grand_total: open.grand_total });
      // A new line has today's price, the one that stays its promised price.
      const more = await changed(open.id, {
        items: [
          { variant_id: mug, quantity: 2 },
          { variant_id: lid, quantity: 1 },
        ],
      });
      expect(more).toMatchObject({ exchange_rate: 0.5, lines: [{ unit_price: 18 }, { unit_price: 2.5 }] });
      const placed = await order({ checkout_intent_id: open.id });
      expect(placed.body.order, placed.text).toMatchObject({
        total_amount: more.grand_total,
        store_amounts: { exchange_rate: 0.5 },
      });
    } finally {
      await setRate('EUR', 0.9);
    }
  });

  test('compares the worth of its goods in the store’s currency where delivery is free from an amount', async () => {
    const fields = { currency: 'EUR', shipping_address: ADDRESS, shipping_option_id: 'place' };
    const below = await began({ items: [{ variant_id: mug, quantity: 4 }], ...fields });
    const above = await began({ items: [{ variant_id: mug, quantity: 5 }], ...fields });
    expect([below, above]).toMatchObject([
      { subtotal: 72, shipping_total: 9 },
      { subtotal: 90, shipping_total: 0 },
    ]);
  });

  test('takes prices of a list, and refuses an item without one', async () => {
    expect(await began({ items: [{ variant_id: mug, quantity: 1 }], currency: 'JPY' })).toMatchObject({
      currency: 'JPY',
      grand_total: 2980,
    });
    const reply = await ask('POST', 'checkout-intents', { items: [{ variant_id: lid, quantity: 1 }], currency: 'JPY' });
    expect(problemOf(reply)).toEqual([400, 'invalid_request', 'items[0].variant_id']);
  });

  test.each(['GBP', 'XXX', 'euros', ''])('refuses the currency %j, and holds nothing', async (currency) => {
    const before = (await stoa.send('GET', `/v1/inventory/${lesson}`, { key: keys.secret_test_key })).body.inventory;
    const reply = await ask('POST', 'checkout-intents', { items: [{ variant_id: lesson, quantity: 1 }], currency });
    expect(problemOf(reply)).toEqual([400, 'invalid_request', 'currency']);
    const after = (await stoa.send('GET', `/v1/inventory/${lesson}`, { key: keys.secret_test_key })).body.inventory;
    expect(after.available).toBe(before.available);
  });

  test('takes a gift card of the store’s currency, at its rate', async () => {
    const { gift_card } = await merchant('POST', '/v1/gift-cards', { amount: 10 });
    const fields = { items: [{ variant_id: lesson, quantity: 1 }], currency: 'EUR', email: 'ada@example.com' };
    const { id } = await began(fields);
    const page = await fetch(`${stoa.url}/s/${keys.code}/checkout/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ gift_card_codes: gift_card.code }),
    });
    expect(await page.text()).toContain('Left to pay</dt><dd>9.00 EUR');
    const placed = await order({ checkout_intent_id: id, gift_card_codes: [gift_card.code] });
    expect(placed.body.order, placed.text).toMatchObject({ total_amount: 18, gift_card_total: 9, amount_due: 9 });
  });

  test('becomes one order for many callers at once', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { id } = await began({ items: [{ variant_id: lesson, quantity: 1 }], currency: 'EUR', email });
    const replies = await Promise.all(Array.from({ length: 8 }, () => order({ checkout_intent_id: id })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    const { body } = await stoa.send('GET', '/v1/orders?limit=100', { key: keys.secret_test_key });
    expect(body.orders.filter((each: StoreOrder) => each.email === email)).toMatchObject([
      { currency: 'EUR', total_amount: 18 },
    ]);
  });
});

describe('a quote in a further currency', () => {
  test('becomes an intent and an order in it, and no other', async () => {
    const quote = async () => {
      const reply = await ask('POST', 'quotes', { items: [{ variant_id: lesson, quantity: 1 }], currency: 'EUR' });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.data;
    };
    const first = await quote();
    expect(first).toMatchObject({ currency: 'EUR', grand_total: 18 });
    const other = await ask('POST', 'checkout-intents', { quote_id: first.id, currency: 'USD' });
    expect(problemOf(other)).toEqual([400, 'invalid_request', 'currency']);
    expect(await began({ quote_id: first.id, currency: 'EUR' })).toMatchObject({ currency: 'EUR', grand_total: 18 });
    const placed = await order({ quote_id: (await quote()).id, email: 'ada@example.com' });
    expect(placed.body.order, placed.text).toMatchObject({ currency: 'EUR', store_amounts: { total_amount: 20 } });
  });
});

test('promises nothing for longer than the exchange rate is current, and sells nothing after it', async () => {
  const own = keys;
  try {
    await openStore();
    await setRate('EUR', 0.9, { max_age_hours: 1 });
    await merchant('PATCH', '/v1/store', { intent_ttl_minutes: 120 }, keys.secret_key);
    const body = { items: [{ variant_id: lesson, quantity: 1 }], currency: 'EUR', email: 'ada@example.com' };
    // The host reads the store's new setting after a notice.
    await eventually(async () => {
      const { created_at, expires_at } = await began({ ...body, currency: 'USD' });
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(2 * HOUR_MS);
    });
    const { id, created_at, expires_at } = await began(body);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBeLessThanOrEqual(HOUR_MS);
    const { data: quote } = (await ask('POST', 'quotes', body)).body;
    await merchant('POST', '/v1/sandbox/time-travel', { advance_seconds: 3_601 });
    expect((await ask('GET', `checkout-intents/${id}`)).body.data.status).toBe('expired');
    expect(problemOf(await order({ checkout_intent_id: id }))).toEqual([409, 'conflict', 'checkout_intent_id']);
    expect(problemOf(await order({ quote_id: quote.id, email: 'ada@example.com' }))).toEqual([
      409,
      'conflict',
      'quote_id',
    ]);
    expect(problemOf(await ask('POST', 'checkout-intents', body))).toEqual([409, 'currency_not_available', 'currency']);
    expect(problemOf(await ask('POST', 'quotes', body))).toEqual([409, 'currency_not_available', 'currency']);
    await setRate('EUR', 0.8);
    expect(await began(body)).toMatchObject({ grand_total: 16 });
  } finally {
    keys = own;
  }
});
