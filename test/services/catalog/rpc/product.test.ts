// Products over HTTP: writes, reads, filters, bounds and visibility.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListedProduct } from '#proto/gen/product.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const list = async (query = '', sender = merchant.publishable): Promise<ListedProduct[]> =>
  (await sender('GET', `/v1/products${query}`)).body.products;

describe('a change', () => {
  test('returns the whole product, and the next request reads it', async () => {
    const product = await merchant.createProduct({ brand: 'Acme', tags: ['a'] });
    expect((await list(`?ids=${product.id}`))[0]).toMatchObject({ brand: 'Acme' });
    const { status, body } = await merchant.secret('PATCH', `/v1/products/${product.id}`, {
      name: 'New',
      brand: null,
      price: 3,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...product,
      name: 'New',
      brand: null,
      price: 3,
      selling_price: 3,
      updated_at: expect.any(String),
    });
    expect((await merchant.publishable('GET', `/v1/products/${product.id}`)).body).toEqual(body);
    expect((await list(`?ids=${product.id}`))[0]).toMatchObject({ name: 'New', brand: null });
  });

  test('reaches another edge as well', async () => {
    const edge = stoa.anotherEdge();
    const product = await merchant.createProduct();
    await merchant.secret('PATCH', `/v1/products/${product.id}`, { name: 'Far' });
    await eventually(async () => {
      const { body } = await sendTo(edge.url, 'GET', `/v1/products/${product.id}`, {
        key: merchant.keys.publishable_key,
      });
      expect(body.name).toBe('Far');
    });
  });

  test('deletes: the product disappears for everyone, and its article number becomes free', async () => {
    const { id, product_slug } = await merchant.createProduct({ sku: 'REUSED' });
    expect((await merchant.secret('DELETE', `/v1/products/${id}`)).body).toEqual({ deleted: true, id });
    expect((await merchant.secret('DELETE', `/v1/products/${id}`)).status).toBe(404);
    expect((await merchant.secret('PATCH', `/v1/products/${id}`, { name: 'x' })).status).toBe(404);
    expect((await merchant.secret('GET', `/v1/products/${id}`)).status).toBe(404);
    expect((await merchant.secret('GET', `/v1/products/by-slug/${product_slug}`)).status).toBe(404);
    expect(await list(`?ids=${id}`)).toEqual([]);
    await merchant.createProduct({ sku: 'REUSED' });
  });
});

describe('an inactive product', () => {
  test('exists for secret keys only', async () => {
    const { id, product_slug } = await merchant.createProduct({ is_active: false });
    const paths = [`/v1/products/${id}`, `/v1/products/by-slug/${product_slug}`, `/v1/products/${id}/specifications`];
    for (const path of paths) {
      expect((await merchant.publishable('GET', path)).status).toBe(404);
      expect((await merchant.secret('GET', path)).status).toBe(200);
    }
    expect(await list(`?ids=${id}`)).toEqual([]);
    expect(await list(`?ids=${id}`, merchant.secret)).toHaveLength(1);
  });

  test('does not exist for another store or environment', async () => {
    const { id, variant_id } = await merchant.createProduct();
    const outsider = await openMerchant(stoa);
    for (const send of [outsider.secret, merchant.test]) {
      expect((await send('GET', `/v1/products/${id}`)).status).toBe(404);
      expect((await send('PATCH', `/v1/products/${id}`, { name: 'Mine' })).status).toBe(404);
      expect((await send('DELETE', `/v1/products/${id}`)).status).toBe(404);
      expect((await send('POST', `/v1/products/${id}/variants`, { sku: 'x' })).status).toBe(404);
      expect((await send('PATCH', `/v1/products/${id}/variants/${variant_id}`, { sku: 'x' })).status).toBe(404);
      expect((await send('GET', '/v1/products')).body.products).toEqual([]);
    }
    expect((await merchant.publishable('GET', `/v1/products/${id}`)).body.name).toBe('Trail shoe');
  });

  test('cannot be written with a publishable key', async () => {
    const { id, variant_id } = await merchant.createProduct();
    for (const [verb, path] of [
      ['POST', '/v1/products'],
      ['PATCH', `/v1/products/${id}`],
      ['DELETE', `/v1/products/${id}`],
      ['POST', `/v1/products/${id}/variants`],
      ['PATCH', `/v1/products/${id}/variants/${variant_id}`],
      ['DELETE', `/v1/products/${id}/variants/${variant_id}`],
    ] as const) {
      const { status, body } = await merchant.publishable(verb, path, verb === 'DELETE' ? undefined : { name: 'x' });
      expect([verb, path, status, body.error.code]).toEqual([verb, path, 403, 'forbidden']);
      expect(body.error.hint).toEqual(expect.any(String));
    }
  });
});

describe('a list', () => {
  let shop: Merchant;
  let shoes: string;
  let running: string;
  const names = async (query: string): Promise<string[]> =>
    (await list(query, shop.publishable)).map((product) => product.name);

  beforeAll(async () => {
    shop = await openMerchant(stoa);
    shoes = (await shop.secret('POST', '/v1/categories', { name: 'Shoes' })).body.category.id;
    running = (await shop.secret('POST', '/v1/categories', { name: 'Running', parent_id: shoes })).body.category.id;
    await shop.createProduct({ name: 'cheap', price: 5, stock: 0, brand: 'Acme', tags: ['Sale'], category_id: shoes });
    await shop.createProduct({
      name: 'Dear',
      price: 500,
      brand: 'ACME',
      subcategory_id: running,
      featured: true,
      featured_order: 2,
    });
    await shop.createProduct({
      name: 'both',
      variants: [
        { price: 400, stock: 0 },
        { price: 4, stock: 1, condition: 'used' },
      ],
      featured: true,
      featured_order: 1,
    });
    await shop.createProduct({ name: 'hidden', is_active: false });
    await shop.createProduct({ name: 'äther', price: 50, sale_price: 20, condition: 'refurbished' });
  });

  test.each([
    ['', ['äther', 'both', 'Dear', 'cheap']],
    ['?sort=newest', ['äther', 'both', 'Dear', 'cheap']],
    ['?sort=name', ['äther', 'both', 'cheap', 'Dear']],
    ['?sort=price_asc', ['cheap', 'äther', 'both', 'Dear']],
    ['?sort=price_desc', ['Dear', 'both', 'äther', 'cheap']],
    ['?sort=featured', ['both', 'Dear', 'äther', 'cheap']],
    ['?brand=acme', ['Dear', 'cheap']],
    ['?tag=SALE', ['cheap']],
    ['?condition=used', ['both']],
    ['?condition=refurbished', ['äther']],
    ['?featured=true', ['both', 'Dear']],
    ['?featured=false', ['äther', 'cheap']],
    ['?in_stock=true', ['äther', 'both', 'Dear']],
    ['?in_stock=false', ['cheap']],
    ['?min_price=20', ['äther', 'both', 'Dear']],
    ['?max_price=5', ['both', 'cheap']],
    ['?min_price=5&max_price=20', ['äther', 'cheap']],
    ['?min_price=6&max_price=19.99', []],
    ['?min_price=10&max_price=1', []],
    ['?brand=acme&in_stock=false&max_price=5', ['cheap']],
    ['?whatever=1', ['äther', 'both', 'Dear', 'cheap']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('filters by category and by subcategory', async () => {
    expect(await names(`?category_id=${shoes}`)).toEqual(['Dear', 'cheap']);
    expect(await names(`?subcategory_id=${running}`)).toEqual(['Dear']);
    expect(await names(`?category_id=${running}`)).toEqual([]);
    expect(await names(`?category_id=${UNKNOWN_ID}`)).toEqual([]);
    const [dear] = await list(`?subcategory_id=${running.toUpperCase()}`, shop.publishable);
    expect(dear).toMatchObject({ category_id: shoes, category_name: 'Shoes', subcategory_name: 'Running' });
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?cursor=nonsense', 'cursor'],
    ['?cursor=', 'cursor'],
    ['?sort=cheapest', 'sort'],
    ['?sort=collection', 'sort'],
    ['?condition=broken', 'condition'],
    ['?featured=yes', 'featured'],
    ['?in_stock=1', 'in_stock'],
    ['?min_price=-1', 'min_price'],
    ['?max_price=many', 'max_price'],
    ['?category_id=shoes', 'category_id'],
    ['?collection_id=1', 'collection_id'],
    ['?ids=1', 'ids'],
    ['?brand=', 'brand'],
  ])('%s is refused at %s', async (query, param) => {
    const { status, body } = await shop.publishable('GET', `/v1/products${query}`);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
  });

  test('finds by name, SKU, visibility and low stock', async () => {
    merchant = await openMerchant(stoa);
    await merchant.createProduct({ name: 'Ärmelkleid', sku: 'DRESS-1', stock: 50 });
    await merchant.createProduct({ name: 'Mug', sku: 'MUG-1', stock: 1 });
    await merchant.createProduct({
      name: 'Hidden mug',
      sku: 'MUG-2',
      stock: 1,
      low_stock_threshold: 1,
      is_active: false,
    });
    const names = async (query: string, sender = merchant.secret) =>
      (await list(`${query}&sort=name`, sender)).map(({ name }) => name);
    expect(await names('?search=armel')).toEqual(['Ärmelkleid']);
    expect(await names('?search=mug-')).toEqual(['Hidden mug', 'Mug']);
    expect(await names('?search=mug', merchant.publishable)).toEqual(['Mug']);
    expect(await names('?is_active=false')).toEqual(['Hidden mug']);
    expect(await names('?is_active=false', merchant.publishable)).toEqual([]);
    expect(await names('?low_stock=true')).toEqual(['Mug']);
    expect(await names('?low_stock=false')).toEqual(['Ärmelkleid', 'Hidden mug']);
  });

  test('pages by cursor, each product once', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await shop.publishable('GET', `/v1/products?limit=3&sort=price_asc${query}`);
      seen.push(...body.products.map((product: ListedProduct) => product.name));
      expect(body.pagination).toMatchObject({ limit: 3, has_more: body.pagination.next_cursor !== null });
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(['cheap', 'äther', 'both', 'Dear']);
  });

  test('holds 20 products by default', async () => {
    const large = await openMerchant(stoa);
    for (let count = 0; count < 21; count++) await large.createProduct({ name: `P${count}` });
    const { body } = await large.publishable('GET', '/v1/products');
    expect(body.products).toHaveLength(20);
    expect(body.pagination).toEqual({ limit: 20, has_more: true, next_cursor: expect.any(String) });
    expect((await large.publishable('GET', '/v1/products?limit=100')).body.products).toHaveLength(21);
  });

  test('refuses the cursor of another store', async () => {
    const { body } = await shop.publishable('GET', '/v1/products?limit=1');
    const foreign = await merchant.publishable('GET', `/v1/products?limit=1&cursor=${body.pagination.next_cursor}`);
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
  });
});

describe('a body', () => {
  test.each<[string, unknown, string]>([
    ['without a name', {}, 'name'],
    ['with an empty name', { name: '' }, 'name'],
    ['with a name of null', { name: null }, 'name'],
    ['with a price in words', { name: 'x', price: '19.99' }, 'price'],
    ['with a price too fine', { name: 'x', price: 1.999 }, 'price'],
    ['with a price too high', { name: 'x', price: 1e9 }, 'price'],
    ['with a price below nothing', { name: 'x', price: -1 }, 'price'],
    ['with a variant’s price too fine', { name: 'x', variants: [{ price: 1 }, { price: 1.999 }] }, 'variants[1].price'],
    ['with half a piece', { name: 'x', stock: 1.5 }, 'stock'],
    ['with less than none', { name: 'x', stock: -1 }, 'stock'],
    ['with more than there can be', { name: 'x', stock: 1_000_000_001 }, 'stock'],
    ['with a GTIN of nothing', { name: 'x', gtin: '' }, 'gtin'],
    ['with a condition of its own', { name: 'x', condition: 'mint' }, 'condition'],
    ['with a script for a picture', { name: 'x', media: [{ url: 'javascript:alert(1)' }] }, 'media[0].url'],
    ['with a picture of nothing', { name: 'x', media: [{ alt_text: 'x' }] }, 'media[0].url'],
    ['with tags that are none', { name: 'x', tags: ['ok', ''] }, 'tags[1]'],
    ['with attributes that are a list', { name: 'x', attributes: ['red'] }, 'attributes'],
    ['with a category that is no id', { name: 'x', category_id: 'shoes' }, 'category_id'],
  ])('%s is refused', async (_what, body, param) => {
    const reply = await merchant.secret('POST', '/v1/products', body);
    expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([400, 'invalid_request', param]);
  });

  test('naming a missing category is 404 at its param', async () => {
    const { status, body } = await merchant.secret('POST', '/v1/products', { name: 'x', category_id: UNKNOWN_ID });
    expect([status, body.error.code, body.error.param]).toEqual([404, 'not_found', 'category_id']);
  });

  test('naming a taken article number is 409 at its param', async () => {
    await merchant.createProduct({ sku: 'TAKEN' });
    const { status, body } = await merchant.secret('POST', '/v1/products', { name: 'x', sku: 'TAKEN' });
    expect([status, body.error.code, body.error.param]).toEqual([409, 'conflict', 'sku']);
    expect((await merchant.test('POST', '/v1/products', { name: 'x', sku: 'TAKEN' })).status).toBe(201);
  });

  test('naming another spelling of an article number is 409, also among concurrent ones', async () => {
    const created = await Promise.all(
      ['race-1', 'RACE-1', ' Race-1', 'rAcE-1 ', 'race-1', 'RACE-1'].map((sku) =>
        merchant.secret('POST', '/v1/products', { name: 'x', sku }),
      ),
    );
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const { id, variant_id } = await merchant.createProduct({ sku: 'other' });
    const own = { name: 'x', variants: [{ sku: 'p-1' }, { sku: 'P-1' }] };
    for (const [method, path, body] of [
      ['POST', '/v1/products', own],
      ['PATCH', `/v1/products/${id}`, { sku: 'RACE-1' }],
      ['POST', `/v1/products/${id}/variants`, { sku: 'Race-1' }],
      ['PATCH', `/v1/products/${id}/variants/${variant_id}`, { sku: ' race-1' }],
    ] as const) {
      const { status, body: events } = await merchant.secret(method, path, body);
      expect([path, status, events.error?.code]).toEqual([path, 409, 'conflict']);
    }
    const again = await merchant.secret('PATCH', `/v1/products/${id}/variants/${variant_id}`, { sku: ' OTHER ' });
    expect([again.status, again.body.variant?.sku ?? again.body.sku]).toEqual([200, 'OTHER']);
  });

  test('loses spaces around names, which match in any letter case', async () => {
    const product = await merchant.createProduct({
      name: 'Named',
      brand: ' Acme\u00a0',
      sku: '  N-1',
      tags: [' Cafe\u0301 '],
      attributes: { colour: ' Red', list: ['a '], depth: { of: ' b' } },
    });
    expect(product).toMatchObject({
      brand: 'Acme',
      sku: 'N-1',
      tags: ['Café'],
      attributes: { colour: 'Red', list: ['a'], depth: { of: 'b' } },
    });
    for (const query of ['brand=%20ACME', 'tag=CAF%C3%89%20', 'tag=cafe%CC%81']) {
      const { body } = await merchant.publishable('GET', `/v1/products?fields=id&${query}`);
      expect([query, body.products]).toEqual([query, [{ id: product.id }]]);
    }
    const search = { filters: { brand: ['acme '], tag: ['CAFÉ'], attributes: { colour: [' RED'] } } };
    await eventually(async () => {
      const { status, body } = await merchant.publishable('POST', '/v1/search', search);
      expect([status, body.products?.map(({ id }: { id: string }) => id)]).toEqual([200, [product.id]]);
    });
    for (const blank of [{ brand: ' ' }, { sku: '\t' }, { tags: [' '] }]) {
      const { status, body } = await merchant.secret('PATCH', `/v1/products/${product.id}`, blank);
      expect([status, body.error?.param]).toEqual([400, expect.stringContaining(Object.keys(blank)[0]!)]);
    }
  });

  test('must not have two variants with the same options in any spelling', async () => {
    const size = (text: string | number, more: object = {}) => ({ variant_attributes: { size: text, ...more } });
    const created = await merchant.secret('POST', '/v1/products', { name: 'x', variants: [size('M'), size(' m ')] });
    expect([created.status, created.body.error?.param]).toEqual([400, 'variants[1].variant_attributes']);
    const { id, variants } = await merchant.createProduct({
      price: undefined,
      stock: undefined,
      variants: [size('M', { colour: 'Red' }), size('L', { colour: 'Red' }), size(42), {}, { variant_name: 'bare' }],
    });
    const path = `/v1/products/${id}`;
    for (const [method, at, body, param] of [
      ['POST', `${path}/variants`, { variant_attributes: { Colour: 'RED', size: 'l' } }, 'variant_attributes'],
      ['POST', `${path}/variants`, size('42'), 'variant_attributes'],
      ['PATCH', `${path}/variants/${variants![0]!.variant_id}`, size('L', { colour: 'Red' }), 'variant_attributes'],
      ['PATCH', path, { variants: [size('XL'), size('S'), size('xl')] }, 'variants[2].variant_attributes'],
    ] as const) {
      const { status, body: events } = await merchant.secret(method, at, body);
      expect([method, at, status, events.error?.param]).toEqual([method, at, 400, param]);
    }
    const same = await merchant.secret(
      'PATCH',
      `${path}/variants/${variants![0]!.variant_id}`,
      size('M', { colour: 'red' }),
    );
    expect(same.status).toBe(200);
  });

  test('stores nothing that is not documented', async () => {
    const { status, body } = await merchant.secret('POST', '/v1/products', {
      name: 'x',
      barcode: 'secret',
      id: UNKNOWN_ID,
      product_slug: 'mine',
      review_count: 9,
      external_id: 'e',
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('barcode');
    expect(body).toMatchObject({ review_count: 0, product_slug: `x-${body.id.slice(-8)}` });
    expect(body.id).not.toBe(UNKNOWN_ID);
  });

  test.each(['GET', 'PATCH', 'DELETE'])('%s of a malformed product id is 400', async (verb) => {
    const { status, body } = await merchant.secret(verb, '/v1/products/shoe', verb === 'PATCH' ? {} : undefined);
    expect([status, body.error.param]).toEqual([400, 'id']);
  });

  test('sent twice under one key creates one product', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const send = () => merchant.secret('POST', '/v1/products', { name: 'Once' }, { headers });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual({ ...first.body, idempotent: true });
  });
});
