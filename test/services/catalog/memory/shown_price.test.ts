// Products, lists and search in other currencies than the store's: converted prices, fixed prices, and rates that end.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let ids: Record<'mug' | 'tent' | 'free', string>;
let tentVariants: string[];
beforeAll(async () => {
  stoa = await sharedStoa();
});

const merchant = async (method: string, path: string, body: unknown) => {
  const reply = await stoa.send(method, path, { key: keys.secret_key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
};
const read = (path: string, key = keys.publishable_key) => stoa.send('GET', path, { key });

beforeEach(async () => {
  keys = await stoa.createStore({ currency: 'USD' });
  const mug = await merchant('POST', '/v1/products', { name: 'Mug', price: 20, sale_price: 15, stock: 5 });
  const tent = await merchant('POST', '/v1/products', {
    name: 'Tent',
    variants: [
      { sku: 'T-1', price: 100, stock: 1, attributes: { size: 'S' } },
      { sku: 'T-2', price: 150, stock: 1, attributes: { size: 'L' } },
    ],
  });
  const free = await merchant('POST', '/v1/products', { name: 'Sample', price: 0, stock: 5 });
  ids = { mug: mug.id, tent: tent.id, free: free.id };
  tentVariants = tent.variants.map(({ variant_id }: { variant_id: string }) => variant_id);
  await merchant('PATCH', '/v1/store', {
    currencies: [
      { currency: 'EUR', prices: 'rate' },
      { currency: 'JPY', prices: 'fixed' },
    ],
  });
  await merchant('PUT', '/v1/exchange-rates/EUR', { rate: 0.92, rounding: { to: '0.99' } });
  await merchant('PUT', '/v1/exchange-rates/JPY', { rate: 150 });
  await merchant('POST', '/v1/price-lists', {
    name: 'Yen',
    currency: 'JPY',
    prices: [
      { variant_id: tentVariants[0], price: 14_800 },
      { variant_id: mug.variant_id, price: 19_800 },
    ],
  });
});

const named = (products: readonly { name: string; selling_price: number | null }[]) =>
  products.map(({ name, selling_price }) => [name, selling_price]);

describe('a currency with a rate', () => {
  test('shows a product converted and rounded, with its currency', async () => {
    const { body } = await read(`/v1/products/${ids.mug}?currency=eur`);
    expect(body).toMatchObject({
      price: 17.99,
      sale_price: 13.99,
      selling_price: 13.99,
      display_currency: 'EUR',
      currency_symbol: '€',
      stock: 5,
    });
    const { body: tent } = await read(
      `/v1/products/by-slug/${(await read(`/v1/products/${ids.tent}`)).body.product_slug}?currency=EUR`,
    );
    expect(tent.price_range).toEqual({ min: 91.99, max: 137.99, currency: 'EUR' });
    expect(tent.variants.map(({ price }: { price: number }) => price)).toEqual([91.99, 137.99]);
    expect((await read(`/v1/products/${ids.free}?currency=EUR`)).body.price).toBe(0);
  });

  test('lists, filters and sorts by the shown prices, page by page', async () => {
    const { body } = await read('/v1/products?currency=EUR&sort=price_desc');
    expect(named(body.products)).toEqual([
      ['Tent', 91.99],
      ['Mug', 13.99],
      ['Sample', 0],
    ]);
    const filtered = await read('/v1/products?currency=EUR&min_price=13.99&max_price=14');
    expect(named(filtered.body.products)).toEqual([['Mug', 13.99]]);
    const first = await read('/v1/products?currency=EUR&sort=price_asc&limit=2&fields=name,selling_price');
    expect(first.body.products).toEqual([
      { name: 'Sample', selling_price: 0 },
      { name: 'Mug', selling_price: 13.99 },
    ]);
    const cursor = encodeURIComponent(first.body.pagination.next_cursor);
    const next = await read(`/v1/products?currency=EUR&sort=price_asc&limit=2&cursor=${cursor}`);
    expect(named(next.body.products)).toEqual([['Tent', 91.99]]);
    expect((await read(`/v1/products?sort=price_asc&limit=2&cursor=${cursor}`)).status).toBe(400);
  });

  test('searches with filters and facets in it', async () => {
    const search = async (body: object) =>
      (await stoa.send('POST', '/v1/search', { key: keys.publishable_key, body: { currency: 'EUR', ...body } })).body;
    await eventually(async () => expect((await search({})).total).toBe(3));
    const found = await search({ filters: { price: { gte: 13.99, lte: 13.99 } }, facets: ['price'] });
    expect(named(found.products)).toEqual([['Mug', 13.99]]);
    expect(found.facets).toEqual([{ key: 'price', min: 0, max: 137.99 }]);
    expect((await search({ filters: { price: { gte: 14 } } })).total).toBe(1);
    expect((await search({ filters: { price: { lte: 13.98 } } })).total).toBe(1);
    const cut = await search({ query: 'mug', fields: 'name,selling_price' });
    expect(cut.products).toEqual([{ name: 'Mug', selling_price: 13.99 }]);
  });

  test('never mixes currencies in caches, and shows a new rate at once', async () => {
    const [path, own] = [`/v1/products/${ids.mug}?currency=EUR`, `/v1/products/${ids.mug}`];
    const tags = new Set<string | null>();
    for (let round = 0; round < 3; round++) {
      const [dollars, euros] = [await read(own), await read(path)];
      expect(dollars.body).toMatchObject({ price: 20, display_currency: 'USD' });
      expect(euros.body).toMatchObject({ price: 17.99, display_currency: 'EUR' });
      tags.add(dollars.headers.get('etag')).add(euros.headers.get('etag'));
    }
    expect(tags.size).toBe(2);
    await merchant('PUT', '/v1/exchange-rates/EUR', { rate: 2 });
    expect((await read(path)).body.price).toBe(40);
    expect((await read(own)).body.price).toBe(20);
    expect((await read(`${own}?currency=USD`)).body).toMatchObject({ price: 20, display_currency: 'USD' });
  });
});

describe('a currency with fixed prices', () => {
  test('shows the price of its list, and none to a variant without', async () => {
    expect((await read(`/v1/products/${ids.mug}?currency=JPY`)).body).toMatchObject({
      price: 19_800,
      sale_price: null,
      selling_price: 19_800,
      display_currency: 'JPY',
    });
    const { body: tent } = await read(`/v1/products/${ids.tent}?currency=JPY`);
    expect(tent.variants.map(({ price }: { price: number | null }) => price)).toEqual([14_800, null]);
    expect(tent.price_range).toEqual({ min: 14_800, max: 14_800, currency: 'JPY' });
  });

  test('sorts by the fixed prices, page by page', async () => {
    const { body } = await read('/v1/products?currency=JPY&sort=price_asc&limit=1');
    expect(named(body.products)).toEqual([['Tent', 14_800]]);
    const cursor = encodeURIComponent(body.pagination.next_cursor);
    const next = await read(`/v1/products?currency=JPY&sort=price_asc&limit=5&cursor=${cursor}`);
    expect(named(next.body.products)).toEqual([
      ['Mug', 19_800],
      ['Sample', null],
    ]);
  });

  test('refuses a search that compares prices', async () => {
    const search = (body: object) =>
      stoa.send('POST', '/v1/search', { key: keys.publishable_key, body: { currency: 'JPY', ...body } });
    await eventually(async () => expect((await search({})).body.total).toBe(3));
    for (const [body, param] of [
      [{ sort: 'price_asc' }, 'sort'],
      [{ facets: ['brand', 'price'] }, 'facets[1]'],
      [{ filters: { price: { gte: 1 } } }, 'filters.price'],
    ] as const) {
      const reply = await search(body);
      expect(reply.status).toBe(400);
      expect(reply.body.error.param).toBe(param);
    }
    expect(named((await search({ query: 'mug' })).body.products)).toEqual([['Mug', 19_800]]);
  });
});

describe('a currency that cannot be shown', () => {
  const paths = () => [`/v1/products?currency=`, `/v1/products/${ids.mug}?currency=`];

  test('refuses one that the store does not have', async () => {
    for (const path of paths()) {
      const reply = await read(`${path}GBP`);
      expect(reply.status, reply.text).toBe(400);
      expect(reply.body.error).toMatchObject({ code: 'invalid_request', param: 'currency' });
      expect((await read(`${path}ZZZ`)).status).toBe(400);
    }
  });

  test('refuses one without a rate', async () => {
    await stoa.send('DELETE', '/v1/exchange-rates/EUR', { key: keys.secret_key });
    for (const path of paths()) {
      const reply = await read(`${path}EUR`);
      expect(reply.status, reply.text).toBe(409);
      expect(reply.body.error).toMatchObject({ code: 'currency_not_available', param: 'currency' });
    }
  });

  test('refuses one whose rate is too old, until it is set again', async () => {
    const test = (method: string, path: string, body: unknown) =>
      stoa.send(method, path, { key: keys.secret_test_key, body });
    expect((await test('PUT', '/v1/exchange-rates/EUR', { rate: 0.92, max_age_hours: 2 })).status).toBe(200);
    const shown = () => read('/v1/products?currency=EUR', keys.publishable_test_key);
    expect((await shown()).status).toBe(200);
    await test('POST', '/v1/sandbox/time-travel', { advance_seconds: 7_201 });
    const old = await shown();
    expect(old.status, old.text).toBe(409);
    expect(old.body.error.code).toBe('currency_not_available');
    expect((await read('/v1/products', keys.publishable_test_key)).status).toBe(200);
    await test('PUT', '/v1/exchange-rates/EUR', { rate: 0.92, max_age_hours: 2 });
    expect((await shown()).status).toBe(200);
  });
});
