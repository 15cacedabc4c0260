// Tests promotions over HTTP: fields, validation, status changes by merchants and by the clock, and visibility.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StorePromotion } from '#proto/gen/promotion.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { releasePromotions, usePromotions } from '#services/pricing/transaction.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { subscribeEvents } from '#test/support/event.ts';
import { moveSandboxClock } from '#test/support/sandbox_clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  merchant = await openMerchant(stoa);
});
afterAll(() => stoa?.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];

const PERCENT = { name: 'Ten off', type: 'percentage', value: 10 };

const create = async (body: object = {}, of = merchant): Promise<StorePromotion> => {
  const reply = await of.secret('POST', '/v1/promotions', { ...PERCENT, ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.promotion;
};
const change = (id: string, body: object, of = merchant): Promise<Reply> =>
  of.secret('PATCH', `/v1/promotions/${id}`, body);
const read = async (id: string, of = merchant): Promise<StorePromotion> =>
  (await of.secret('GET', `/v1/promotions/${id}`)).body.promotion;

/** Lists the events published of a promotion, oldest first. */
const listen = (store: string) => {
  const published: { type: string; id: string; status: string; was: unknown; at: string }[] = [];
  subscribeEvents(stoa.services.runtime, ({ type, created_at, data, previous_attributes }, tenant) => {
    const { id, status } = data.object as { id: string; status: string };
    if (tenant.store === store && tenant.environment === 'production' && type.startsWith('promotion.'))
      published.push({ type, id, status, was: previous_attributes?.status, at: created_at });
  });
  return (id: string) => published.filter((each) => each.id === id).map(({ id: _id, ...each }) => each);
};

describe('a promotion', () => {
  test('returns every field, with defaults for omitted ones', async () => {
    expect(await create()).toEqual({
      id: expect.any(String),
      name: 'Ten off',
      code: null,
      type: 'percentage',
      value: 10,
      currency: 'USD',
      applies_to: { product_ids: [], category_ids: [], collection_ids: [] },
      buy: null,
      get: null,
      minimum_subtotal: null,
      usage_limit: null,
      usage_limit_per_customer: null,
      times_used: 0,
      stackable: false,
      public: true,
      status: 'active',
      starts_at: null,
      ends_at: null,
      created_at: at(0),
      updated_at: at(0),
    });
  });

  test('stores every field of the request', async () => {
    const { id: product } = await merchant.createProduct();
    const { category } = (await merchant.secret('POST', '/v1/categories', { name: 'Shoes' })).body;
    const { collection } = (await merchant.secret('POST', '/v1/product-collections', { name: 'Summer' })).body;
    const said = {
      name: 'Three for two',
      code: 'THREE',
      type: 'buy_x_get_y',
      currency: 'EUR',
      applies_to: { product_ids: [product], category_ids: [category.id], collection_ids: [collection.id] },
      buy: { quantity: 2 },
      get: { quantity: 1, discount_percent: 62.5 },
      minimum_subtotal: 19.99,
      usage_limit: 100,
      usage_limit_per_customer: 2,
      stackable: true,
      public: false,
      starts_at: at(60),
      ends_at: at(120),
    };
    const promotion = await create({ ...said, value: null, code: ' three ' });
    expect(promotion).toMatchObject({ ...said, value: null, status: 'scheduled' });
    expect(await read(promotion.id)).toEqual(promotion);
    const listed = await merchant.secret('GET', '/v1/promotions');
    expect(listed.body.promotions).toContainEqual(promotion);
  });

  test('changes the fields in the body and no other', async () => {
    const promotion = await create({ code: 'CHANGE', minimum_subtotal: 5 });
    const body = { name: 'Renamed', minimum_subtotal: null, value: 12.5, code: null };
    const { promotion: changed } = (await change(promotion.id, body)).body;
    expect(changed).toEqual({ ...promotion, ...body, updated_at: changed.updated_at });
    expect(changed.updated_at > promotion.updated_at).toBe(true);
    const fixed = (await change(promotion.id, { type: 'fixed_amount', value: 3.5, currency: 'eur' })).body.promotion;
    expect(fixed).toMatchObject({ type: 'fixed_amount', value: 3.5, currency: 'EUR' });
  });

  test.each<[object, number, string, string]>([
    [{ name: '' }, 400, 'invalid_request', 'name'],
    [{ type: 'gift' }, 400, 'invalid_request', 'type'],
    [{ value: null }, 400, 'invalid_request', 'value'],
    [{ value: 0 }, 400, 'invalid_request', 'value'],
    [{ value: -5 }, 400, 'invalid_request', 'value'],
    [{ value: 100.01 }, 400, 'invalid_request', 'value'],
    [{ value: 1.00001 }, 400, 'invalid_request', 'value'],
    [{ value: '10' }, 400, 'invalid_request', 'value'],
    [{ type: 'fixed_amount', value: 1.001 }, 400, 'invalid_request', 'value'],
    [{ type: 'fixed_amount', value: 1.5, currency: 'JPY' }, 400, 'invalid_request', 'value'],
    [{ type: 'free_shipping' }, 400, 'invalid_request', 'value'],
    [{ type: 'buy_x_get_y', value: null }, 400, 'invalid_request', 'buy'],
    [{ type: 'buy_x_get_y', value: null, buy: { quantity: 1 } }, 400, 'invalid_request', 'get'],
    [{ buy: { quantity: 1 } }, 400, 'invalid_request', 'buy'],
    [{ get: { quantity: 1 } }, 400, 'invalid_request', 'get'],
    [{ type: 'buy_x_get_y', value: null, buy: { quantity: 0 } }, 400, 'invalid_request', 'buy.quantity'],
    [
      { type: 'buy_x_get_y', value: null, buy: { quantity: 1 }, get: { quantity: 1, discount_percent: 101 } },
      400,
      'invalid_request',
      'get.discount_percent',
    ],
    [{ currency: 'XXX' }, 400, 'invalid_request', 'currency'],
    [{ code: '   ' }, 400, 'invalid_request', 'code'],
    [{ code: '' }, 400, 'invalid_request', 'code'],
    [{ minimum_subtotal: -1 }, 400, 'invalid_request', 'minimum_subtotal'],
    [{ minimum_subtotal: 1.005 }, 400, 'invalid_request', 'minimum_subtotal'],
    [{ usage_limit: 0 }, 400, 'invalid_request', 'usage_limit'],
    [{ usage_limit_per_customer: 1.5 }, 400, 'invalid_request', 'usage_limit_per_customer'],
    [{ starts_at: '2999-01-02T00:00:00Z', ends_at: '2999-01-02T00:00:00Z' }, 400, 'invalid_request', 'ends_at'],
    [{ ends_at: '2020-01-01T00:00:00Z' }, 400, 'invalid_request', 'ends_at'],
    [{ status: 'scheduled' }, 400, 'invalid_request', 'starts_at'],
    [{ status: 'active', starts_at: '2999-01-01T00:00:00Z' }, 400, 'invalid_request', 'starts_at'],
    [{ status: 'expired' }, 400, 'invalid_request', 'status'],
    [{ status: 'gone' }, 400, 'invalid_request', 'status'],
    [{ starts_at: 'tomorrow' }, 400, 'invalid_request', 'starts_at'],
    [{ applies_to: { product_ids: ['x'] } }, 400, 'invalid_request', 'applies_to.product_ids[0]'],
    [{ applies_to: { product_ids: [UNKNOWN_ID] } }, 404, 'not_found', 'applies_to.product_ids[0]'],
    [{ applies_to: { category_ids: [UNKNOWN_ID] } }, 404, 'not_found', 'applies_to.category_ids[0]'],
    [{ applies_to: { collection_ids: [UNKNOWN_ID] } }, 404, 'not_found', 'applies_to.collection_ids[0]'],
  ])('refuses %j: %d %s at %s', async (body, status, code, param) => {
    const reply = await merchant.secret('POST', '/v1/promotions', { ...PERCENT, ...body });
    expect(problemOf(reply)).toEqual([status, code, param]);
  });

  test('reserves its code until it ends', async () => {
    const first = await create({ code: 'Unique' });
    expect(first.code).toBe('UNIQUE');
    const second = { ...PERCENT, code: 'unique' };
    expect(problemOf(await merchant.secret('POST', '/v1/promotions', second))).toEqual([409, 'conflict', 'code']);
    const other = await create();
    expect(problemOf(await change(other.id, { code: 'UNIQUE' }))).toEqual([409, 'conflict', 'code']);
    expect((await change(first.id, { code: 'unique' })).status).toBe(200);
    await change(first.id, { status: 'ended' });
    expect((await create({ code: 'UNIQUE' })).code).toBe('UNIQUE');
  });

  test('gives a code to one of several concurrent requests', async () => {
    const storm = Array.from({ length: 6 }, () =>
      merchant.secret('POST', '/v1/promotions', { ...PERCENT, code: 'STORM' }),
    );
    const statuses = (await Promise.all(storm)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('stays invisible to other stores and environments', async () => {
    const { id } = await create();
    const outsider = await openMerchant(stoa);
    for (const send of [outsider.secret, outsider.publishable, merchant.test]) {
      expect((await send('GET', '/v1/promotions')).body.promotions).toEqual([]);
      expect((await send('GET', `/v1/promotions/${id}`)).status).toBe(404);
    }
    expect((await change(id, { name: 'Mine' }, outsider)).status).toBe(404);
    const { id: theirs } = await outsider.createProduct();
    const reply = await merchant.secret('POST', '/v1/promotions', {
      ...PERCENT,
      applies_to: { product_ids: [theirs] },
    });
    expect(problemOf(reply)).toEqual([404, 'not_found', 'applies_to.product_ids[0]']);
  });

  test('shows publishable keys active public promotions only', async () => {
    const shop = await openMerchant(stoa);
    const [seen] = [await create({ name: 'seen' }, shop)];
    const hidden = [
      await create({ public: false }, shop),
      await create({ status: 'draft' }, shop),
      await create({ status: 'paused' }, shop),
      await create({ starts_at: at(60) }, shop),
      await create({ status: 'ended' }, shop),
    ];
    expect((await shop.publishable('GET', '/v1/promotions')).body.promotions).toEqual([seen]);
    expect((await shop.publishable('GET', `/v1/promotions/${seen!.id}`)).body.promotion).toEqual(seen);
    for (const { id } of hidden) expect((await shop.publishable('GET', `/v1/promotions/${id}`)).status).toBe(404);
    expect((await shop.secret('GET', '/v1/promotions')).body.promotions).toHaveLength(6);
    expect((await shop.publishable('POST', '/v1/promotions', PERCENT)).status).toBe(403);
    expect((await shop.publishable('PATCH', `/v1/promotions/${seen!.id}`, {})).status).toBe(403);
  });

  test('lists promotions in pages, newest first', async () => {
    const shop = await openMerchant(stoa);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await create({ name: `${count}` }, shop)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await shop.secret('GET', `/v1/promotions?limit=2${query}`);
      seen.push(...body.promotions.map(({ id }: StorePromotion) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(ids);
    const own = (await shop.secret('GET', '/v1/promotions?limit=2')).body.pagination.next_cursor;
    for (const send of [merchant.secret, shop.publishable]) {
      expect(problemOf(await send('GET', `/v1/promotions?cursor=${own}`))).toEqual([400, 'invalid_request', 'cursor']);
    }
  });
});

describe('the status of a promotion', () => {
  const STATUSES = ['draft', 'scheduled', 'active', 'paused', 'ended', 'expired'] as const;
  const MOVES: Record<string, string[]> = {
    draft: ['scheduled', 'active'],
    scheduled: ['active', 'paused'],
    active: ['paused', 'ended'],
    paused: ['scheduled', 'active', 'ended'],
    ended: [],
  };

  test.each(Object.entries(MOVES))('%s moves to %j only', async (from, allowed) => {
    const dates = { starts_at: ['scheduled', 'draft', 'paused'].includes(from) ? at(60) : null };
    for (const to of STATUSES) {
      const { id } = await create({ status: from, ...dates });
      const reply = await change(id, { status: to });
      if (to === from || allowed.includes(to)) expect([reply.status, reply.body.promotion?.status]).toEqual([200, to]);
      else expect(problemOf(reply)).toEqual([409, 'conflict', 'status']);
    }
  });

  test('starts now when activated before starts_at', async () => {
    const { id } = await create({ starts_at: at(60) });
    expect((await change(id, { status: 'active' })).body.promotion).toMatchObject({
      status: 'active',
      starts_at: at(0),
    });
  });

  test('stays paused after ends_at has passed', async () => {
    const { id } = await create({ status: 'paused', ends_at: at(60) });
    clock.advance(60_000);
    expect(problemOf(await change(id, { status: 'active' }))).toEqual([400, 'invalid_request', 'ends_at']);
    expect((await change(id, { status: 'active', ends_at: at(60) })).body.promotion.status).toBe('active');
  });

  test('publishes an event for each change by a merchant', async () => {
    const published = listen(merchant.keys.store_id);
    const { id } = await create({ status: 'draft' });
    for (const status of ['active', 'paused', 'active', 'ended']) await change(id, { status });
    const moved = (type: string, status: string, was?: string) => ({
      type: `promotion.${type}`,
      status,
      was,
      at: at(0),
    });
    await eventually(() => {
      expect(published(id)).toEqual([
        moved('created', 'draft'),
        moved('activated', 'active'),
        moved('deactivated', 'paused', 'active'),
        moved('activated', 'active'),
        moved('deactivated', 'ended', 'active'),
      ]);
    });
  });

  test('follows the tenant’s clock exactly and publishes each change once, with its scheduled time', async () => {
    const published = listen(merchant.keys.store_id);
    const [start, end] = [at(60), at(120)];
    const { id, status, updated_at } = await create({ starts_at: start, ends_at: end });
    expect(status).toBe('scheduled');
    clock.advance(59_999);
    expect((await read(id)).status).toBe('scheduled');
    clock.advance(1);
    expect((await read(id)).status).toBe('active');
    await eventually(async () => expect((await read(id)).updated_at).toBe(start));
    clock.advance(59_999);
    expect((await read(id)).status).toBe('active');
    clock.advance(1);
    expect((await read(id)).status).toBe('expired');
    await eventually(() => {
      expect(published(id)).toEqual([
        { type: 'promotion.created', status: 'scheduled', was: undefined, at: updated_at },
        { type: 'promotion.activated', status: 'active', was: undefined, at: start },
        { type: 'promotion.deactivated', status: 'expired', was: 'active', at: end },
      ]);
    });
    expect(problemOf(await change(id, { status: 'active' }))).toEqual([409, 'conflict', 'status']);
  });

  test('publishes every change that one clock jump passes', async () => {
    const published = listen(merchant.keys.store_id);
    const { id } = await create({ starts_at: at(60), ends_at: at(120) });
    clock.advance(3_600_000);
    await eventually(() => {
      expect(published(id).map(({ type, status }) => [type, status])).toEqual([
        ['promotion.created', 'scheduled'],
        ['promotion.activated', 'active'],
        ['promotion.deactivated', 'expired'],
      ]);
    });
  });

  test('follows the sandbox’s own clock in a sandbox', async () => {
    const shop = await openMerchant(stoa);
    const body = { ...PERCENT, starts_at: at(3_600) };
    const { promotion } = (await shop.test('POST', '/v1/promotions', body)).body;
    await moveSandboxClock(stoa.services.runtime, shop.keys.store_id, 3_600_000);
    const moved = async () => (await shop.test('GET', `/v1/promotions/${promotion.id}`)).body.promotion;
    expect((await moved()).status).toBe('active');
    await eventually(async () => expect((await moved()).updated_at).toBe(promotion.starts_at));
  });
});

describe('uses of a promotion', () => {
  const use = (order: string, emails: readonly string[], ids: readonly string[], customer: string | null = null) =>
    stoa.services.runtime.postgres.transaction((tx) =>
      usePromotions(tx, tenant(), {
        order,
        customer,
        emails,
        promotions: ids.map((id) => ({ promotion: id, amount: 100 })),
      }),
    );
  const release = (order: string) =>
    stoa.services.runtime.postgres.transaction((tx) => releasePromotions(tx, tenant(), order));
  const tenant = () => ({ store: merchant.keys.store_id, environment: 'production' }) as const;
  const order = (): string => crypto.randomUUID();

  test('count once per order up to the limit and are released once', async () => {
    const { id } = await create({ usage_limit: 2 });
    const [first, second, third] = [order(), order(), order()];
    for (const each of [first, first, second]) expect(await use(each, [], [id])).toEqual([]);
    expect((await read(id)).times_used).toBe(2);
    expect(await use(third, [], [id])).toEqual([{ promotion: id, obstacle: 'usage_limit' }]);
    await release(first);
    await release(first);
    expect((await read(id)).times_used).toBe(1);
    expect(await use(third, [], [id])).toEqual([]);
  });

  test('count for the customer and for each address the customer used', async () => {
    const { id } = await create({ usage_limit_per_customer: 1 });
    const [ada, refused] = [order(), [{ promotion: id, obstacle: 'usage_limit_per_customer' }]];
    const first = order();
    expect(await use(first, ['Ada@example.com', 'ada@work.example'], [id], ada)).toEqual([]);
    expect(await use(order(), ['ada@example.com'], [id])).toEqual(refused);
    expect(await use(order(), ['new@example.com', 'ADA@work.example'], [id])).toEqual(refused);
    expect(await use(order(), ['new@example.com'], [id], ada)).toEqual(refused);
    expect(await use(order(), ['bob@example.com'], [id], order())).toEqual([]);
    expect(await use(order(), [], [id])).toEqual([]);
    await release(first);
    expect(await use(order(), ['ada@example.com'], [id])).toEqual([]);
  });

  test('never exceed the limit under concurrent orders that name promotions in different orders', async () => {
    const ids = [(await create({ usage_limit: 5, stackable: true })).id, (await create({ stackable: true })).id];
    const { postgres } = stoa.services.runtime;
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        postgres
          .transaction(async (tx) => {
            const named = turn % 2 === 0 ? ids : ids.toReversed();
            const promotions = named.map((promotion) => ({ promotion, amount: 1 }));
            const refused = await usePromotions(tx, tenant(), {
              order: order(),
              customer: null,
              emails: [],
              promotions,
            });
            if (refused.length > 0) throw new Error('used up');
            return true;
          })
          .catch(() => false),
      ),
    );
    expect(outcomes.filter((done) => done)).toHaveLength(5);
    expect(await Promise.all(ids.map(async (id) => (await read(id)).times_used))).toEqual([5, 5]);
  });
});
