// Tests requests for quotes over HTTP: items, visibility and cancellation.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import {
  ANY_ID,
  as,
  asStore,
  clock,
  closeShop,
  doorkeeper,
  errorOf,
  keys,
  made,
  newBuyer,
  newRfq,
  newVariant,
  openShop,
  publishedEvents,
  sendQuote,
  stoa,
  UUID,
} from '#test/services/b2b/shop.ts';
import { eventually } from '#test/support/server.ts';
import { SESSION_HEADERS, type Shopper } from '#test/support/session.ts';
import type { Keys } from '#test/support/stoa.ts';

let ada: Shopper;
let eve: Shopper;
let shoe: string;
let sock: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  eve = await newBuyer();
  shoe = await newVariant();
  sock = await newVariant({ name: 'Sock', sku: 'SOCK', price: 2 });
});
afterAll(() => closeShop());
beforeEach(() => clock.advance(1_000));

const ask = (body: unknown, buyer = ada) => as(buyer)('POST', '/v1/b2b/rfqs', body);
const one = { quantity: 100 };

describe('a store without wholesale', () => {
  let retail: Keys;
  let buyer: Shopper;
  beforeAll(async () => {
    retail = await stoa.createStore();
    buyer = await doorkeeper.signIn(retail);
  });

  const paths = routes
    .filter(({ path }) => path.startsWith('/v1/b2b/'))
    .map(({ verb, path }) => [verb, path.replace(':id', ANY_ID)] as const);
  test.each(paths)('receives 403 with a hint at %s %s', async (method, path) => {
    for (const call of [asStore(retail), as(buyer, retail), as({ id: '', headers: {} }, retail)]) {
      const { status, body } = await call(method, path, method === 'GET' ? undefined : { items: 'none' });
      expect([status, body.error.code, typeof body.error.hint]).toEqual([403, 'forbidden', 'string']);
    }
  });

  test('covers all 21 endpoints', () => expect(paths.length).toBe(21));

  test('can enable wholesale and disable it again', async () => {
    const statusOf = async () => {
      const { features } = await made(asStore(retail)('GET', '/v1/features'));
      return features.find(({ feature }: { feature: string }) => feature === 'wholesale');
    };
    expect(await statusOf()).toEqual({ feature: 'wholesale', status: 'not_in_plan', previous_status: null });
    const turn = (wholesale_enabled: boolean) =>
      made(stoa.send('PATCH', '/v1/store', { key: retail.secret_key, body: { wholesale_enabled } }));
    await turn(true);
    expect(await statusOf()).toEqual({ feature: 'wholesale', status: 'available', previous_status: 'not_in_plan' });
    expect((await asStore(retail)('GET', '/v1/b2b/rfqs')).status).toBe(200);
    await turn(false);
    expect(await statusOf()).toEqual({ feature: 'wholesale', status: 'not_in_plan', previous_status: 'available' });
    expect((await asStore(retail)('GET', '/v1/b2b/rfqs')).status).toBe(403);
    for (const key of [retail.secret_key, retail.secret_test_key])
      await eventually(async () => {
        const { webhook_events: published } = await made(
          stoa.send('GET', '/v1/webhook-events?type=feature.status_changed', { key }),
        );
        expect(published.map(({ data }: { data: { object: unknown } }) => data.object)).toEqual([
          { feature: 'wholesale', status: 'not_in_plan', previous_status: 'available' },
          { feature: 'wholesale', status: 'available', previous_status: 'not_in_plan' },
        ]);
      });
  });
});

describe('a request for a quote', () => {
  test('belongs to its buyer, submitted and numbered', async () => {
    const items = [
      { variant_id: shoe, quantity: 100, target_unit_price: 7.25 },
      { variant_id: sock, quantity: 3 },
    ];
    const { status, body } = await ask({ items, note: 'In two lots, if that helps.', status: 'closed' });
    expect(status).toBe(201);
    const now = clock.now({ store: keys.store_id, environment: 'sandbox' }).toISOString();
    expect(body.data).toEqual({
      id: expect.stringMatching(UUID),
      rfq_number: 'RFQ-1001',
      status: 'submitted',
      customer_id: ada.id,
      items: [items[0], { ...items[1], target_unit_price: null }],
      note: 'In two lots, if that helps.',
      created_at: now,
    });
    const again = await newRfq(ada, [{ variant_id: shoe, ...one }]);
    expect([again.rfq_number, again.note]).toEqual(['RFQ-1002', null]);
    const [event] = (await publishedEvents(2)).filter(({ data }) => data.object.id === body.data.id);
    expect([event!.type, event!.data.object, event!.created_at]).toEqual(['b2b.rfq.created', body.data, now]);
    for (const call of [as(ada), asStore()])
      expect((await made(call('GET', `/v1/b2b/rfqs/${body.data.id}`))).data).toEqual(body.data);
  });

  test('numbers requests separately in each environment', async () => {
    const live = await doorkeeper.signIn(keys, { environment: 'production' });
    const { variant_id } = await made(
      stoa.send('POST', '/v1/products', { key: keys.secret_key, body: { name: 'Shoe', price: 1 } }),
    );
    const { data } = await made(
      stoa.send('POST', '/v1/b2b/rfqs', {
        key: keys.publishable_key,
        headers: live.headers,
        body: { items: [{ variant_id, quantity: 1 }] },
      }),
    );
    expect(data.rfq_number).toBe('RFQ-1001');
    expect(errorOf(await asStore()('GET', `/v1/b2b/rfqs/${data.id}`))).toEqual([404, 'not_found', undefined]);
  });

  test.each(SESSION_HEADERS)('accepts a session in %s', async (header) => {
    const buyer = await doorkeeper.signIn(keys, { header });
    const reply = await ask({ items: [{ variant_id: shoe, ...one }] }, buyer);
    expect([reply.status, reply.body.data.customer_id]).toEqual([201, buyer.id]);
  });

  test('merges equal prices of a variant into one item and refuses two prices', async () => {
    const rfq = await newRfq(ada, [
      { variant_id: shoe, quantity: 2, target_unit_price: 7 },
      { variant_id: sock, quantity: 1 },
      { variant_id: shoe.toUpperCase(), quantity: 3, target_unit_price: 7 },
    ]);
    expect(rfq.items.map(({ variant_id, quantity }) => [variant_id, quantity])).toEqual([
      [shoe, 5],
      [sock, 1],
    ]);
    const two = await ask({
      items: [
        { variant_id: shoe, quantity: 2, target_unit_price: 7 },
        { variant_id: shoe, quantity: 2 },
      ],
    });
    expect(errorOf(two)).toEqual([400, 'invalid_request', 'items[1].target_unit_price']);
  });

  test.each([
    ['items', {}],
    ['items', { items: [] }],
    ['items', { items: null }],
    ['items', { items: Array.from({ length: 501 }, () => ({ variant_id: ANY_ID, quantity: 1 })) }],
    ['items[0].quantity', { items: [{ variant_id: ANY_ID, quantity: 0 }] }],
    ['items[0].quantity', { items: [{ variant_id: ANY_ID, quantity: 1.5 }] }],
    ['items[0].variant_id', { items: [{ variant_id: 'shoe', quantity: 1 }] }],
    ['items[0].target_unit_price', { items: [{ variant_id: ANY_ID, quantity: 1, target_unit_price: -1 }] }],
    ['items[0].target_unit_price', { items: [{ variant_id: ANY_ID, quantity: 1, target_unit_price: 1.005 }] }],
    ['note', { items: [{ variant_id: ANY_ID, quantity: 1 }], note: 'x'.repeat(2_001) }],
  ])('with a bad %s is refused', async (param, body) => {
    expect(errorOf(await ask(body))).toEqual([400, 'invalid_request', param]);
  });

  test('refuses variants that the store does not sell', async () => {
    const hidden = await newVariant({ is_active: false });
    for (const variant_id of [ANY_ID, hidden]) {
      const reply = await ask({
        items: [
          { variant_id: shoe, ...one },
          { variant_id, ...one },
        ],
      });
      expect(errorOf(reply)).toEqual([404, 'not_found', 'items[1].variant_id']);
    }
  });

  // Rpcs that only shoppers may call return 401.
  test('refuses requests without a buyer session', async () => {
    const body = { items: [{ variant_id: shoe, ...one }] };
    for (const call of [asStore(), as({ id: '', headers: {} })])
      expect((await call('POST', '/v1/b2b/rfqs', body)).status).toBe(401);
  });

  test('creates one request per idempotency key', async () => {
    const body = { items: [{ variant_id: shoe, ...one }] };
    const send = () => as(ada)('POST', '/v1/b2b/rfqs', body, { 'Idempotency-Key': 'rfq-once' });
    const first = await send();
    const again = await send();
    expect([again.status, again.body.data, again.body.idempotent]).toEqual([201, first.body.data, true]);
  });
});

describe('lists', () => {
  test('show buyers their own records, newest first, and the store all of them', async () => {
    const mine = [];
    for (let count = 0; count < 3; count++) {
      clock.advance(1_000);
      mine.unshift((await newRfq(eve, [{ variant_id: shoe, quantity: count + 1 }])).id);
    }
    const ids = async (path: string, call = as(eve)) =>
      (await made(call('GET', path))).data.map(({ id }: { id: string }) => id);
    expect(await ids('/v1/b2b/rfqs')).toEqual(mine);
    expect(await ids(`/v1/b2b/rfqs?customer_id=${eve.id}`)).toEqual(mine);
    expect(await ids(`/v1/b2b/rfqs?customer_id=${eve.id}`, asStore())).toEqual(mine);
    expect((await ids('/v1/b2b/rfqs?limit=100', asStore())).length).toBeGreaterThan(3);
    expect((await as(eve)('GET', `/v1/b2b/rfqs?customer_id=${ada.id}`)).status).toBe(403);
    expect((await as({ id: '', headers: {} })('GET', '/v1/b2b/rfqs')).status).toBe(401);
    const first = await made(as(eve)('GET', '/v1/b2b/rfqs?limit=2'));
    expect(first.pagination).toEqual({ limit: 2, has_more: true, next_cursor: expect.any(String) });
    const { next_cursor: cursor } = first.pagination;
    const second = await made(as(eve)('GET', `/v1/b2b/rfqs?limit=2&cursor=${cursor}`));
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(mine);
    expect(second.pagination).toEqual({ limit: 2, has_more: false, next_cursor: null });
    for (const wrong of [`/v1/b2b/rfqs?cursor=${cursor}`, '/v1/b2b/rfqs?cursor=x'])
      expect(errorOf(await as(ada)('GET', wrong))).toEqual([400, 'invalid_request', 'cursor']);
    expect(errorOf(await as(eve)('GET', `/v1/b2b/quotes?cursor=${cursor}`))).toEqual([
      400,
      'invalid_request',
      'cursor',
    ]);
  });

  test('filter by status', async () => {
    const rfq = await newRfq(eve, [{ variant_id: shoe, ...one }]);
    await made(as(eve)('POST', `/v1/b2b/rfqs/${rfq.id}/cancel`));
    const { data } = await made(as(eve)('GET', '/v1/b2b/rfqs?status=cancelled'));
    expect(data.map(({ id }: { id: string }) => id)).toEqual([rfq.id]);
    expect(errorOf(await as(eve)('GET', '/v1/b2b/rfqs?status=gone'))).toEqual([400, 'invalid_request', 'status']);
  });

  test('hide records of other buyers', async () => {
    const rfq = await newRfq(ada, [{ variant_id: shoe, ...one }]);
    const [theirs, none] = [
      await as(eve)('GET', `/v1/b2b/rfqs/${rfq.id}`),
      await as(eve)('GET', `/v1/b2b/rfqs/${ANY_ID}`),
    ];
    expect([theirs.status, theirs.body.error.message]).toEqual([404, `No such request for a quote: ${rfq.id}.`]);
    expect([none.status, none.body.error.message]).toEqual([404, `No such request for a quote: ${ANY_ID}.`]);
    expect((await as(eve)('POST', `/v1/b2b/rfqs/${rfq.id}/cancel`)).status).toBe(404);
  });
});

describe('cancelling', () => {
  test('succeeds once, for the buyer, while submitted', async () => {
    const rfq = await newRfq(ada, [{ variant_id: shoe, ...one }]);
    expect((await asStore()('POST', `/v1/b2b/rfqs/${rfq.id}/cancel`)).status).toBe(401);
    const { data } = await made(as(ada)('POST', `/v1/b2b/rfqs/${rfq.id}/cancel`, {}));
    expect(data).toEqual({ ...rfq, status: 'cancelled' });
    expect(errorOf(await as(ada)('POST', `/v1/b2b/rfqs/${rfq.id}/cancel`))).toEqual([409, 'conflict', undefined]);
    const quoted = await newRfq(ada, [{ variant_id: shoe, ...one }]);
    await sendQuote({ rfq_id: quoted.id, items: [{ variant_id: shoe, quantity: 1, unit_price: 7 }] });
    expect((await as(ada)('POST', `/v1/b2b/rfqs/${quoted.id}/cancel`)).status).toBe(409);
  });
});
