// Published ratings: where the catalogue shows them, and when the store's features change.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addProduct,
  approve,
  approved,
  eventsOf,
  list,
  openShop,
  type Product,
  reject,
  review,
  type Shop,
  signUp,
  startReviewServer,
  stoa,
  write,
} from '#test/services/review/client.ts';
import { eventually } from '#test/support/server.ts';
import { sendTo } from '#test/support/stoa.ts';

beforeAll(startReviewServer);

const get = async (shop: Shop, path: string) => (await stoa.send('GET', path, { key: shop.publishable })).body;
const rated = async (shop: Shop, { id }: Product) => {
  const { average_rating, review_count } = await get(shop, `/v1/products/${id}`);
  return [average_rating, review_count];
};
const search = async (shop: Shop, body: unknown) =>
  (await stoa.send('POST', '/v1/search', { key: shop.publishable, body })).body;
const idsOf = (products: readonly { id: string }[]): string[] => products.map(({ id }) => id);

describe('"average_rating: mean of approved reviews", "review_count: approved reviews; 0 when none"', () => {
  test('follow each decision in detail, list, `sort=rating`, search and feeds', async () => {
    const shop = await openShop();
    await stoa.send('PATCH', '/v1/store', { key: shop.secret, body: { feeds: { products_enabled: true } } });
    const best = await addProduct(shop, { name: 'Best mug', featured: true });
    const good = await addProduct(shop, {
      name: 'Good mug',
      shipping_info: { requires_shipping: false },
      variants: [
        { price: 10, stock: 5 },
        { price: 11, stock: 5 },
      ],
    });
    const none = await addProduct(shop, { name: 'Other mug' });
    for (const path of ['/v1/products', '/v1/products?sort=rating', `/v1/products/${best.id}`]) await get(shop, path);
    expect([await rated(shop, best), await rated(shop, none)]).toEqual([
      [null, 0],
      [null, 0],
    ]);

    const first = await approved(shop, best, { rating: 5 });
    await approved(shop, best, { rating: 4 });
    await approved(shop, good, { rating: 4 });
    await write(shop, await signUp(shop), review(best, { rating: 1 }));
    await eventually(async () => {
      expect(await rated(shop, best)).toEqual([4.5, 2]);
      expect(await rated(shop, good)).toEqual([4, 1]);
    });
    const { products } = await get(shop, '/v1/products?sort=rating&fields=id,average_rating,review_count');
    expect(products).toEqual([
      { id: best.id, average_rating: 4.5, review_count: 2 },
      { id: good.id, average_rating: 4, review_count: 1 },
      { id: none.id, average_rating: null, review_count: 0 },
    ]);
    await eventually(async () => {
      expect(idsOf((await search(shop, { query: 'mug', filters: { rating: { gte: 4.5 } } })).products)).toEqual([
        best.id,
      ]);
    });
    const found = await search(shop, { query: 'mug', sort: 'rating', facets: ['rating'] });
    expect(idsOf(found.products)).toEqual([best.id, good.id, none.id]);
    expect(found.products[0]).toMatchObject({ average_rating: 4.5, review_count: 2 });
    expect(found.facets).toEqual([
      {
        key: 'rating',
        values: expect.arrayContaining([
          { value: 4.5, label: expect.any(String), count: 1 },
          { value: 4, label: expect.any(String), count: 1 },
        ]),
      },
    ]);

    const feed = (name: string) => sendTo(stoa.url, 'GET', `/v1/feeds/${shop.keys.code}/${name}`);
    const inFeed = (await feed('products.json')).body.products.find(({ id }: { id: string }) => id === best.id);
    expect([inFeed.average_rating, inFeed.review_count]).toEqual([4.5, 2]);
    const xml = (await feed('products.xml')).text;
    expect(xml.match(/<g:average_rating>4.0<\/g:average_rating><g:review_count>1<\/g:review_count>/g)).toHaveLength(2);
    expect(xml.match(/g:average_rating>4.5/g)).toHaveLength(1);
    expect((await feed('llms.txt')).text).toContain('rated 4.5 of 5 in 2 reviews');

    await reject(shop, first.id);
    await eventually(async () => expect(await rated(shop, best)).toEqual([4, 1]));
    expect((await feed('llms.txt')).text).toContain('rated 4 of 5 in 1 review:'.slice(0, -1));
    expect((await feed('products.xml')).text).not.toContain('4.5</g:average_rating>');
    await eventually(async () =>
      expect((await search(shop, { query: 'mug', filters: { rating: { gte: 4.5 } } })).products).toEqual([]),
    );
  });

  test('outlive a change of the product, and are no change of it', async () => {
    const shop = await openShop();
    const mug = await addProduct(shop);
    const before = await get(shop, `/v1/products/${mug.id}`);
    await approved(shop, mug, { rating: 3 });
    await eventually(async () => expect(await rated(shop, mug)).toEqual([3, 1]));
    const after = await get(shop, `/v1/products/${mug.id}`);
    expect(after).toEqual({ ...before, average_rating: 3, review_count: 1 });
    await stoa.send('PATCH', `/v1/products/${mug.id}`, { key: shop.secret, body: { name: 'Cup' } });
    expect(await rated(shop, mug)).toEqual([3, 1]);
  });

  test('appear later if a process stopped before publishing them', async () => {
    const shop = await openShop();
    const mug = await addProduct(shop);
    await approved(shop, mug, { rating: 2 });
    await eventually(async () => expect(await rated(shop, mug)).toEqual([2, 1]));
    const { sql } = stoa.services.runtime.postgres;
    // Simulates a process that stopped between the decision and its publication.
    await sql`
      update review.rating set stars = array[0, 1, 0, 0, 1], version = version + 1 where store = ${shop.keys.store_id}`;
    await eventually(async () => expect(await rated(shop, mug)).toEqual([3.5, 2]));
  });
});

describe('a cached answer', () => {
  test('hits until its reviews change: at once on this edge, within a second on others', async () => {
    const shop = await openShop();
    const [mug, cup] = [await addProduct(shop), await addProduct(shop)];
    await approved(shop, mug);
    const { id } = await approved(shop, mug);
    await approved(shop, cup);
    await eventually(async () => expect(await rated(shop, cup)).toEqual([5, 1]));
    const other = stoa.anotherEdge();
    const paths = [`/v1/reviews?product_id=${mug.id}`, `/v1/reviews/${id}`, '/v1/reviews'];
    const [ofMug, ofReview, ofAll] = paths as [string, string, string];
    const ofCup = `/v1/reviews?product_id=${cup.id}`;
    const at = (url: string, path: string) => sendTo(url, 'GET', path, { key: shop.publishable });
    // Waits until the second edge follows the catalogue.
    await eventually(async () => expect((await at(other.url, '/v1/products')).status).toBe(200));
    const cached = async (url: string, path: string): Promise<string | null> => {
      await at(url, path);
      return (await at(url, path)).headers.get('x-cache');
    };
    for (const path of [...paths, ofCup])
      for (const { url } of [stoa, other])
        await eventually(async () => expect([path, await cached(url, path)]).toEqual([path, 'HIT']));

    await reject(shop, id);
    expect((await at(stoa.url, ofMug)).body).toMatchObject({ reviews: [{}], summary: { review_count: 1 } });
    expect((await at(stoa.url, ofReview)).status).toBe(404);
    expect((await at(stoa.url, ofAll)).body.reviews).toHaveLength(2);
    await eventually(async () => {
      expect((await at(other.url, ofMug)).body.reviews).toHaveLength(1);
      expect((await at(other.url, ofReview)).status).toBe(404);
      expect((await at(other.url, ofAll)).body.reviews).toHaveLength(2);
    });
    // Another product's reviews stay cached.
    for (const { url } of [stoa, other]) expect((await at(url, ofCup)).headers.get('x-cache')).toBe('HIT');
  });

  test('expires when the product is hidden', async () => {
    const shop = await openShop();
    const mug = await addProduct(shop);
    await approved(shop, mug);
    await eventually(async () => expect(await rated(shop, mug)).toEqual([5, 1]));
    const query = `?product_id=${mug.id}`;
    await eventually(async () => expect((await list(shop, query)).headers.get('x-cache')).toBe('HIT'));
    await stoa.send('PATCH', `/v1/products/${mug.id}`, { key: shop.secret, body: { is_active: false } });
    expect((await list(shop, query)).body.reviews).toEqual([]);
  });
});

describe('"Feature availability: awaiting_data, data arrives (for example first approved reviews): available"', () => {
  const status = async (shop: Shop): Promise<string> => {
    const { features } = await get(shop, '/v1/features');
    return features.find(({ feature }: { feature: string }) => feature === 'reviews').status;
  };

  test('follows the first and the last approved review, and emits feature.status_changed with previous_status', async () => {
    const shop = await openShop();
    const [mug, cup] = [await addProduct(shop), await addProduct(shop)];
    expect(await status(shop)).toBe('awaiting_data');
    const first = await approved(shop, mug);
    await eventually(async () => expect(await status(shop)).toBe('available'));
    const second = await approved(shop, cup);
    await reject(shop, first.id);
    await stoa.send('DELETE', `/v1/reviews/${second.id}`, { key: shop.secret });
    await eventually(async () => expect(await status(shop)).toBe('awaiting_data'));
    await approve(shop, first.id);
    await eventually(async () => {
      const events = (await eventsOf(shop, 'feature.status_changed')).filter(({ feature }) => feature === 'reviews');
      expect(events.map(({ previous_status, status }) => [previous_status, status])).toEqual([
        ['awaiting_data', 'available'],
        ['available', 'awaiting_data'],
        ['awaiting_data', 'available'],
      ]);
    });
  });
});

test('a sandbox reset clears reviews, ratings and the feature; production keeps its own', async () => {
  const shop = await openShop('sandbox');
  const live = { ...shop, publishable: shop.keys.publishable_key, secret: shop.keys.secret_key };
  const [mug, liveMug] = [await addProduct(shop), await addProduct(live)];
  await approved(shop, mug);
  await approved(live, liveMug);
  const available = async (of: Shop) =>
    (await get(of, '/v1/features')).features.find(({ feature }: { feature: string }) => feature === 'reviews');
  await eventually(async () => {
    expect((await list(shop)).headers.get('x-cache')).toBe('HIT');
    expect(await available(shop)).toMatchObject({ feature: 'reviews', status: 'available' });
    expect(await rated(live, liveMug)).toEqual([5, 1]);
  });
  await stoa.send('POST', '/v1/sandbox/reset', { key: shop.secret, body: { copy_catalogue: true } });
  expect((await list(shop)).body.reviews).toEqual([]);
  expect((await list(shop, '', shop.secret)).body.reviews).toEqual([]);
  expect(await rated(shop, liveMug)).toEqual([null, 0]);
  expect(await rated(live, liveMug)).toEqual([5, 1]);
  expect(await available(shop)).toMatchObject({ status: 'awaiting_data' });
  expect((await list(live)).body.reviews).toHaveLength(1);
  await approved(shop, liveMug, { rating: 1 });
  await eventually(async () => expect(await rated(shop, liveMug)).toEqual([1, 1]));
  await eventually(async () => expect(await available(shop)).toMatchObject({ status: 'available' }));
});
