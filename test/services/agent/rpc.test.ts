// The Agent API over HTTP: quotes, drafts, intents, and the orders that are placed from them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StillClock, stillClock } from '#runtime/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let clock: StillClock;
beforeAll(async () => {
  clock = stillClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

const MINUTE_MS = 60_000;

interface Shop extends Keys {
  readonly variant: string;
  readonly product: string;
  read(path: string): Promise<Reply>;
  write(method: string, path: string, body?: unknown): Promise<Reply>;
  /** As a shopper's agent. */
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  order(body: unknown): Promise<Reply>;
  available(): Promise<number>;
}

const openShop = async (product: Record<string, unknown> = {}): Promise<Shop> => {
  const keys = await stoa.createStore();
  const send = (method: string, path: string, options: Parameters<typeof sendTo>[3] = {}) =>
    sendTo(stoa.url, method, path, { key: keys.secret_key, ...options });
  const made = await send('POST', '/v1/products', {
    body: { name: 'Lesson', price: 10, stock: 5, shipping_info: { requires_shipping: false }, ...product },
  });
  expect(made.status, made.text).toBe(201);
  const variant: string = made.body.variant_id;
  return {
    ...keys,
    variant,
    product: made.body.id,
    read: (path) => send('GET', path),
    write: (method, path, body) => send(method, path, { body }),
    ask: (method, path, body) => send(method, path, { key: keys.publishable_key, ...(body ? { body } : {}) }),
    order: (body) => send('POST', '/v1/orders', { body, signWith: keys.hmac_secret }),
    available: async () => (await send('GET', `/v1/inventory/${variant}`)).body.inventory.available,
  };
};

const items = (shop: Shop, quantity = 2) => [{ variant_id: shop.variant, quantity }];
const EMAIL = 'ada@example.com';

describe('a quote', () => {
  test('freezes prices and holds nothing; an order takes it once', async () => {
    const shop = await openShop();
    const quoted = await shop.ask('POST', '/v1/agent/quotes', { items: items(shop) });
    expect(quoted.status, quoted.text).toBe(201);
    const quote = quoted.body.data;
    expect(quote).toMatchObject({
      status: 'open',
      subtotal: 20,
      grand_total: 20,
      lines: [{ unit_price: 10, quantity: 2 }],
    });
    expect(await shop.available()).toBe(5);
    await shop.write('PATCH', `/v1/products/${shop.product}`, { price: 99 });
    expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data).toEqual(quote);
    const placed = await shop.order({ quote_id: quote.id, email: EMAIL });
    expect([placed.status, placed.body.order?.total_amount], placed.text).toEqual([201, 20]);
    const again = await shop.order({ quote_id: quote.id, email: EMAIL });
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    await eventually(async () =>
      expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status).toBe('used'),
    );
  });

  test('is used by one of two orders at once', async () => {
    const shop = await openShop();
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1) })).body;
    const replies = await Promise.all([1, 2, 3].map(() => shop.order({ quote_id: quote.id, email: EMAIL })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    await eventually(async () => expect(await shop.available()).toBe(4));
  });

  test('is used once by a checkout intent, too', async () => {
    const shop = await openShop();
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1) })).body;
    const replies = await Promise.all(
      [1, 2].map(() => shop.ask('POST', '/v1/agent/checkout-intents', { quote_id: quote.id })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    await eventually(async () => expect(await shop.available()).toBe(4));
    expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status).toBe('used');
    expect((await shop.order({ quote_id: quote.id, email: EMAIL })).status).toBe(409);
  });

  test('expires after 15 minutes, to the millisecond', async () => {
    const shop = await openShop();
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop) })).body;
    const status = async () => (await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status;
    clock.advance(15 * MINUTE_MS - 1);
    expect(await status()).toBe('open');
    clock.advance(1);
    expect(await status()).toBe('expired');
    const late = await shop.order({ quote_id: quote.id, email: EMAIL });
    expect([late.status, late.body.error.param]).toEqual([409, 'quote_id']);
  });
});

describe('a cart draft', () => {
  test('is priced whenever it is read, changed, and becomes an intent once', async () => {
    const shop = await openShop();
    const made = await shop.ask('POST', '/v1/agent/cart-drafts', { items: items(shop, 1) });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({ status: 'open', total: 10, email: null });
    await shop.write('PATCH', `/v1/products/${shop.product}`, { price: 12 });
    const changed = await shop.ask('PATCH', `/v1/agent/cart-drafts/${id}`, { items: items(shop, 2), email: EMAIL });
    expect(changed.body.data).toMatchObject({ total: 24, email: EMAIL });
    const intent = await shop.ask('POST', '/v1/agent/checkout-intents', { cart_draft_id: id });
    expect([intent.status, intent.body.data?.grand_total, intent.body.data?.status], intent.text).toEqual([
      201,
      24,
      'ready',
    ]);
    expect((await shop.ask('GET', `/v1/agent/cart-drafts/${id}`)).body.data.status).toBe('converted');
    expect((await shop.ask('PATCH', `/v1/agent/cart-drafts/${id}`, { email: null })).status).toBe(409);
    expect((await shop.ask('POST', '/v1/agent/checkout-intents', { cart_draft_id: id })).status).toBe(409);
  });
});

describe('a checkout intent', () => {
  const begin = async (shop: Shop, body: Record<string, unknown> = {}) => {
    const reply = await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop), ...body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  };

  test('holds stock, says what it needs, and is completed by an order at its frozen price', async () => {
    const shop = await openShop();
    const intent = await begin(shop);
    expect(intent).toMatchObject({
      status: 'open',
      grand_total: 20,
      hold: { status: 'held' },
      requirements: [{ code: 'missing_email', path: 'email' }],
      order_id: null,
    });
    expect(await shop.available()).toBe(3);
    const early = await shop.order({ checkout_intent_id: intent.id });
    expect([early.status, early.body.error.param], early.text).toEqual([400, 'email']);
    await shop.write('PATCH', `/v1/products/${shop.product}`, { price: 50 });
    const ready = (await shop.ask('PATCH', `/v1/agent/checkout-intents/${intent.id}`, { email: EMAIL })).body.data;
    expect(ready).toMatchObject({ status: 'ready', requirements: [], grand_total: 20 });
    const placed = await shop.order({ checkout_intent_id: intent.id });
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.order).toMatchObject({ total_amount: 20, email: EMAIL });
    await eventually(async () => {
      const { data } = (await shop.ask('GET', `/v1/agent/checkout-intents/${intent.id}`)).body;
      expect(data).toMatchObject({
        status: 'completed',
        order_id: placed.body.order.id,
        hold: { status: 'converted' },
      });
      const { inventory } = (await shop.read(`/v1/inventory/${shop.variant}`)).body;
      expect(inventory).toMatchObject({ on_hand: 3, held: 0 });
    });
    expect((await shop.order({ checkout_intent_id: intent.id })).status).toBe(409);
  });

  test('of the last pieces keeps them from everybody else', async () => {
    const shop = await openShop({ stock: 2 });
    await begin(shop);
    const other = await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop, 1) });
    expect([other.status, other.body.error.code, other.body.error.param]).toEqual([
      409,
      'insufficient_stock',
      'items[0].quantity',
    ]);
    expect((await shop.order({ items: items(shop, 1), email: EMAIL })).status).toBe(409);
  });

  test('expires exactly, and its stock comes back', async () => {
    const shop = await openShop();
    const intent = await begin(shop, { email: EMAIL });
    const read = async () => (await shop.ask('GET', `/v1/agent/checkout-intents/${intent.id}`)).body.data;
    clock.advance(30 * MINUTE_MS - 1);
    expect((await read()).status).toBe('ready');
    clock.advance(1);
    expect(await read()).toMatchObject({ status: 'expired', hold: { status: 'released' } });
    clock.advance(1_000);
    await eventually(async () => expect(await shop.available()).toBe(5));
    expect((await shop.order({ checkout_intent_id: intent.id })).status).toBe(409);
    expect((await shop.ask('POST', `/v1/agent/checkout-intents/${intent.id}/cancel`)).status).toBe(409);
  });

  test('is cancelled once, and its stock comes back', async () => {
    const shop = await openShop();
    const { id } = await begin(shop);
    const cancel = () => shop.ask('POST', `/v1/agent/checkout-intents/${id}/cancel`);
    expect((await cancel()).body.data).toMatchObject({ status: 'cancelled', hold: { status: 'released' } });
    await eventually(async () => expect(await shop.available()).toBe(5));
    expect((await cancel()).status).toBe(409);
  });

  test.each([
    [{}, 400, 'items'],
    [{ items: [{ variant_id: randomUUID(), quantity: 1 }] }, 404, 'items[0].variant_id'],
    [{ quote_id: randomUUID() }, 404, 'quote_id'],
    [{ cart_draft_id: randomUUID() }, 404, 'cart_draft_id'],
    [{ quote_id: randomUUID(), cart_draft_id: randomUUID() }, 400, 'cart_draft_id'],
  ])('from %j is refused with %i at %s', async (body, status, param) => {
    const shop = await openShop();
    const reply = await shop.ask('POST', '/v1/agent/checkout-intents', body);
    expect([reply.status, reply.body.error.param], reply.text).toEqual([status, param]);
  });

  test('of another store is not there', async () => {
    const [mine, theirs] = [await openShop(), await openShop()];
    const { id } = await begin(theirs);
    expect((await mine.ask('GET', `/v1/agent/checkout-intents/${id}`)).status).toBe(404);
    expect((await mine.order({ checkout_intent_id: id, email: EMAIL })).status).toBe(404);
  });
});
