// Lists of promotions, promotions that are paused before they start, and promotions that are deleted.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StorePromotion } from '#proto/gen/promotion.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { subscribeEvents } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock });
});
beforeEach(async () => {
  merchant = await openMerchant(stoa);
});
afterAll(() => stoa?.stop());

const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];
const create = async (body: object, of = merchant): Promise<StorePromotion> => {
  const reply = await of.secret('POST', '/v1/promotions', { name: 'Ten off', type: 'percentage', value: 10, ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.promotion;
};
const change = (id: string, body: object) => merchant.secret('PATCH', `/v1/promotions/${id}`, body);
const remove = (id: string, of = merchant) => of.secret('DELETE', `/v1/promotions/${id}`);
const statusOf = async (id: string) => (await merchant.secret('GET', `/v1/promotions/${id}`)).body.promotion.status;

describe('a promotion that is paused before it starts', () => {
  test('waits while it is paused, and is resumed as scheduled', async () => {
    const { id, starts_at } = await create({ starts_at: at(60) });
    expect((await change(id, { status: 'paused' })).body.promotion).toMatchObject({ status: 'paused', starts_at });
    expect((await change(id, { status: 'scheduled' })).body.promotion).toMatchObject({
      status: 'scheduled',
      starts_at,
    });
    await change(id, { status: 'paused' });
    clock.advance(61_000);
    expect(await statusOf(id)).toBe('paused');
    // The start has passed meanwhile.
    expect((await change(id, { status: 'scheduled' })).body.promotion).toMatchObject({ status: 'active', starts_at });
  });

  test('starts now when it is resumed as active', async () => {
    const { id } = await create({ starts_at: at(60) });
    await change(id, { status: 'paused' });
    expect((await change(id, { status: 'active' })).body.promotion).toMatchObject({
      status: 'active',
      starts_at: at(0),
    });
  });

  test('needs a start to be resumed as scheduled', async () => {
    const { id } = await create({ status: 'paused' });
    expect(problemOf(await change(id, { status: 'scheduled' }))).toEqual([400, 'invalid_request', 'starts_at']);
  });
});

describe('the list of promotions', () => {
  const names = async (query: string, send = merchant.secret) =>
    (await send('GET', `/v1/promotions?${query}`)).body.promotions.map(({ name }: StorePromotion) => name);

  test('finds promotions by a part of the name or the beginning of the code', async () => {
    await create({ name: 'Summer 100%', code: 'SUN_1' });
    await create({ name: 'Winter' });
    await create({ name: 'Hidden summer', public: false });
    expect(await names('search=summer')).toEqual(['Hidden summer', 'Summer 100%']);
    expect(await names('search=sun')).toEqual(['Summer 100%']);
    for (const text of ['un_1', '%25x', '_']) expect(await names(`search=${text}`), text).toEqual([]);
    expect(await names('search=%25')).toEqual(['Summer 100%']);
    expect(await names('search=summer', merchant.publishable)).toEqual(['Summer 100%']);
    const { pagination } = (await merchant.secret('GET', '/v1/promotions?search=summer&limit=1')).body;
    expect(await names(`search=summer&limit=1&cursor=${pagination.next_cursor}`)).toEqual(['Summer 100%']);
    const foreign = await merchant.secret('GET', `/v1/promotions?search=winter&cursor=${pagination.next_cursor}`);
    expect(problemOf(foreign)).toEqual([400, 'invalid_request', 'cursor']);
  });

  test('filters by the status that each promotion shows, also when time alone has changed it', async () => {
    for (const status of ['draft', 'active', 'paused', 'ended']) await create({ name: status, status });
    await create({ name: 'soon', starts_at: at(60) });
    await create({ name: 'later', starts_at: at(600) });
    await create({ name: 'short', ends_at: at(60) });
    await create({ name: 'both', starts_at: at(10), ends_at: at(30) });
    clock.advance(61_000);
    const all: StorePromotion[] = (await merchant.secret('GET', '/v1/promotions?limit=100')).body.promotions;
    for (const status of ['draft', 'scheduled', 'active', 'paused', 'ended', 'expired'])
      expect(await names(`status=${status}`)).toEqual(
        all.filter((each) => each.status === status).map(({ name }) => name),
      );
    expect(await names('status=expired')).toEqual(['both', 'short']);
    expect(await names('status=paused', merchant.publishable)).toEqual([]);
  });
});

describe('a promotion that is deleted', () => {
  const total = async (variant_id: string, codes: readonly string[] = []) => {
    const items = [{ variant_id, quantity: 1 }];
    const reply = await merchant.publishable('POST', '/v1/pricing/query', { items, promotion_codes: codes });
    return [reply.body.total, reply.body.rejected_codes.map(({ reason }: { reason: string }) => reason)];
  };

  test.each(['draft', 'scheduled', 'active', 'paused', 'ended'])(
    'is gone, also as %s, and frees its code',
    async (status) => {
      const code = `GONE${status}`;
      const { id } = await create({ status, code, ...(status === 'scheduled' ? { starts_at: at(60) } : {}) });
      expect((await remove(id)).body).toEqual({ deleted: true, id });
      expect((await merchant.secret('GET', `/v1/promotions/${id}`)).status).toBe(404);
      expect((await change(id, { name: 'Back' })).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
      const listed = (await merchant.secret('GET', '/v1/promotions?limit=100')).body.promotions;
      expect(listed.map((each: StorePromotion) => each.id)).not.toContain(id);
      const next = await create({ code });
      expect(next.code).toBe(code.toUpperCase());
      await remove(next.id);
    },
  );

  test('lowers no price any more, and its code is unknown', async () => {
    const { variant_id } = await merchant.createProduct({ price: 100, stock: 5 });
    const automatic = await create({});
    const coded = await create({ code: 'TWENTY', value: 20 });
    await eventually(async () => expect(await total(variant_id!)).toEqual([90, []]));
    await remove(automatic.id);
    await eventually(async () => expect(await total(variant_id!, ['TWENTY'])).toEqual([80, []]));
    await remove(coded.id);
    const unknown = (await total(variant_id!, ['NEVERWAS']))[1];
    await eventually(async () => expect(await total(variant_id!, ['TWENTY'])).toEqual([100, unknown]));
  });

  test('stays on orders, and lowers the price of a quote that was made before', async () => {
    const { variant_id } = await merchant.createProduct({
      price: 100,
      stock: 5,
      shipping_info: { requires_shipping: false },
    });
    const { id } = await create({ name: 'Remembered', code: 'KEEP', usage_limit: 2 });
    const items = [{ variant_id, quantity: 1 }];
    const sign = (method: string, path: string, body: object) =>
      stoa.send(method, path, { key: merchant.keys.secret_key, signWith: merchant.keys.hmac_secret, body });
    const place = (body: object) => sign('POST', '/v1/orders', { email: 'ada@example.com', ...body });
    const before = await place({ items, promotion_codes: ['KEEP'] });
    expect(before.status, before.text).toBe(201);
    const quote = await merchant.publishable('POST', '/v1/agent/quotes', { items, promotion_codes: ['KEEP'] });
    expect(quote.status, quote.text).toBe(201);
    expect((await remove(id)).status).toBe(200);
    const { order } = (await merchant.secret('GET', `/v1/orders/${before.body.order.id}`)).body;
    expect(order.applied_promotions).toMatchObject([
      { promotion_id: id, title: 'Remembered', code: 'KEEP', amount: 10 },
    ]);
    const promised = await place({ quote_id: quote.body.data.id });
    expect([promised.status, promised.body.order?.total_amount], promised.text).toEqual([201, 90]);
    // A cancelled order still gives its use back.
    const cancelled = await sign('PATCH', `/v1/orders/${before.body.order.id}`, { order_status: 'cancelled' });
    expect(cancelled.status, cancelled.text).toBeLessThan(300);
    await eventually(async () => {
      const refused = await place({ items, promotion_codes: ['KEEP'] });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'promotion_not_applicable']);
    });
  });

  test('sends promotion.deactivated if it was active, and nothing otherwise', async () => {
    const published: unknown[] = [];
    subscribeEvents(stoa.services.runtime, ({ type, data, previous_attributes }, { store }) => {
      const { id, status } = data.object as { id: string; status: string };
      if (store === merchant.keys.store_id && type === 'promotion.deactivated')
        published.push([id, status, previous_attributes]);
    });
    const [draft, active] = [await create({ status: 'draft' }), await create({})];
    for (const { id } of [draft, active]) await remove(id);
    await eventually(() => expect(published).toEqual([[active.id, 'ended', { status: 'active' }]]));
  });

  test('refuses another store, another environment and a publishable key', async () => {
    const { id } = await create({});
    const outsider = await openMerchant(stoa);
    expect((await remove(id, outsider)).status).toBe(404);
    expect((await merchant.test('DELETE', `/v1/promotions/${id}`)).status).toBe(404);
    expect((await merchant.publishable('DELETE', `/v1/promotions/${id}`)).status).toBe(403);
    expect(await statusOf(id)).toBe('active');
  });

  test('answers one of twenty concurrent calls, and the others with 404', async () => {
    const { id } = await create({});
    const replies = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)]);
  });
});
