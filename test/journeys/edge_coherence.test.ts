// Writes through one edge, and compares an edge with cached answers with one without: both agree in the end. STOA_SEED tries
// another history.
import { beforeAll, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { Chance } from '#test/simulation/world.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

const SEED = Number(process.env.STOA_SEED ?? 20_261_126);
const STEPS = 60;

let stoa: Stoa;
let keys: Keys;
let operatorKey: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ plan: 'enterprise' });
  const made = await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
    name: 'Mall',
    stores: [keys.store_id],
  });
  expect(made).toMatchObject({ operator_test_key: expect.any(String) });
  operatorKey = (made as { operator_test_key: string }).operator_test_key;
});

test(`a course of changes, read through two edges all the while (STOA_SEED=${SEED})`, async () => {
  const chance = new Chance(SEED);
  const write = (method: string, path: string, body?: unknown, key = keys.secret_test_key): Promise<Reply> =>
    stoa.send(method, path, { key, signWith: keys.hmac_test_secret, ...(body === undefined ? {} : { body }) });
  const done = async (...asked: Parameters<typeof write>) => {
    const reply = await write(...asked);
    expect(reply.status, `${asked.slice(0, 2).join(' ')}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  };
  const category = (await done('POST', '/v1/categories', { name: 'Lamps' })).category.id;
  const products: { id: string; variant_id: string }[] = [];
  for (let at = 0; at < 6; at++)
    products.push(
      await done('POST', '/v1/products', { name: `Lamp ${at}`, price: 10 + at, stock: 9, category_id: category }),
    );
  const { collection } = await done('POST', '/v1/product-collections', { name: 'Bright' });
  const hotspots = products.slice(0, 3).map(({ id }) => ({ x: 0.5, y: 0.5, product_id: id }));
  const images = [{ url: 'https://shop.example/room.jpg', hotspots }];
  const look = { title: 'Room', slug: 'room', status: 'published', images };
  const lookbook = await done('POST', '/v1/lookbooks', look);
  const { post } = await done('POST', '/v1/blog/posts', { title: 'Light', slug: 'light', status: 'published' });
  const ten = { name: 'Ten', type: 'percentage', value: 10, code: 'TEN', public: true };
  const { promotion } = await done('POST', '/v1/promotions', ten);
  const items = products.map(({ id }) => ({ merchant_store_id: keys.store_id, product_id: id }));
  const section = (name: string) =>
    done('PUT', '/v1/marketplace/collections/best', { name, placement_kind: 'product', items }, operatorKey);
  await section('Best');
  const some = () => chance.pick(products);
  const named = (word: string) => `${word} ${chance.between(1, 99)}`;
  const steps: readonly (() => Promise<unknown>)[] = [
    () => done('PATCH', `/v1/products/${some().id}`, { price: chance.between(1, 99) }),
    () => done('PATCH', `/v1/products/${some().id}`, { name: named('Lamp') }),
    () => done('PATCH', `/v1/products/${some().id}`, { is_active: chance.happens(0.6) }),
    () => done('POST', '/v1/inventory/adjustments', { variant_id: some().variant_id, delta: 1, reason: 'correction' }),
    () => done('PATCH', `/v1/categories/${category}`, { name: named('Lights') }),
    () =>
      done('PUT', `/v1/product-collections/${collection.id}/products`, {
        product_ids: products.filter(() => chance.happens(0.5)).map(({ id }) => id),
      }),
    () => done('PATCH', `/v1/product-collections/${collection.id}`, { name: named('Bright') }),
    () => done('PATCH', `/v1/lookbooks/${lookbook.id}`, { title: named('Room') }),
    () => done('PATCH', `/v1/blog/posts/${post.id}`, { title: named('Light') }),
    () => done('PATCH', `/v1/promotions/${promotion.id}`, { name: named('Ten') }),
    () => done('PATCH', '/v1/store', { name: named('Shop') }, keys.secret_key),
    () => done('PUT', '/v1/store/policies/terms', { title: named('T'), body: 'x', publish: true }, keys.secret_key),
    () => section(named('Best')),
  ];
  const PATHS = [
    '/v1/store',
    '/v1/store/policies',
    '/v1/store/policies/terms',
    '/v1/features',
    '/v1/categories',
    '/v1/product-collections',
    `/v1/product-collections/${collection.id}`,
    '/v1/products?limit=50&sort=name',
    '/v1/products?fields=id,name,selling_price,rating&sort=rating',
    `/v1/products?category_id=${category}`,
    `/v1/products?collection_id=${collection.id}`,
    ...products.map(({ id }) => `/v1/products/${id}`),
    '/v1/lookbooks',
    '/v1/lookbooks/room',
    '/v1/blog/posts',
    '/v1/blog/posts/light',
    '/v1/promotions',
    '/v1/marketplace/collections',
    '/v1/marketplace/collections/best',
  ];
  const keysOf = (path: string): string[] =>
    path.startsWith('/v1/marketplace') ? [operatorKey] : [keys.publishable_test_key, keys.secret_test_key];
  const other = stoa.anotherEdge().url;
  const readAt = async (url: string, path: string, key: string) => {
    const { status, text } = await sendTo(url, 'GET', path, { key });
    return [status, text.replace(/"request_id":"[^"]+"/, '')];
  };
  for (let step = 0; step < STEPS; step++) {
    await chance.pick(steps)();
    const path = chance.pick(PATHS);
    for (const url of [stoa.url, other]) await readAt(url, path, chance.pick(keysOf(path)));
  }
  const fresh = stoa.anotherEdge().url;
  for (const path of PATHS)
    for (const key of keysOf(path))
      await eventually(async () => {
        const expected = await readAt(fresh, path, key);
        for (const url of [stoa.url, other]) expect(await readAt(url, path, key), path).toEqual(expected);
      });
});
