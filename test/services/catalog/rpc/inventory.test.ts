// Stock levels over HTTP: concurrent adjustments and their events.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CatalogHost, openCatalogHost } from '#test/services/catalog/host.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const adjust = (body: object, send = merchant.secret) => send('POST', '/v1/inventory/adjustments', body);

describe('a level', () => {
  test('shows on_hand, held and available', async () => {
    const { variant_id } = await merchant.createProduct({ stock: 7, low_stock_threshold: 2 });
    const { status, body } = await merchant.secret('GET', `/v1/inventory/${variant_id}`);
    expect([status, body]).toEqual([
      200,
      { inventory: { variant_id, on_hand: 7, held: 0, available: 7, low_stock_threshold: 2 } },
    ]);
    const named = await merchant.secret('GET', `/v1/inventory/${variant_id}?fields=available`);
    expect(named.body).toEqual({ inventory: { available: 7 } });
  });

  test('requires a secret key of its own store and environment', async () => {
    const { variant_id } = await merchant.createProduct();
    const outsider = await openMerchant(stoa);
    expect((await merchant.publishable('GET', `/v1/inventory/${variant_id}`)).status).toBe(403);
    for (const send of [outsider.secret, merchant.test]) {
      expect((await send('GET', `/v1/inventory/${variant_id}`)).status).toBe(404);
      const refused = await adjust({ variant_id, delta: 1 }, send);
      expect([refused.status, refused.body.error.param]).toEqual([404, 'variant_id']);
    }
    expect((await merchant.secret('GET', '/v1/inventory/x')).status).toBe(400);
    expect((await merchant.secret('GET', `/v1/inventory/${UNKNOWN_ID}`)).status).toBe(404);
  });
});

describe('the list of levels', () => {
  const levels = async (query: string, send = merchant.secret) => (await send('GET', `/v1/inventory?${query}`)).body;
  const idsOf = async (query: string): Promise<string[]> =>
    (await levels(query)).inventory.map(({ variant_id }: { variant_id: string }) => variant_id);

  test('names each variant, by product, and follows an adjustment at once', async () => {
    const { id, variants } = await merchant.createProduct({
      name: 'Étagère',
      sku: 'SHELF',
      low_stock_threshold: 3,
      variants: [
        { sku: 'SHELF-A', variant_name: 'Oak', stock: 2 },
        { sku: 'SHELF-B', variant_name: 'Pine', stock: 9 },
      ],
    });
    const [oak, pine] = variants!.map(({ variant_id }) => variant_id);
    const named = { product_id: id, product_name: 'Étagère', thumbnail_url: null, held: 0, low_stock_threshold: 3 };
    const low = { ...named, variant_id: oak, variant_name: 'Oak', sku: 'SHELF-A', on_hand: 2, available: 2 };
    const enough = { ...named, variant_id: pine, variant_name: 'Pine', sku: 'SHELF-B', on_hand: 9, available: 9 };
    expect((await levels(`product_id=${id}`)).inventory).toEqual([
      { ...low, low_stock: true },
      { ...enough, low_stock: false },
    ]);
    await adjust({ variant_id: oak, delta: 1 });
    const after = { ...low, on_hand: 3, available: 3, low_stock: false };
    expect((await levels(`variant_id=${oak}`)).inventory).toEqual([after]);
    expect((await levels(`variant_id=${oak}&fields=sku`)).inventory).toEqual([{ sku: 'SHELF-A' }]);
    expect(await idsOf(`variant_id=${oak}&product_id=${UNKNOWN_ID}`)).toEqual([]);
    expect(await idsOf('search=etagere')).toEqual([oak, pine]);
    expect(await idsOf('search=shelf-b')).toEqual([pine]);
    await adjust({ variant_id: pine, on_hand: 0 });
    expect(await idsOf('search=shelf&low_stock=true')).toEqual([pine]);
    expect(await idsOf('search=shelf&low_stock=false')).toEqual([oak]);
  });

  test('names chosen variants of several products, and leaves out unknown ids', async () => {
    const pair = await merchant.createProduct({
      name: 'Zither',
      variants: [
        { sku: 'Z-1', stock: 1 },
        { sku: 'Z-2', stock: 2 },
        { sku: 'Z-3', stock: 3 },
      ],
    });
    const { variant_id: lute } = await merchant.createProduct({ name: 'Lute', stock: 4 });
    const [first, , third] = pair.variants!.map(({ variant_id }) => variant_id);
    const chosen = `variant_ids=${[third, UNKNOWN_ID, lute, first!.toUpperCase(), third].join(',')}`;
    expect(await idsOf(chosen)).toEqual([lute, first, third]);
    expect(await idsOf(`${chosen}&product_id=${pair.id}`)).toEqual([first, third]);
    expect(await idsOf(`${chosen}&variant_id=${third}`)).toEqual([third]);
    expect(await idsOf(`variant_ids=${first}&variant_id=${third}`)).toEqual([]);
    expect(await idsOf(`variant_ids=${UNKNOWN_ID}`)).toEqual([]);
    const page = await levels(`${chosen}&limit=2`);
    expect(await idsOf(`${chosen}&limit=2&cursor=${page.pagination.next_cursor}`)).toEqual([third]);
    const foreign = await merchant.secret(
      'GET',
      `/v1/inventory?variant_ids=${lute}&cursor=${page.pagination.next_cursor}`,
    );
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
  });

  test('goes on inside of a product, page after page, and beyond it', async () => {
    const first = await merchant.createProduct({
      name: 'Paged 1',
      variants: [{ stock: 1 }, { stock: 2 }, { stock: 3 }],
    });
    const second = await merchant.createProduct({ name: 'Paged 2', stock: 4 });
    const stocks: number[] = [];
    let cursor = '';
    do {
      const page = await levels(`search=paged&limit=2${cursor && `&cursor=${cursor}`}`);
      stocks.push(...page.inventory.map(({ on_hand }: { on_hand: number }) => on_hand));
      cursor = page.pagination.next_cursor ?? '';
    } while (cursor !== '');
    expect(stocks).toEqual([1, 2, 3, 4]);
    expect(await idsOf(`product_id=${second.id}`)).toEqual([second.variant_id]);
    const middle = (await levels('search=paged&limit=2')).pagination.next_cursor;
    await merchant.secret('DELETE', `/v1/products/${first.id}`);
    expect((await levels(`search=paged&limit=2&cursor=${middle}`)).inventory).toMatchObject([{ on_hand: 4 }]);
    const foreign = await merchant.secret('GET', `/v1/inventory?search=other&cursor=${middle}`);
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
  });

  test('refuses publishable keys, and shows no other store', async () => {
    const { id } = await merchant.createProduct();
    const outsider = await openMerchant(stoa);
    expect((await merchant.publishable('GET', '/v1/inventory')).status).toBe(403);
    for (const send of [outsider.secret, merchant.test])
      expect((await levels(`product_id=${id}`, send)).inventory).toEqual([]);
  });
});

describe('the adjustments of a variant', () => {
  test('come newest first, page by page, with level and reason', async () => {
    const { variant_id } = await merchant.createProduct({ stock: 5 });
    await adjust({ variant_id, delta: -2, reason: 'Broken' });
    await adjust({ variant_id, on_hand: 10 });
    const path = `/v1/inventory/${variant_id}/adjustments`;
    const whole = (await merchant.secret('GET', `/v1/inventory/${variant_id}/adjustments`)).body;
    expect(whole).toMatchObject({
      adjustments: [
        { variant_id, delta: 7, on_hand: 10, reason: null },
        { variant_id, delta: -2, on_hand: 3, reason: 'Broken' },
      ],
      pagination: { has_more: false },
    });
    const first = (await merchant.secret('GET', `${path}?limit=1`)).body;
    expect(first.adjustments).toEqual([whole.adjustments[0]]);
    const second = (await merchant.secret('GET', `${path}?limit=1&cursor=${first.pagination.next_cursor}`)).body;
    expect([second.adjustments, second.pagination.has_more]).toEqual([[whole.adjustments[1]], false]);
  });

  test('refuse other stores, publishable keys and other cursors', async () => {
    const { variant_id } = await merchant.createProduct();
    const path = `/v1/inventory/${variant_id}/adjustments`;
    const outsider = await openMerchant(stoa);
    for (const send of [outsider.secret, merchant.test]) expect((await send('GET', path)).status).toBe(404);
    expect((await merchant.publishable('GET', path)).status).toBe(403);
    const { status, body } = await merchant.secret('GET', `${path}?cursor=nonsense`);
    expect([status, body.error.param]).toEqual([400, 'cursor']);
  });
});

describe('an adjustment', () => {
  test.each([
    [{ delta: 3 }, 8],
    [{ delta: -5 }, 0],
    [{ on_hand: 0 }, 0],
    [{ on_hand: 12, reason: 'counted' }, 12],
    [{ delta: 0 }, 5],
  ])('of 5 by %j comes to %d, and is read by the next request', async (change, on_hand) => {
    const { variant_id, id } = await merchant.createProduct({ stock: 5 });
    const today = (): string => new Date().toISOString().slice(0, 10);
    const before = today();
    const { status, body } = await adjust({ variant_id, ...change });
    const level = { variant_id, on_hand, held: 0, available: on_hand, low_stock_threshold: null };
    expect([status, body]).toEqual([201, { inventory: level }]);
    expect((await merchant.secret('GET', `/v1/inventory/${variant_id}`)).body).toEqual({ inventory: level });
    const product = (await merchant.publishable('GET', `/v1/products/${id}`)).body;
    const restocked = on_hand > 5 ? expect.toBeOneOf([before, today()]) : null;
    expect(product).toMatchObject({ stock: on_hand, last_restocked: restocked });
  });

  test('sets last_restocked to the store’s date', async () => {
    // No moment has the same date in both.
    const restocked = async (timezone: string): Promise<string[]> => {
      const store = await openMerchant(stoa);
      await store.secret('PATCH', '/v1/store', { timezone });
      const [one, other] = [await store.createProduct({ stock: 1 }), await store.createProduct({ stock: 1 })];
      await adjust({ variant_id: one.variant_id, delta: 1 }, store.secret);
      await store.secret('PATCH', `/v1/products/${other.id}`, { stock: 5 });
      const { body } = await store.publishable('GET', '/v1/products?fields=last_restocked');
      return body.products.map(({ last_restocked }: { last_restocked: string }) => last_restocked);
    };
    const [east, west] = [await restocked('Pacific/Kiritimati'), await restocked('Pacific/Niue')];
    expect(new Set(west).isDisjointFrom(new Set(east))).toBe(true);
    expect([...east, ...west]).toEqual(Array(4).fill(expect.any(String)));
  });

  test.each<[object, number, string, string | undefined]>([
    [{ delta: -6 }, 409, 'insufficient_stock', undefined],
    [{ on_hand: -1 }, 409, 'insufficient_stock', undefined],
    [{}, 400, 'invalid_request', 'delta'],
    [{ delta: 1, on_hand: 1 }, 400, 'invalid_request', 'delta'],
    [{ delta: 0.5 }, 400, 'invalid_request', 'delta'],
    [{ delta: 1_000_000_000 }, 400, 'invalid_request', 'delta'],
    [{ on_hand: 'many' }, 400, 'invalid_request', 'on_hand'],
    [{ delta: 1, reason: 'x'.repeat(501) }, 400, 'invalid_request', 'reason'],
    [{ delta: 1, variant_id: UNKNOWN_ID }, 404, 'not_found', 'variant_id'],
  ])('of 5 by %j is refused, and nothing is changed', async (change, status, code, param) => {
    const { variant_id } = await merchant.createProduct({ stock: 5 });
    const reply = await adjust({ variant_id, ...change });
    expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([status, code, param]);
    expect((await merchant.secret('GET', `/v1/inventory/${variant_id}`)).body.inventory.on_hand).toBe(5);
  });

  test('sums concurrent ones, and never falls below 0', async () => {
    const { variant_id } = await merchant.createProduct({ stock: 10 });
    const replies = await Promise.all(Array.from({ length: 15 }, () => adjust({ variant_id, delta: -1 })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await merchant.secret('GET', `/v1/inventory/${variant_id}`)).body.inventory.on_hand).toBe(0);
  });

  test('appears in the totals of a multi-variant product and in the list’s filter', async () => {
    const { id, variants } = await merchant.createProduct({ variants: [{ stock: 1 }, { stock: 0 }] });
    const inStock = async () =>
      (await merchant.publishable('GET', `/v1/products?ids=${id}&in_stock=true`)).body.products;
    expect(await inStock()).toMatchObject([{ total_stock: 1 }]);
    await adjust({ variant_id: variants![0]!.variant_id, on_hand: 0 });
    expect(await inStock()).toEqual([]);
    await adjust({ variant_id: variants![1]!.variant_id, delta: 4 });
    expect(await inStock()).toMatchObject([{ total_stock: 4, stock: 0 }]);
  });
});

describe('the events of stock', () => {
  let host: CatalogHost;
  beforeAll(async () => {
    host = await openCatalogHost();
  });
  afterAll(() => host?.close());

  test('occur when an adjustment crosses a threshold, with the product', async () => {
    const tenant = await host.newTenant();
    const product = await host.call(tenant, 'Catalog/CreateProduct', { name: 'P', sku: 's', stock: 6 });
    const { variant_id, id } = product;
    for (const on_hand of [5, 4, 3, 0, 0, 2])
      await host.call(tenant, 'Inventory/CreateAdjustment', { variant_id, on_hand });
    const [created, ...events] = await host.events(tenant);
    expect(created?.type).toBe('product.created');
    expect(events.map(({ type, object }) => [type, object.stock])).toEqual([
      ['product.stock_low', 4],
      ['product.out_of_stock', 0],
    ]);
    for (const { object } of events) {
      expect(object).toMatchObject({ id, variant_id, name: 'P', sku: 's', low_stock_threshold: 5 });
    }
  });

  test('follow availability: on_hand less held', async () => {
    const tenant = await host.newTenant();
    const { variant_id, id } = await host.call(tenant, 'Catalog/CreateProduct', {
      name: 'P',
      stock: 8,
      low_stock_threshold: 0,
    });
    await host.runtime.postgres.sql`update catalog.inventory set held = 6 where variant_id = ${variant_id}`;
    const { inventory } = await host.call(tenant, 'Inventory/CreateAdjustment', { variant_id, on_hand: 5 });
    expect(inventory).toMatchObject({ on_hand: 5, held: 6, available: 0 });
    expect((await host.events(tenant)).map(({ type }) => type)).toEqual(['product.created', 'product.out_of_stock']);
    expect((await host.call(tenant, 'Catalog/GetProduct', { id })).stock).toBe(0);
  });

  test('do not occur for a product that was never published', async () => {
    const tenant = await host.newTenant();
    const { variant_id } = await host.call(tenant, 'Catalog/CreateProduct', { name: 'P', stock: 8, is_active: false });
    await host.call(tenant, 'Inventory/CreateAdjustment', { variant_id, on_hand: 0 });
    expect(await host.events(tenant)).toEqual([]);
  });
});
