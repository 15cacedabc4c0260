// Checkout intents over HTTP: holds, delivery, end and orders.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';
import { EMAIL, items, openShop as openShopOf, type Shop } from './shop.ts';

let stoa: Stoa;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

const MINUTE_MS = 60_000;

const openShop = (product: Record<string, unknown> = {}): Promise<Shop> => openShopOf(stoa, product);

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

  test('holds the last units against other buyers', async () => {
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

  test('over the largest order total holds nothing, from each source and change', async () => {
    const shop = await openShop({ price: 99_999_999.99 });
    const refused = async (reply: Promise<Reply>): Promise<unknown[]> => {
      const { status, body } = await reply;
      return [status, body.error.code, body.error.param];
    };
    const begin = (body: object) => shop.ask('POST', '/v1/agent/checkout-intents', body);
    expect(await refused(begin({ items: items(shop, 2) }))).toEqual([400, 'invalid_request', 'items']);
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 2) })).body;
    expect(await refused(begin({ quote_id: quote.id }))).toEqual([400, 'invalid_request', 'quote_id']);
    expect(await shop.available()).toBe(5);
    const { data: intent } = (await begin({ items: items(shop, 1) })).body;
    await shop.write('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 });
    const moved = { shipping_address: { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' } };
    expect(await refused(shop.ask('PATCH', `/v1/agent/checkout-intents/${intent.id}`, moved))).toEqual([
      400,
      'invalid_request',
      'items',
    ]);
    expect((await shop.ask('GET', `/v1/agent/checkout-intents/${intent.id}`)).body.data).toEqual(intent);
    expect(await shop.available()).toBe(4);
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

  test('cancels once and releases its stock', async () => {
    const shop = await openShop();
    const { id } = await begin(shop);
    const cancel = () => shop.ask('POST', `/v1/agent/checkout-intents/${id}/cancel`);
    expect((await cancel()).body.data).toMatchObject({ status: 'cancelled', hold: { status: 'released' } });
    await eventually(async () => expect(await shop.available()).toBe(5));
    expect((await cancel()).status).toBe(409);
  });

  test('cancels or completes when both are concurrent', async () => {
    const shop = await openShop();
    for (let round = 0; round < 3; round++) {
      const { id } = await begin(shop, { items: items(shop, 1), email: EMAIL });
      const [placed, cancelled] = await Promise.all([
        shop.order({ checkout_intent_id: id }),
        shop.ask('POST', `/v1/agent/checkout-intents/${id}/cancel`),
      ]);
      expect([placed.status, cancelled.status].sort()).toEqual(placed.status === 201 ? [201, 409] : [200, 409]);
      const { data } = (await shop.ask('GET', `/v1/agent/checkout-intents/${id}`)).body;
      expect([data.status, data.order_id]).toEqual(
        placed.status === 201 ? ['completed', placed.body.order.id] : ['cancelled', null],
      );
    }
  });

  test('refuses an order that read it before a change', async () => {
    const shop = await openShop();
    await shop.write('POST', '/v1/promotions', {
      name: 'Ten',
      code: 'TEN',
      type: 'percentage',
      value: 10,
      status: 'active',
    });
    const { id } = await begin(shop, { items: items(shop, 1), email: EMAIL });
    const path = `/v1/agent/checkout-intents/${id}`;
    const { postgres } = stoa.services.runtime;
    // An order that has read the intent waits to be decided while the intent is changed.
    const placed = await postgres.transaction(async ({ sql }) => {
      await sql`lock table orders.decision in exclusive mode`;
      const waiting = shop.order({ checkout_intent_id: id });
      await eventually(async () => {
        const [row] = await postgres.sql`
          select 1 from pg_locks where relation = 'orders.decision'::regclass and not granted`;
        expect(row).toBeDefined();
      });
      const changed = await shop.ask('PATCH', path, { promotion_codes: ['TEN'] });
      expect([changed.status, changed.body.data?.grand_total], changed.text).toEqual([200, 9]);
      return { waiting };
    });
    // A slow machine may time out on the lock; that sells nothing, too.
    const { status } = await placed.waiting;
    expect([409, 503]).toContain(status);
    const again = await shop.order({ checkout_intent_id: id });
    expect([again.status, again.body.order?.total_amount], again.text).toEqual([201, 9]);
    expect((await shop.ask('GET', path)).body.data).toMatchObject({ status: 'completed', grand_total: 9 });
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

  test('lists newest first by page', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const ids: string[] = [];
    for (let count = 0; count < 3; count++)
      ids.unshift((await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop, 1) })).body.data.id);
    await shop.ask('POST', `/v1/agent/checkout-intents/${ids[1]}/cancel`);
    const first = (await shop.read('/v1/agent/checkout-intents?limit=2')).body;
    expect(first.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [ids[0], 'open'],
      [ids[1], 'cancelled'],
    ]);
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = (await shop.read(`/v1/agent/checkout-intents?limit=2&cursor=${cursor}`)).body;
    expect([second.data.map(({ id }: { id: string }) => id), second.pagination.has_more]).toEqual([[ids[2]], false]);
    expect((await other.read('/v1/agent/checkout-intents')).body.data).toEqual([]);
    expect((await other.read(`/v1/agent/checkout-intents?cursor=${cursor}`)).body.error).toMatchObject({
      code: 'invalid_request',
      param: 'cursor',
    });
    expect((await shop.ask('GET', '/v1/agent/checkout-intents')).status).toBe(403);
  });

  test('hides another store’s intent', async () => {
    const [mine, theirs] = [await openShop(), await openShop()];
    const { id } = await begin(theirs);
    expect((await mine.ask('GET', `/v1/agent/checkout-intents/${id}`)).status).toBe(404);
    expect((await mine.order({ checkout_intent_id: id, email: EMAIL })).status).toBe(404);
  });
});

describe('a destination', () => {
  const NAIROBI = { line1: '1 Road', city: 'Nairobi', country: 'KE' };
  const square = [
    [
      [36, -2],
      [38, -2],
      [38, 0],
      [36, 0],
      [36, -2],
    ],
  ];

  /** A store that ships for 5 within a square around Nairobi and within Kenya, and nowhere else. */
  const sending = async (): Promise<Shop> => {
    const shop = await openShop({ shipping_info: { requires_shipping: true } });
    const config = {
      restriction: 'none',
      fulfil_from: 'primary',
      locations: [],
      zones: [
        { name: 'Near', kind: 'map', geometry: { type: 'Polygon', coordinates: square }, rate: { fee: 5 } },
        { name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 5 } },
      ],
      tiers: [],
      fallback: null,
    };
    const put = await shop.write('PUT', '/v1/shipping/config', config);
    expect(put.status, put.text).toBe(200);
    return shop;
  };

  test('an order of a quote is sent to the quote’s address, and needs one where the quote has none', async () => {
    const shop = await sending();
    const quote = async (body: object) => {
      const reply = await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1), ...body });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.data;
    };
    const known = await quote({ shipping_address: NAIROBI });
    expect(known).toMatchObject({ shipping_total: 5, grand_total: 15 });
    const { order } = (await shop.order({ quote_id: known.id, email: EMAIL })).body;
    expect(order).toMatchObject({ total_amount: 15, shipping_address: NAIROBI });
    const unknown = await quote({});
    const refused = await shop.order({ quote_id: unknown.id, email: EMAIL });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'shipping_address']);
    const named = await shop.order({ quote_id: unknown.id, email: EMAIL, shipping_address: NAIROBI });
    expect([named.status, named.body.order?.total_amount], named.text).toEqual([201, 15]);
  });

  test('a point on the map says what delivery costs as long as there is no address', async () => {
    const shop = await sending();
    const point = { latitude: -1.29, longitude: 36.82 };
    const quote = await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1), ...point });
    expect([quote.status, quote.body.data?.shipping_total], quote.text).toEqual([201, 5]);
    const body = { items: items(shop, 1), ...point, shipping_option_id: 'place', email: EMAIL };
    const { data: intent } = (await shop.ask('POST', '/v1/agent/checkout-intents', body)).body;
    expect(intent).toMatchObject({
      status: 'open',
      grand_total: 15,
      shipping_options: [{ id: 'place', fee: 5 }],
      requirements: [{ code: 'missing_address' }],
    });
    const change = { shipping_address: NAIROBI };
    const { data: ready } = (await shop.ask('PATCH', `/v1/agent/checkout-intents/${intent.id}`, change)).body;
    expect(ready).toMatchObject({ status: 'ready', grand_total: 15, shipping_option_id: 'place' });
    expect(Date.parse(ready.expires_at) - Date.parse(ready.created_at)).toBe(30 * MINUTE_MS);
  });

  test.each<[string, object, string, string[]]>([
    ['a country', { shipping_address: { ...NAIROBI, country: 'ZZ' } }, 'shipping_address.country', ['cart-drafts']],
    ['a place', { shipping_address: { ...NAIROBI, latitude: 1 } }, 'shipping_address.longitude', ['cart-drafts']],
    ['a point', { longitude: 1 }, 'latitude', []],
  ])('is %s that there is', async (_what, where, param, more) => {
    const shop = await sending();
    const intent = await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop, 1) });
    for (const [method, path] of [
      ...['quotes', 'checkout-intents', ...more].map((each) => ['POST', each] as const),
      ['PATCH', `checkout-intents/${intent.body.data.id}`] as const,
    ]) {
      const { status, body } = await shop.ask(method, `/v1/agent/${path}`, { items: items(shop, 1), ...where });
      expect([path, status, body.error?.param]).toEqual([path, 400, param]);
    }
  });

  test('keeps both of two concurrent changes', async () => {
    const shop = await sending();
    const created = await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop, 1) });
    const path = `/v1/agent/checkout-intents/${created.body.data.id}`;
    const changes = [{ email: EMAIL }, { shipping_address: NAIROBI, shipping_option_id: 'place' }];
    const replies = await Promise.all(changes.map((change) => shop.ask('PATCH', path, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await shop.ask('GET', path)).body.data).toMatchObject({ status: 'ready', email: EMAIL, grand_total: 15 });
  });
});
