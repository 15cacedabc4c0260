// One store, two environments: data of a test key is visible to test keys only, and that of a live key to live keys only.
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const PAIRS = () =>
  [
    ['sandbox', keys.secret_test_key, keys.hmac_test_secret, keys.secret_key, keys.publishable_key],
    ['production', keys.secret_key, keys.hmac_secret, keys.secret_test_key, keys.publishable_test_key],
  ] as const;

const made = async (reply: Promise<Reply>) => {
  const { status, body, text } = await reply;
  expect([200, 201, 202], text).toContain(status);
  return body;
};

describe.each([0, 1])('environment %i', (which) => {
  test('keeps every kind of record to itself', async () => {
    const [environment, key, signWith, otherSecret, otherPublishable] = PAIRS()[which]!;
    const write = (method: string, path: string, body: unknown) => made(stoa.send(method, path, { key, body }));
    const word = `only-in-${environment}`;
    const { category } = await write('POST', '/v1/categories', { name: word });
    const product = await write('POST', '/v1/products', { name: word, sku: word, price: 5, stock: 3, brand: word });
    const { collection } = await write('POST', '/v1/product-collections', { name: word, slug: word });
    const { price_list: list } = await write('POST', '/v1/price-lists', {
      name: word,
      prices: [{ variant_id: product.variant_id, price: 4 }],
    });
    const { feed } = await write('POST', '/v1/ingestion/feeds', {
      name: word,
      url: 'https://a.invalid/f',
      format: 'csv',
    });
    const { job } = await made(
      stoa.send('POST', '/v1/ingestion/push', {
        key,
        signWith,
        body: { products: [{ external_id: word, name: word }] },
      }),
    );
    await eventually(async () =>
      expect((await stoa.send('GET', `/v1/ingestion/jobs/${job.id}`, { key })).body.job.status).toBe('completed'),
    );

    const paths: readonly (readonly [string, string])[] = [
      ['GET', `/v1/products/${product.id}`],
      ['GET', `/v1/products/by-slug/${product.product_slug}`],
      ['GET', `/v1/products/${product.id}/specifications`],
      ['GET', `/v1/product-collections/${collection.id}`],
      ['GET', `/v1/product-collections/${word}`],
      ['GET', `/v1/inventory/${product.variant_id}`],
      ['GET', `/v1/ingestion/jobs/${job.id}`],
      ['PATCH', `/v1/products/${product.id}`],
      ['PATCH', `/v1/products/${product.id}/variants/${product.variant_id}`],
      ['PATCH', `/v1/categories/${category.id}`],
      ['PATCH', `/v1/product-collections/${collection.id}`],
      ['PATCH', `/v1/price-lists/${list.id}`],
      ['PATCH', `/v1/ingestion/feeds/${feed.id}`],
      ['POST', `/v1/ingestion/feeds/${feed.id}/sync`],
      ['DELETE', `/v1/products/${product.id}`],
      ['DELETE', `/v1/categories/${category.id}`],
      ['DELETE', `/v1/product-collections/${collection.id}`],
      ['DELETE', `/v1/price-lists/${list.id}`],
      ['DELETE', `/v1/ingestion/feeds/${feed.id}`],
    ];
    for (const [method, path] of paths) {
      const body = method === 'PATCH' ? { body: { name: 'stolen' } } : {};
      expect((await stoa.send(method, path, { key: otherSecret, ...body })).status, `${method} ${path}`).toBe(404);
    }
    const lists = [
      '/v1/products?limit=100',
      '/v1/categories',
      '/v1/product-collections',
      '/v1/price-lists',
      '/v1/ingestion/feeds',
      '/v1/ingestion/jobs',
    ];
    for (const path of lists) {
      const others = await stoa.send('GET', path, { key: otherSecret });
      for (const id of [product.id, category.id, collection.id, list.id, feed.id, job.id, word])
        expect(others.text.includes(id), `${path} shows ${id}`).toBe(false);
    }
    expect((await stoa.send('GET', '/v1/products?limit=100', { key: otherPublishable })).text).not.toContain(word);
    for (const [body, param] of [
      [{ category_id: category.id }, 'category_id'],
      [{ variants: [{ variant_id: product.variant_id }] }, 'variants[0].variant_id'],
    ] as const) {
      const reply = await stoa.send('POST', '/v1/products', { key: otherSecret, body: { name: 'thief', ...body } });
      expect([reply.status, reply.body.error.param]).toEqual([404, param]);
    }
    const adjustment = { variant_id: product.variant_id, delta: -1 };
    const adjusted = await stoa.send('POST', '/v1/inventory/adjustments', { key: otherSecret, body: adjustment });
    expect([adjusted.status, adjusted.body.error.param]).toEqual([404, 'variant_id']);
    // Names are free on the other side: nothing there knows of them.
    const twin = { name: word, sku: word, price: 1 };
    const copy = await made(stoa.send('POST', '/v1/products', { key: otherSecret, body: twin }));
    await made(stoa.send('DELETE', `/v1/products/${copy.id}`, { key: otherSecret }));
    const slug = await made(
      stoa.send('POST', '/v1/product-collections', { key: otherSecret, body: { name: word, slug: word } }),
    );
    await made(stoa.send('DELETE', `/v1/product-collections/${slug.collection.id}`, { key: otherSecret }));
    expect((await stoa.send('GET', `/v1/products/${product.id}`, { key })).body).toMatchObject({
      name: word,
      stock: 3,
    });
  });
});

describe('a store', () => {
  test('shows its sandbox to no feed', async () => {
    await made(stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { feeds: { products_enabled: true } } }));
    await made(stoa.send('POST', '/v1/products', { key: keys.secret_test_key, body: { name: 'Rehearsal', price: 1 } }));
    await made(stoa.send('POST', '/v1/products', { key: keys.secret_key, body: { name: 'Opening', price: 1 } }));
    await eventually(async () => {
      for (const file of ['llms.txt', 'products.json', 'products.xml']) {
        const { status, text } = await stoa.send('GET', `/v1/feeds/${keys.code}/${file}`);
        expect([status, text.includes('Rehearsal')], file).toEqual([200, false]);
      }
      expect((await stoa.send('GET', `/v1/feeds/${keys.code}/products.json`)).text).toContain('Opening');
    });
  });

  test('shares one store between both environments, changed with a live key only', async () => {
    await made(stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { description: 'One' } }));
    const [live, sandbox] = await Promise.all(
      [keys.secret_key, keys.secret_test_key].map(
        async (key) => (await stoa.send('GET', '/v1/store', { key })).body.store,
      ),
    );
    expect(sandbox).toEqual(live);
    const refused = await stoa.send('PATCH', '/v1/store', { key: keys.secret_test_key, body: { description: 'Two' } });
    expect([refused.status, typeof refused.body.error.hint]).toEqual([403, 'string']);
    await made(
      stoa.send('PATCH', '/v1/store', {
        key: keys.secret_test_key,
        body: { allowed_redirect_origins: ['http://localhost:3000'] },
      }),
    );
    const origins = async (key: string) =>
      (await stoa.send('GET', '/v1/store', { key })).body.store.allowed_redirect_origins;
    expect([await origins(keys.secret_key), await origins(keys.publishable_test_key)]).toEqual([
      [],
      ['http://localhost:3000'],
    ]);
  });
});
