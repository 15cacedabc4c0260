// Cached content: valid while nothing it shows changes, at every edge, and counted as a view.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StoreLookbook } from '#proto/gen/lookbook.ts';
import type { Product } from '#proto/gen/product.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
let product: Product;
let other: Product;
let lookbook: StoreLookbook;
beforeAll(async () => {
  stoa = await sharedStoa();
});
beforeEach(async () => {
  merchant = await openMerchant(stoa);
  product = await merchant.createProduct();
  other = await merchant.createProduct();
  const hotspots = [{ x: 0.5, y: 0.5, product_id: product.id }];
  const images = [{ url: 'https://cdn.example/a.jpg', hotspots }];
  const { body } = await merchant.secret('POST', '/v1/lookbooks', { title: 'Kept', status: 'published', images });
  lookbook = body;
  await merchant.secret('POST', '/v1/blog/posts', { title: 'Kept', status: 'published', tags: ['a'] });
});

const LOOKBOOK = '/v1/lookbooks/kept';
const POST = '/v1/blog/posts/kept';
const PATHS = [LOOKBOOK, POST, '/v1/lookbooks', '/v1/blog/posts', `${LOOKBOOK}?fields=images`];

const read = (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  merchant.publishable('GET', path, undefined, { headers });
const cacheOf = async (path: string, headers: Record<string, string> = {}): Promise<string | null> =>
  (await read(path, headers)).headers.get('x-cache');
/** Waits until it is cached: a late notice of the catalogue may evict it once more. */
const keep = (path: string): Promise<void> =>
  eventually(async () => {
    await read(path);
    expect(await cacheOf(path)).toBe('HIT');
  });
const adjust = (variant_id: unknown, delta: number) =>
  merchant.secret('POST', '/v1/inventory/adjustments', { variant_id, delta });

describe('a cached answer', () => {
  test.each(PATHS)('hits for %s and repeats as 304', async (path) => {
    await keep(path);
    const { headers, text } = await read(path);
    const etag = headers.get('etag') as string;
    expect((await read(path)).text).toBe(text);
    expect(await cacheOf(path, { 'If-None-Match': etag })).toBe('HIT-304');
  });

  test('serves every visitor, and counts each', async () => {
    await keep(LOOKBOOK);
    for (const query of ['?visitor_id=ann', '?session_id=one&visitor_id=bob'])
      expect(await cacheOf(`${LOOKBOOK}${query}`)).toBe('HIT');
    expect(await cacheOf(LOOKBOOK, { 'X-Visitor-Id': 'cid' })).toBe('HIT');
    const { body } = await merchant.secret('GET', '/v1/content/analytics?kind=lookbook');
    // Caching the answer counted the fourth.
    expect(body.analytics[0]).toMatchObject({ views: 4, visitors: 4 });
    for (const query of ['?visitor_id=%zz', '?visitor_id=a&visitor_id=a'])
      expect((await read(`${LOOKBOOK}${query}`)).status).toBe(400);
  });

  test('differs for a secret key', async () => {
    await keep(LOOKBOOK);
    await merchant.secret('PATCH', `/v1/products/${product.id}`, { is_active: false });
    expect((await merchant.secret('GET', LOOKBOOK)).body.images[0].hotspots).toHaveLength(1);
    expect((await read(LOOKBOOK)).body.images[0].hotspots).toHaveLength(0);
  });

  test('survives another product’s stock change, and expires with its own', async () => {
    // A new store's features change shortly after its first product, which invalidates everything.
    await eventually(async () => {
      for (const path of PATHS) await keep(path);
      for (let piece = 0; piece < 20; piece++) expect((await adjust(other.variant_id, 1)).status).toBe(201);
      for (const path of PATHS) expect(await cacheOf(path), path).toBe('HIT');
    });
    expect((await adjust(product.variant_id, -5)).status).toBe(201);
    expect(await cacheOf(POST)).toBe('HIT');
    expect(await cacheOf('/v1/blog/posts')).toBe('HIT');
    const now = await read(LOOKBOOK);
    expect([now.headers.get('x-cache'), now.body.images[0].hotspots[0].in_stock]).toEqual(['MISS', false]);
    expect((await read('/v1/lookbooks')).body.lookbooks[0].images[0].hotspots[0].in_stock).toBe(false);
  });

  test('expires before the writer of a shown change is answered', async () => {
    for (const path of PATHS) await keep(path);
    const { body } = await merchant.secret('POST', '/v1/blog/posts', { title: 'Another', status: 'published' });
    expect((await read('/v1/blog/posts')).body.posts).toHaveLength(2);
    expect(await cacheOf(POST)).toBe('HIT');
    expect(await cacheOf(LOOKBOOK)).toBe('HIT');
    await merchant.secret('PATCH', `/v1/lookbooks/${lookbook.id}`, { description: 'Newer' });
    expect((await read(LOOKBOOK)).body.description).toBe('Newer');
    await merchant.secret('PATCH', `/v1/blog/posts/${body.post.id}`, { slug: 'moved' });
    expect((await read('/v1/blog/posts/another')).status).toBe(404);
    await merchant.secret('DELETE', `/v1/lookbooks/${lookbook.id}`);
    expect((await read(LOOKBOOK)).status).toBe(404);
  });

  test('expires when its product or collection is deleted', async () => {
    const { collection } = (await merchant.secret('POST', '/v1/product-collections', { name: 'Backing' })).body;
    await merchant.secret('PATCH', `/v1/lookbooks/${lookbook.id}`, { collection_id: collection.id });
    await keep(LOOKBOOK);
    await merchant.secret('DELETE', `/v1/product-collections/${collection.id}`);
    expect((await read(LOOKBOOK)).body.collection_id).toBeNull();
    await keep(LOOKBOOK);
    await merchant.secret('DELETE', `/v1/products/${product.id}`);
    expect((await read(LOOKBOOK)).body.images[0].hotspots).toEqual([]);
  });

  test('expires at every edge', async () => {
    const edge = stoa.anotherEdge();
    const there = (): Promise<Reply> => sendTo(edge.url, 'GET', LOOKBOOK, { key: merchant.keys.publishable_key });
    await eventually(async () => {
      expect((await there()).status).toBe(200);
      expect((await there()).headers.get('x-cache')).toBe('HIT');
    });
    await merchant.secret('PATCH', `/v1/lookbooks/${lookbook.id}`, { description: 'Newer' });
    await eventually(async () => expect((await there()).body.description).toBe('Newer'));
  });

  test('expires when a scheduled post is published', async () => {
    const published_at = new Date(Date.now() + 3_600_000).toISOString();
    const { test: send } = merchant;
    await send('POST', '/v1/blog/posts', { title: 'Later', status: 'scheduled', published_at });
    const key = merchant.keys.publishable_test_key;
    const list = async () => (await stoa.send('GET', '/v1/blog/posts', { key })).body.posts;
    for (let time = 0; time < 2; time++) expect(await list()).toEqual([]);
    await send('POST', '/v1/sandbox/time-travel', { advance_seconds: 3_601 });
    expect(await list()).toMatchObject([{ slug: 'later' }]);
    await send('POST', '/v1/sandbox/reset', {});
    expect(await list()).toEqual([]);
  });
});
