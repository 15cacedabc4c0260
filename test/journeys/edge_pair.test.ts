// Two edges over the same services: a caller who writes through one reads their write there at once, and all others read it
// through the other within a second (contract §6, "Failures").
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';

/** The promise is a second. Machines may freeze for longer; an edge without notices revalidates after thirty. */
const WITHIN_MS = 15_000;

let stoa: Stoa;
let merchant: Merchant;
let urls: readonly [string, string];
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  urls = [stoa.url, stoa.anotherEdge().url];
  for (const url of urls)
    await eventually(async () =>
      expect((await sendTo(url, 'GET', '/v1/store', { key: merchant.keys.secret_key })).status).toBe(200),
    );
});

const at = (edge: 0 | 1, method: string, path: string, body?: unknown, key = merchant.keys.secret_key) =>
  sendTo(urls[edge], method, path, body === undefined ? { key } : { key, body });

describe('what is written through one edge', () => {
  beforeEach(() => awayFromWindowEnd('key_hour', 20_000));

  test('shows a write through one edge to the very next read through another, a hundred times in a row', async () => {
    const product = await merchant.createProduct({ name: 'Swing' });
    for (let n = 1; n <= 100; n++) {
      const edge = (n % 2) as 0 | 1;
      const written = await at(edge, 'PATCH', `/v1/products/${product.id}`, { price: n });
      const [detail, list] = await Promise.all([
        at(edge, 'GET', `/v1/products/${product.id}`),
        at(edge, 'GET', `/v1/products?ids=${product.id}`, undefined, merchant.keys.publishable_key),
      ]);
      expect([written.body.price, detail.body.price, list.body.products[0].price]).toEqual([n, n, n]);
    }
  });

  test('shows a write through one edge to the other within a second, though both have cached answers', async () => {
    const product = await merchant.createProduct({ name: 'Echo' });
    const { category } = (await at(0, 'POST', '/v1/categories', { name: 'Echoes' })).body;
    const { collection } = (await at(0, 'POST', '/v1/product-collections', { name: 'Echoes' })).body;
    const changes: readonly (readonly [string, string, unknown, string, string])[] = [
      ['PATCH', `/v1/products/${product.id}`, { name: 'Echo one' }, `/v1/products/${product.id}`, '"Echo one"'],
      ['PATCH', `/v1/products/${product.id}`, { name: 'Echo two' }, '/v1/products?sort=name', '"Echo two"'],
      ['PATCH', `/v1/categories/${category.id}`, { name: 'Echo three' }, '/v1/categories', '"Echo three"'],
      ['PATCH', `/v1/products/${product.id}`, { category_id: category.id }, '/v1/categories', '"product_count":1'],
      [
        'PATCH',
        `/v1/product-collections/${collection.id}`,
        { name: 'Echo four' },
        '/v1/product-collections',
        '"Echo four"',
      ],
      [
        'POST',
        '/v1/inventory/adjustments',
        { variant_id: product.variant_id, on_hand: 4242 },
        `/v1/products/${product.id}`,
        '"stock":4242',
      ],
      [
        'POST',
        '/v1/price-lists',
        { name: 'E', prices: [{ variant_id: product.variant_id, price: 0.42 }] },
        `/v1/products/${product.id}`,
        '"selling_price":0.42',
      ],
      ['PATCH', '/v1/store', { currency: 'EUR' }, `/v1/products/${product.id}`, '"display_currency":"EUR"'],
      [
        'PUT',
        '/v1/store/policies/terms',
        { title: 'Echo five', body: 'x', publish: true },
        '/v1/store/policies',
        '"Echo five"',
      ],
      ['DELETE', `/v1/products/${product.id}`, undefined, `/v1/products/${product.id}`, '"not_found"'],
    ];
    for (const [method, path, body, read, expected] of changes) {
      const key = merchant.keys.publishable_key;
      for (const edge of [0, 1] as const) for (const _ of [1, 2]) await at(edge, 'GET', read, undefined, key);
      const written = await at(0, method, path, body);
      expect(written.status, written.text).toBeLessThan(300);
      await eventually(
        async () => expect((await at(1, 'GET', read, undefined, key)).text).toContain(expected),
        WITHIN_MS,
      );
      expect((await at(0, 'GET', read, undefined, key)).text).toContain(expected);
    }
  });

  test('never goes back: readers at both edges see prices only rise', async () => {
    const product = await merchant.createProduct({ name: 'Rising', price: 1 });
    let writing = true;
    const reader = async (edge: 0 | 1): Promise<number[]> => {
      const seen: number[] = [];
      while (writing) seen.push((await at(edge, 'GET', `/v1/products/${product.id}`)).body.price);
      return seen;
    };
    const readers = [reader(0), reader(1), reader(1)];
    for (let n = 2; n <= 60; n++) await at((n % 2) as 0 | 1, 'PATCH', `/v1/products/${product.id}`, { price: n });
    writing = false;
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test('ends a key at both, and a limit counts what both have seen', async () => {
    const { keys } = await openMerchant(stoa);
    const read = (edge: 0 | 1) => at(edge, 'GET', '/v1/features', undefined, keys.publishable_key);
    for (const edge of [0, 1] as const) expect((await read(edge)).status).toBe(200);
    await stoa.services.runtime.ask('StoreAdmin/SetLimits', NO_TENANT, { store: keys.store_id, key_hour: 30 });
    for (let n = 0; n < 20; n++) await read(0);
    await eventually(async () => {
      const remaining = Number((await read(1)).headers.get('x-ratelimit-remaining'));
      expect(remaining).toBeLessThan(10);
    });
    await stoa.services.runtime.ask('StoreAdmin/RevokeKey', NO_TENANT, { key: keys.publishable_key });
    for (const edge of [0, 1] as const)
      await eventually(async () => expect((await read(edge)).status).toBe(401), WITHIN_MS);
  });

  test('does a write once though two edges get it under one idempotency key', async () => {
    const { keys } = await openMerchant(stoa);
    const send = (edge: 0 | 1) =>
      sendTo(urls[edge], 'POST', '/v1/categories', {
        key: keys.secret_key,
        body: { name: 'Once' },
        headers: { 'Idempotency-Key': 'both' },
      });
    const replies = await Promise.all([send(0), send(1), send(0), send(1)]);
    expect(replies.filter(({ status, body }) => status === 201 && !body.idempotent)).toHaveLength(1);
    expect((await at(0, 'GET', '/v1/categories', undefined, keys.secret_key)).body.categories).toHaveLength(1);
  });
});
