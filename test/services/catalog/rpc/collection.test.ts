// Product collections over HTTP: fields, order of lists, products and events.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductCollection } from '#proto/gen/collection.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
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

const create = async (body: object, of = merchant): Promise<ProductCollection> => {
  const reply = await of.secret('POST', '/v1/product-collections', body);
  expect(reply.status).toBe(201);
  return reply.body.collection;
};

describe('a collection', () => {
  test('returns every field, with defaults for omitted ones', async () => {
    const bare = await create({ name: 'Summer Sale!' });
    expect(bare).toEqual({
      id: expect.any(String),
      name: 'Summer Sale!',
      slug: 'summer-sale',
      description: '',
      collection_type: 'custom',
      is_active: true,
      show_on_homepage: false,
      display_priority: 0,
      image: null,
      image_mobile: null,
      video: null,
      created_at: expect.any(String),
      updated_at: bare.created_at,
    });
    for (const name of [bare.id, bare.slug, bare.id.toUpperCase()]) {
      expect((await merchant.publishable('GET', `/v1/product-collections/${name}`)).body).toEqual({ collection: bare });
    }
    const { body } = await merchant.publishable('GET', `/v1/product-collections/${bare.slug}?fields=name,video`);
    expect(body).toEqual({ collection: { name: 'Summer Sale!', video: null } });
  });

  test('changes only the fields that a body names', async () => {
    const before = await create({ name: 'Old', image: 'https://cdn.example/a.jpg', slug: 'kept' });
    const change = {
      name: 'New',
      image: null,
      video: 'https://cdn.example/v.mp4',
      display_priority: 3,
      is_active: false,
    };
    const { body } = await merchant.secret('PATCH', `/v1/product-collections/${before.id}`, change);
    expect(body.collection).toEqual({ ...before, ...change, updated_at: expect.any(String) });
    expect((await merchant.secret('GET', '/v1/product-collections/kept')).body).toEqual(body);
    expect((await merchant.publishable('GET', '/v1/product-collections/kept')).status).toBe(404);
    expect((await merchant.secret('PATCH', `/v1/product-collections/${UNKNOWN_ID}`, {})).status).toBe(404);
  });

  test('requires a unique slug', async () => {
    const first = await create({ name: 'Twice' });
    const second = await create({ name: 'Twice' });
    expect([first.slug, second.slug]).toEqual(['twice', 'twice-2']);
    const taken = await merchant.secret('POST', '/v1/product-collections', { name: 'x', slug: 'twice' });
    expect([taken.status, taken.body.error.param]).toEqual([409, 'slug']);
    const moved = await merchant.secret('PATCH', `/v1/product-collections/${second.id}`, { slug: 'twice' });
    expect([moved.status, moved.body.error.param]).toEqual([409, 'slug']);
    expect((await merchant.secret('PATCH', `/v1/product-collections/${first.id}`, { slug: 'twice' })).status).toBe(200);
  });

  test('leaves its products when deleted', async () => {
    const { id, slug } = await create({ name: 'Going' });
    const product = await merchant.createProduct();
    await merchant.secret('PUT', `/v1/product-collections/${id}/products`, { product_ids: [product.id] });
    expect((await merchant.secret('DELETE', `/v1/product-collections/${id}`)).body).toEqual({ deleted: true, id });
    expect((await merchant.secret('GET', `/v1/product-collections/${slug}`)).status).toBe(404);
    expect((await merchant.secret('DELETE', `/v1/product-collections/${id}`)).status).toBe(404);
    expect((await merchant.publishable('GET', `/v1/products/${product.id}`)).status).toBe(200);
    expect((await merchant.publishable('GET', `/v1/products?collection_id=${id}`)).body.products).toEqual([]);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'x', slug: 'Not One' }, 'slug'],
    [{ name: 'x', collection_type: 'mine' }, 'collection_type'],
    [{ name: 'x', image: 'picture.jpg' }, 'image'],
    [{ name: 'x', display_priority: 0.5 }, 'display_priority'],
  ])('is refused as %j at %s', async (body, param) => {
    const reply = await merchant.secret('POST', '/v1/product-collections', body);
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
  });
});

describe('collections', () => {
  let shop: Merchant;
  const names = async (query = '', send = shop.publishable): Promise<string[]> => {
    const { body } = await send('GET', `/v1/product-collections${query}`);
    return body.collections.map((collection: ProductCollection) => collection.name);
  };

  beforeAll(async () => {
    shop = await openMerchant(stoa);
    await create({ name: 'second', display_priority: 2 }, shop);
    await create({ name: 'first', display_priority: 1, show_on_homepage: true }, shop);
    await create({ name: 'hidden', display_priority: 0, is_active: false, show_on_homepage: true }, shop);
    await create({ name: 'second, newer', display_priority: 2, collection_type: 'new_arrivals' }, shop);
  });

  test('list by display priority, then newest first; inactive ones for secret keys only', async () => {
    expect(await names()).toEqual(['first', 'second, newer', 'second']);
    expect(await names('', shop.secret)).toEqual(['hidden', 'first', 'second, newer', 'second']);
    expect(await names('?show_on_homepage=true')).toEqual(['first']);
    expect(await names('?show_on_homepage=false')).toEqual(['second, newer', 'second']);
  });

  test('list in pages of 1 to 200', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await shop.secret('GET', `/v1/product-collections?limit=1${query}`);
      seen.push(...body.collections.map((collection: ProductCollection) => collection.name));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(['hidden', 'first', 'second, newer', 'second']);
    expect((await shop.publishable('GET', '/v1/product-collections?limit=200')).status).toBe(200);
    const { body } = await shop.publishable('GET', '/v1/product-collections?limit=1');
    const other = `/v1/product-collections?show_on_homepage=true&cursor=${body.pagination.next_cursor}`;
    for (const [path, param] of [
      ['/v1/product-collections?limit=201', 'limit'],
      ['/v1/product-collections?limit=0', 'limit'],
      ['/v1/product-collections?show_on_homepage=1', 'show_on_homepage'],
      ['/v1/product-collections?cursor=x', 'cursor'],
      [other, 'cursor'],
    ] as const) {
      const reply = await shop.publishable('GET', path);
      expect([path, reply.status, reply.body.error.param]).toEqual([path, 400, param]);
    }
  });

  test('do not exist for another tenant', async () => {
    const { id } = await create({ name: 'Mine' });
    for (const send of [shop.secret, merchant.test]) {
      expect((await send('GET', `/v1/product-collections/${id}`)).status).toBe(404);
      expect((await send('PATCH', `/v1/product-collections/${id}`, { name: 'x' })).status).toBe(404);
      expect((await send('PUT', `/v1/product-collections/${id}/products`, { product_ids: [] })).status).toBe(404);
      expect((await send('DELETE', `/v1/product-collections/${id}`)).status).toBe(404);
    }
    expect((await merchant.publishable('POST', '/v1/product-collections', { name: 'x' })).status).toBe(403);
  });
});

describe('the products of a collection', () => {
  const listed = async (query: string): Promise<string[]> => {
    const { body } = await merchant.publishable('GET', `/v1/products${query}`);
    return body.products.map((product: ListedProduct) => product.id);
  };

  test('list newest first, or in the collection’s order', async () => {
    const { id } = await create({ name: 'Picked' });
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push((await merchant.createProduct()).id);
    const [a, b, c, d] = ids as [string, string, string, string];
    const put = (product_ids: string[]) =>
      merchant.secret('PUT', `/v1/product-collections/${id}/products`, { product_ids });
    const { status, body } = await put([b, d.toUpperCase(), a]);
    expect([status, body.collection.id]).toEqual([200, id]);
    expect(await listed(`?collection_id=${id}`)).toEqual([d, b, a]);
    expect(await listed(`?collection_id=${id}&sort=collection`)).toEqual([b, d, a]);
    const first = await merchant.publishable('GET', `/v1/products?collection_id=${id}&sort=collection&limit=2`);
    const cursor = first.body.pagination.next_cursor;
    expect(await listed(`?collection_id=${id}&sort=collection&limit=2&cursor=${cursor}`)).toEqual([a]);
    await put([c, a]);
    expect(await listed(`?collection_id=${id}&sort=collection`)).toEqual([c, a]);
    await merchant.secret('DELETE', `/v1/products/${c}`);
    expect(await listed(`?collection_id=${id}&sort=collection`)).toEqual([a]);
    await put([]);
    expect(await listed(`?collection_id=${id}`)).toEqual([]);
  });

  test('must exist, once per collection', async () => {
    const { id } = await create({ name: 'Strict' });
    const product = await merchant.createProduct();
    const path = `/v1/product-collections/${id}/products`;
    const missing = await merchant.secret('PUT', path, { product_ids: [product.id, UNKNOWN_ID] });
    expect([missing.status, missing.body.error.param]).toEqual([404, 'product_ids[1]']);
    for (const twice of [product.id, product.id.toUpperCase()]) {
      const doubled = await merchant.secret('PUT', path, { product_ids: [product.id, twice] });
      expect([doubled.status, doubled.body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await merchant.secret('PUT', path, {})).body.error.param).toBe('product_ids');
    expect(await listed(`?collection_id=${id}`)).toEqual([]);
  });
});

describe('the events of collections', () => {
  let host: CatalogHost;
  beforeAll(async () => {
    host = await openCatalogHost();
  });
  afterAll(() => host?.close());

  test.each<[string, object, object | null]>([
    ['a new name', { name: 'New' }, { name: 'Old' }],
    ['another banner', { image: 'https://cdn.example/b.jpg' }, { image: null }],
    ['another banner for phones', { image_mobile: 'https://cdn.example/b.jpg' }, { image_mobile: null }],
    ['the homepage', { show_on_homepage: true }, { show_on_homepage: false }],
    ['its display order', { display_priority: 7 }, { display_priority: 0 }],
    ['a name among others', { name: 'New', description: 'D' }, { name: 'Old', description: '' }],
    ['a description', { description: 'D' }, null],
    ['the same name', { name: 'Old' }, null],
    ['nothing', {}, null],
  ])('tell of %s only where it means something', async (_what, change, previous) => {
    const tenant = await host.newTenant();
    const { collection } = await host.call(tenant, 'Collection/CreateCollection', { name: 'Old' });
    const changed = await host.call(tenant, 'Collection/UpdateCollection', { id: collection.id, ...change });
    expect(await host.events(tenant)).toEqual([
      { type: 'collection.created', object: collection },
      ...(previous ? [{ type: 'collection.updated', object: changed.collection, previous_attributes: previous }] : []),
    ]);
  });
});
