// Price lists over HTTP, and prices for everyone, exact by the tenant's clock.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PriceListing } from '#proto/gen/price_list.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const clock = manualClock(NOW);
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  merchant = await openMerchant(stoa);
});
afterAll(() => stoa?.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();

const create = async (body: object, of = merchant): Promise<PriceListing> => {
  const reply = await of.secret('POST', '/v1/price-lists', { name: 'List', ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.price_list;
};

describe('a price list', () => {
  test('returns every field, with defaults for omitted ones', async () => {
    const { variant_id } = await merchant.createProduct();
    const { variant_id: second } = await merchant.createProduct();
    const list = await create({
      prices: [
        { variant_id, price: 9.5 },
        { variant_id, min_quantity: 10, price: 8 },
        { variant_id: second, price: 0 },
      ],
    });
    expect(list).toEqual({
      id: expect.any(String),
      name: 'List',
      currency: 'USD',
      customer_group: null,
      starts_at: null,
      ends_at: null,
      prices: [
        { variant_id, min_quantity: 1, price: 9.5 },
        { variant_id, min_quantity: 10, price: 8 },
        { variant_id: second, min_quantity: 1, price: 0 },
      ],
      created_at: at(0),
      updated_at: at(0),
    });
    expect((await merchant.secret('GET', '/v1/price-lists')).body.price_lists).toContainEqual(list);
  });

  test('changes only the fields that a body names; prices are replaced as a whole', async () => {
    const { variant_id } = await merchant.createProduct();
    const list = await create({ currency: 'eur', customer_group: 'trade', prices: [{ variant_id, price: 9.5 }] });
    expect(list.currency).toBe('EUR');
    const path = `/v1/price-lists/${list.id}`;
    const change = { name: 'Renamed', customer_group: null, ends_at: at(60) };
    const renamed = await merchant.secret('PATCH', path, change);
    // A change has a later `updated_at` than the one before, also while the clock stands still.
    expect(renamed.body.price_list).toEqual({ ...list, ...change, updated_at: expect.stringMatching(/\.001Z$/) });
    expect((await merchant.secret('GET', path)).body).toEqual(renamed.body);
    const emptied = await merchant.secret('PATCH', path, { prices: [], ends_at: null });
    expect(emptied.body.price_list).toMatchObject({ name: 'Renamed', ends_at: null, prices: [] });
    expect((await merchant.secret('DELETE', `/v1/price-lists/${list.id}`)).body).toEqual({
      deleted: true,
      id: list.id,
    });
    expect((await merchant.secret('DELETE', path)).status).toBe(404);
    expect((await merchant.secret('PATCH', `/v1/price-lists/${list.id}`, {})).status).toBe(404);
  });

  test.each<[object, number, string]>([
    [{ name: '' }, 400, 'name'],
    [{ currency: 'XXX' }, 400, 'currency'],
    [{ currency: 'dollars' }, 400, 'currency'],
    [{ starts_at: 'tomorrow' }, 400, 'starts_at'],
    [{ starts_at: '2026-01-02T00:00:00Z', ends_at: '2026-01-02T00:00:00Z' }, 400, 'ends_at'],
    [{ customer_group: '' }, 400, 'customer_group'],
    [{ prices: [{ variant_id: UNKNOWN_ID, price: 1 }] }, 404, 'prices[0].variant_id'],
    [{ prices: [{ price: 1 }] }, 400, 'prices[0].variant_id'],
    [{ prices: [{ variant_id: UNKNOWN_ID, price: 1.001 }] }, 400, 'prices[0].price'],
    [{ currency: 'JPY', prices: [{ variant_id: UNKNOWN_ID, price: 1.5 }] }, 400, 'prices[0].price'],
    [{ prices: [{ variant_id: UNKNOWN_ID, price: 1, min_quantity: 0 }] }, 400, 'prices[0].min_quantity'],
    [
      {
        prices: [
          { variant_id: UNKNOWN_ID, price: 1 },
          { variant_id: UNKNOWN_ID, price: 2, min_quantity: 1 },
        ],
      },
      400,
      'prices[1]',
    ],
  ])('as %j is refused: %d at %s', async (body, status, param) => {
    const reply = await merchant.secret('POST', '/v1/price-lists', { name: 'List', ...body });
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
  });

  test('requires new amounts for a currency with other decimals', async () => {
    const list = await create({});
    const refused = await merchant.secret('PATCH', `/v1/price-lists/${list.id}`, { currency: 'JPY' });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'currency']);
    expect((await merchant.secret('PATCH', `/v1/price-lists/${list.id}`, { currency: 'JPY', prices: [] })).status).toBe(
      200,
    );
  });

  test('requires a secret key of its own store and environment', async () => {
    const { id } = await create({});
    const outsider = await openMerchant(stoa);
    for (const send of [outsider.secret, merchant.test]) {
      expect((await send('GET', '/v1/price-lists')).body.price_lists).toEqual([]);
      expect((await send('GET', `/v1/price-lists/${id}`)).status).toBe(404);
      expect((await send('PATCH', `/v1/price-lists/${id}`, {})).status).toBe(404);
      expect((await send('DELETE', `/v1/price-lists/${id}`)).status).toBe(404);
    }
    expect((await merchant.publishable('GET', '/v1/price-lists')).status).toBe(403);
    expect((await merchant.publishable('POST', '/v1/price-lists', { name: 'x' })).status).toBe(403);
  });

  test('lists in pages, newest first, including ties', async () => {
    const shop = await openMerchant(stoa);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await create({ name: `${count}` }, shop)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await shop.secret('GET', `/v1/price-lists?limit=2${query}`);
      seen.push(...body.price_lists.map((list: PriceListing) => list.id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(ids);
    const foreign = (await shop.secret('GET', '/v1/price-lists?limit=2')).body.pagination.next_cursor;
    for (const bad of ['x', foreign]) {
      const { status, body } = await merchant.secret('GET', `/v1/price-lists?cursor=${bad}`);
      expect([status, body.error.param]).toEqual([400, 'cursor']);
    }
  });
});

describe('the selling price', () => {
  const selling = async (id: string): Promise<number> =>
    (await merchant.publishable('GET', `/v1/products/${id}`)).body.selling_price;

  test.each<[string, object, number]>([
    ['by an everybody’s list', {}, 7],
    ['by a list for a group', { customer_group: 'trade' }, 10],
    ['by a list in another currency', { currency: 'EUR' }, 10],
    ['by a list that is over', { ends_at: '2026-01-01T00:00:00Z' }, 10],
    ['by a list to come', { starts_at: '2027-01-01T00:00:00Z' }, 10],
    ['by a list that began', { starts_at: '2026-01-01T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' }, 7],
    ['by a price for ten', { prices: [{ min_quantity: 10, price: 7 }] }, 10],
    ['by a higher price', { prices: [{ price: 11 }] }, 10],
  ])('of 10 %s', async (_what, given, expected) => {
    const { id, variant_id } = await merchant.createProduct({ price: 10 });
    const { prices = [{ price: 7 }], ...list } = given as { prices?: { price: number }[] };
    const { id: listId } = await create({ ...list, prices: prices.map((price) => ({ variant_id, ...price })) });
    expect(await selling(id)).toBe(expected);
    const written = await merchant.secret('PATCH', `/v1/products/${id}`, { brand: 'x' });
    expect(written.body).toMatchObject({ price: 10, sale_price: null, selling_price: expected });
    await merchant.secret('DELETE', `/v1/price-lists/${listId}`);
    expect(await selling(id)).toBe(10);
  });

  test('equals the lowest price, in the range and the sort too', async () => {
    const shop = await openMerchant(stoa);
    const cheap = await shop.createProduct({ name: 'cheap', price: 20 });
    await shop.createProduct({ name: 'dear', price: 30, sale_price: 25 });
    const family = await shop.createProduct({ name: 'family', variants: [{ price: 40 }, { price: 50 }] });
    await create({ prices: [{ variant_id: cheap.variant_id, price: 28 }] }, shop);
    await create({ prices: [{ variant_id: family.variants![0]!.variant_id, price: 1 }] }, shop);
    await create({ prices: [{ variant_id: family.variants![0]!.variant_id, price: 2 }] }, shop);
    const { body } = await shop.publishable('GET', '/v1/products?sort=price_asc');
    expect(
      body.products.map((product: { name: string; selling_price: number }) => [product.name, product.selling_price]),
    ).toEqual([
      ['family', 1],
      ['cheap', 20],
      ['dear', 25],
    ]);
    expect(body.products[0].price_range).toEqual({ min: 1, max: 50, currency: 'USD' });
  });

  test('changes at the scheduled moment, and caches follow', async () => {
    const { id, variant_id } = await merchant.createProduct({ price: 10 });
    await create({ starts_at: at(60), ends_at: at(120), prices: [{ variant_id, price: 6 }] });
    expect(await selling(id)).toBe(10);
    clock.advance(59_999);
    expect(await selling(id)).toBe(10);
    clock.advance(1);
    await eventually(async () => expect(await selling(id)).toBe(6));
    expect((await merchant.publishable('GET', `/v1/products?ids=${id}`)).body.products[0].selling_price).toBe(6);
    expect((await merchant.publishable('GET', `/v1/products?ids=${id}&max_price=6`)).body.products).toHaveLength(1);
    clock.advance(60_000);
    await eventually(async () => expect(await selling(id)).toBe(10));
  });
});
