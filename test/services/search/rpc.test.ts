// Search over HTTP: results, filters, facets, sorts and pages.
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let shoes: string;
let bags: string;

const write = async (method: string, path: string, body: unknown, key = keys.secret_key) => {
  const reply = await stoa.send(method, path, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
};

const ask = (body: unknown, key = keys.publishable_key) => stoa.send('POST', '/v1/search', { key, body });

const namesOf = async (body: unknown, key?: string): Promise<string[]> => {
  const reply = await ask(body, key);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.products.map(({ name }: { name: string }) => name);
};

const product = (name: string, more: object = {}) =>
  write('POST', '/v1/products', { name, price: 10, stock: 5, ...more });

beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  shoes = (await write('POST', '/v1/categories', { name: 'Shoes' })).category.id;
  bags = (await write('POST', '/v1/categories', { name: 'Bags' })).category.id;
  await product('Red running shoes', {
    brand: 'Acme',
    category_id: shoes,
    price: 80,
    attributes: { colour: 'red', waterproof: true },
    tags: ['Sport'],
    sku: 'RUN-100',
  });
  await product('Blue running shoes', {
    brand: 'Acme',
    category_id: shoes,
    price: 60,
    stock: 0,
    attributes: { colour: 'blue', waterproof: false },
    tags: ['sport', 'Sale'],
  });
  await product('Red leather bag', {
    brand: 'Zenith',
    category_id: bags,
    price: 120,
    attributes: { colour: 'Red', litres: 12.5 },
    description: 'Carries a laptop of 15.6 inch',
  });
  await write('POST', '/v1/products', {
    name: 'Canvas sneaker',
    brand: 'acme',
    category_id: shoes,
    variants: [
      { price: 30, stock: 0, variant_attributes: { colour: 'green' }, condition: 'used', sku: 'SNK-G' },
      { price: 45, stock: 3, variant_attributes: { colour: 'red' }, sku: 'SNK-R' },
    ],
  });
  await product('Hidden shoes', { is_active: false });
});

describe('POST /v1/search', () => {
  test('matches words, corrects an unknown one, and returns list documents with a score', async () => {
    const { body } = await ask({ query: 'red runing shoes', mode: 'text' });
    expect(body.corrections).toEqual([{ from: 'runing', to: 'running' }]);
    expect(body.mode).toBe('text');
    const [first] = body.products;
    expect(first.name).toBe('Red running shoes');
    expect(first.score).toBeGreaterThan(0);
    expect(first.score).toBeLessThanOrEqual(1);
    const { score: _score, ...listed } = first;
    const list = await stoa.send('GET', `/v1/products?ids=${first.id}`, { key: keys.publishable_key });
    expect(listed).toEqual(list.body.products[0]);
  });

  test('defaults to hybrid and returns the mode', async () => {
    expect((await ask({ query: 'bag' })).body.mode).toBe('hybrid');
    expect((await ask({ query: 'bag', mode: 'semantic' })).body.mode).toBe('semantic');
  });

  test.each([
    ['RUN-100', ['Red running shoes']],
    ['leath', ['Red leather bag']],
    ['15.6"', ['Red leather bag']],
    ['snk-r', ['Canvas sneaker']],
    ['ZENITH', ['Red leather bag']],
    ['bags leather', ['Red leather bag']],
    ['wuxquzzy', []],
    ['???', []],
    ['🙂', []],
  ])('finds by "%s" %j', async (query, names) => {
    expect(await namesOf({ query, mode: 'text' })).toEqual(names);
  });

  test('lists everything without a query, newest first; a secret key includes inactive products', async () => {
    const everything = ['Canvas sneaker', 'Red leather bag', 'Blue running shoes', 'Red running shoes'];
    expect(await namesOf({})).toEqual(everything);
    expect(await namesOf({ query: '  ' })).toEqual(everything);
    expect(await namesOf({}, keys.secret_key)).toEqual(['Hidden shoes', ...everything]);
    expect(await namesOf({ query: 'hidden' })).toEqual([]);
    expect(await namesOf({ query: 'hidden' }, keys.secret_key)).toEqual(['Hidden shoes']);
  });

  test.each([
    [{ brand: ['ACME'] }, ['Canvas sneaker', 'Blue running shoes', 'Red running shoes']],
    [{ brand: ['acme', 'zenith'], price: { gte: 80, lte: 120 } }, ['Red leather bag', 'Red running shoes']],
    [{ price: { gte: 35, lte: 40 } }, []],
    [{ price: { lte: 30 } }, ['Canvas sneaker']],
    [{ in_stock: true }, ['Canvas sneaker', 'Red leather bag', 'Red running shoes']],
    [{ in_stock: false }, ['Blue running shoes']],
    [{ tag: ['SPORT'] }, ['Blue running shoes', 'Red running shoes']],
    [{ condition: ['used'] }, ['Canvas sneaker']],
    [{ attributes: { colour: ['RED'] } }, ['Canvas sneaker', 'Red leather bag', 'Red running shoes']],
    [{ attributes: { waterproof: [false] } }, ['Blue running shoes']],
    [{ attributes: { litres: [12.5] } }, ['Red leather bag']],
    [{ attributes: { litres: ['12.5'] } }, []],
    [{ attributes: { unknown: ['x'] } }, []],
    [{ attributes: { ['__proto__']: ['x'] } }, []],
    [{ rating: { gte: 4 } }, []],
    [{ rating: { gte: 9 } }, []],
    [{ brand: [], unknown: ['x'] }, ['Canvas sneaker', 'Red leather bag', 'Blue running shoes', 'Red running shoes']],
  ])('filters by %j', async (filters, names) => {
    expect(await namesOf({ filters })).toEqual(names);
  });

  test('counts facets exactly, each without its own filter', async () => {
    const { body } = await ask({
      filters: { category_id: [shoes], attributes: { colour: ['red'] } },
      facets: ['category', 'brand', 'attributes.colour', 'price', 'condition', 'tag', 'attributes.waterproof'],
    });
    expect(body.total).toBe(2);
    expect(body.facets).toEqual([
      {
        key: 'category',
        values: [
          { value: shoes, label: 'Shoes', count: 2 },
          { value: bags, label: 'Bags', count: 1 },
        ],
      },
      { key: 'brand', values: [{ value: 'Acme', label: 'Acme', count: 2 }] },
      {
        key: 'attributes.colour',
        values: [
          { value: 'Red', label: 'Red', count: 2 },
          { value: 'blue', label: 'blue', count: 1 },
          { value: 'green', label: 'green', count: 1 },
        ],
      },
      // The sneaker's used variant at 30 is green.
      { key: 'price', min: 45, max: 80 },
      { key: 'condition', values: [{ value: 'new', label: 'new', count: 2 }] },
      { key: 'tag', values: [{ value: 'Sport', label: 'Sport', count: 1 }] },
      { key: 'attributes.waterproof', values: [{ value: true, label: 'true', count: 1 }] },
    ]);
    const nothing = await ask({ query: 'wuxquzzy', mode: 'text', facets: ['price', 'brand'] });
    expect(nothing.body.facets).toEqual([
      { key: 'price', min: null, max: null },
      { key: 'brand', values: [] },
    ]);
  });

  test.each([
    ['price_asc', ['Canvas sneaker', 'Blue running shoes', 'Red running shoes', 'Red leather bag']],
    ['price_desc', ['Red leather bag', 'Red running shoes', 'Blue running shoes', 'Canvas sneaker']],
    ['newest', ['Canvas sneaker', 'Red leather bag', 'Blue running shoes', 'Red running shoes']],
    ['rating', ['Canvas sneaker', 'Red leather bag', 'Blue running shoes', 'Red running shoes']],
  ])('sorts by %s, and its cursor goes through all of it', async (sort, names) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await ask({ sort, limit: 1, cursor });
      expect([body.total, body.pagination.limit, body.pagination.has_more]).toEqual([4, 1, seen.length < 3]);
      seen.push(body.products[0].name);
      cursor = body.pagination.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(names);
  });

  test('returns exactly the requested fields', async () => {
    const { body } = await ask({ query: 'leather', fields: 'name,attributes.colour,score', limit: 1 });
    expect(body.products).toEqual([
      { name: 'Red leather bag', attributes: { colour: 'Red' }, score: expect.any(Number) },
    ]);
  });

  test.each([
    [{ query: 'x'.repeat(501) }, 'query'],
    [{ query: 7 }, 'query'],
    [{ mode: 'magic' }, 'mode'],
    [{ sort: 'cheapest' }, 'sort'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ cursor: 'AAAA' }, 'cursor'],
    [{ facets: ['brand', 'stock'] }, 'facets[1]'],
    [{ facets: ['attributes.'] }, 'facets[0]'],
    [{ filters: { category_id: ['shoes'] } }, 'filters.category_id[0]'],
    [{ filters: { price: { gte: 'cheap' } } }, 'filters.price.gte'],
    [{ filters: { attributes: { colour: [{}] } } }, 'filters.attributes.colour'],
    [{ filters: { attributes: { colour: 'red' } } }, 'filters.attributes.colour'],
    [{ filters: { brand: 'HP' } }, 'filters.brand'],
    [{ filters: { brand: 'Acme' } }, 'filters.brand'],
    [{ fields: 'name,secret' }, 'fields'],
  ])('refuses %j', async (body, param) => {
    const reply = await ask(body);
    expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([400, 'invalid_request', param]);
  });

  test.each([
    ['a query of half a megabyte', { query: 'x'.repeat(500_000) }, 400, 'query'],
    ['ten thousand words', { query: 'word '.repeat(10_000) }, 400, 'query'],
    ['ten thousand brands', { filters: { brand: Array(10_000).fill('x') } }, 400, 'filters.brand'],
    ['ten thousand facets', { facets: Array(10_000).fill('brand') }, 400, 'facets'],
    ['more than a megabyte', { query: 'x'.repeat(1 << 20) }, 413, undefined],
  ])('refuses %s', async (_what, body, status, param) => {
    const reply = await ask(body);
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
  });

  test.each(['(a+)+$', '.*', '[^', '\\', '%', "' or 1=1 --", '*:*', '"', '+-&|!(){}[]^~?:/', '\u0000x', '__proto__'])(
    'takes %j as words',
    async (query) => {
      const reply = await ask({ query, facets: ['attributes.__proto__'] });
      if (query.includes('\u0000')) expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_request']);
      else expect([reply.status, reply.body.facets]).toEqual([200, [{ key: 'attributes.__proto__', values: [] }]]);
    },
  );

  test('refuses a cursor of another search', async () => {
    const { body } = await ask({ query: 'shoes', limit: 1 });
    const cursor = body.pagination.next_cursor;
    expect((await ask({ query: 'shoes', limit: 2, cursor })).status).toBe(200);
    for (const other of [
      { query: 'bag' },
      { query: 'shoes', filters: { in_stock: true } },
      { query: 'shoes', sort: 'newest' },
    ])
      expect((await ask({ ...other, cursor })).body.error?.param).toBe('cursor');
    expect((await ask({ query: 'shoes', cursor }, keys.secret_key)).body.error?.param).toBe('cursor');
  });

  test('shows a change at once through the edge that made it', async () => {
    const made = await product('Violet umbrella', { price: 5 });
    expect(await namesOf({ query: 'violet' })).toEqual(['Violet umbrella']);
    await write('PATCH', `/v1/products/${made.id}`, { name: 'Purple umbrella', price: 7 });
    expect(await namesOf({ query: 'violet', mode: 'text' })).toEqual([]);
    expect(await namesOf({ query: 'purple', filters: { price: { gte: 7 } } })).toEqual(['Purple umbrella']);
    await stoa.send('DELETE', `/v1/products/${made.id}`, { key: keys.secret_key });
    expect(await namesOf({ query: 'umbrella', mode: 'text' })).toEqual([]);
  });

  test('finds ingested products, and follows price lists', async () => {
    const other = await stoa.createStore();
    const look = (body: unknown) => ask(body, other.publishable_key);
    expect((await look({ query: 'kettle' })).body.total).toBe(0);
    await stoa.send('POST', '/v1/ingestion/push', {
      key: other.secret_key,
      signWith: other.hmac_secret,
      body: { products: [{ external_id: 'k', name: 'Copper kettle', price: 50, stock: 1 }] },
    });
    const kettle = await eventually(async () => {
      const { body } = await look({ query: 'kettle' });
      expect(body.total).toBe(1);
      return body.products[0];
    });
    await write(
      'POST',
      '/v1/price-lists',
      { name: 'Sale', prices: [{ variant_id: kettle.variant_id, price: 40 }] },
      other.secret_key,
    );
    expect((await look({ filters: { price: { lte: 40 } } })).body.total).toBe(1);
  });

  test('finds nothing of other tenants', async () => {
    const other = await stoa.createStore();
    expect((await ask({ query: 'shoes', facets: ['brand'] }, other.publishable_key)).body).toMatchObject({
      products: [],
      total: 0,
      facets: [{ key: 'brand', values: [] }],
    });
    expect((await ask({ query: 'shoes' }, keys.publishable_test_key)).body.total).toBe(0);
  });
});
