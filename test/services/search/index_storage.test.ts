// A large index is saved: the next process reads it and applies changes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '#runtime/process/metric.ts';
import { eventually, freshDatabase, freshNamespace, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const PRODUCTS = 2_100;

let database: TestDatabase;
const namespace = freshNamespace();
let stoa: Stoa;
let keys: Keys;

const start = () => startStoa({ databaseUrl: database.url, namespace });

const write = async (method: string, path: string, body: unknown) => {
  const reply = await stoa.send(method, path, { key: keys.secret_key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
};

const found = async (body: object): Promise<{ total: number; names: string[]; facets: unknown }> => {
  const reply = await stoa.send('POST', '/v1/search', { key: keys.secret_key, body: { mode: 'text', ...body } });
  expect(reply.status, reply.text).toBe(200);
  const names = reply.body.products.map(({ name }: { name: string }) => name);
  return { total: reply.body.total, names, facets: reply.body.facets };
};

const idOf = async (sku: string): Promise<string> =>
  (await stoa.send('POST', '/v1/search', { key: keys.secret_key, body: { query: sku } })).body.products[0].id;

/** Indexes that this process restored. */
const savedLoads = async (): Promise<number> => {
  const { values } = await registry.getSingleMetric('stoa_search_index_loads_total')!.get();
  return values.find(({ labels }) => labels.from === 'saved')?.value ?? 0;
};

const savedRows = async (): Promise<number> => {
  const { sql } = stoa.services.runtime.postgres;
  const rows = await sql`select part from search.saved_index where store = ${keys.store_id}`;
  return rows.length;
};

beforeAll(async () => {
  database = await freshDatabase();
  stoa = await start();
  keys = await stoa.createStore({ plan: 'enterprise' });
  const category = (await write('POST', '/v1/categories', { name: 'Lamps' })).category.id;
  const rows = Array.from({ length: PRODUCTS }, (_, at) => ({
    external_id: `lamp-${at}`,
    name: `Lamp ${at % 7 === 0 ? 'brass' : 'glass'} ${at}`,
    sku: `LAMP-${at}`,
    price: 10 + (at % 90),
    stock: at % 5,
    brand: at % 2 === 0 ? 'Lumen' : 'Órbita',
    category_id: category,
    attributes: { colour: at % 3 === 0 ? 'red' : 'blue' },
  }));
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const pushed = await stoa.send('POST', '/v1/ingestion/push?mode=upsert', {
    key: keys.secret_key,
    body,
    signWith: keys.hmac_secret,
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
  expect(pushed.status, pushed.text).toBe(202);
  await eventually(async () => expect((await found({ query: '' })).total).toBe(PRODUCTS), 60_000);
});

afterAll(async () => {
  await stoa?.stop();
  await database?.drop();
});

const QUESTIONS = [
  { query: 'brass', limit: 100, sort: 'price_asc', facets: ['brand', 'category', 'price', 'attributes.colour'] },
  { query: 'lmap glass', limit: 50, facets: ['brand'] },
  {
    query: '',
    filters: { attributes: { colour: ['RED'] }, brand: ['lumen'], in_stock: true },
    limit: 100,
    sort: 'newest',
  },
  { query: 'LAMP-1234', limit: 1 },
];
const answers = () => Promise.all(QUESTIONS.map(found));

test('the next process restores the saved index and returns the same results', async () => {
  await eventually(async () => expect(await savedRows()).toBeGreaterThan(0), 60_000);
  const before = await answers();
  expect(before[0]!.total).toBe(300);
  const read = await savedLoads();
  await stoa.stop();
  stoa = await start();
  expect(await answers()).toEqual(before);
  expect(await savedLoads()).toBe(read + 1);
});

test('the next process restores it before the first caller', async () => {
  const read = await savedLoads();
  await stoa.stop();
  stoa = await start();
  await eventually(async () => expect(await savedLoads()).toBe(read + 1));
});

test('products changed, added or deleted after saving are found in their present state', async () => {
  await write('PATCH', `/v1/products/${await idOf('LAMP-14')}`, { name: 'Candelabrum of silver' });
  await write('DELETE', `/v1/products/${await idOf('LAMP-21')}`, undefined);
  await write('POST', '/v1/products', { name: 'Chandelier', price: 5, stock: 1 });
  const variant = (await write('GET', `/v1/products/${await idOf('LAMP-28')}`, undefined)) as {
    variant_id: string;
    stock: number;
  };
  await write('POST', '/v1/inventory/adjustments', {
    variant_id: variant.variant_id,
    delta: -variant.stock,
    reason: 'lost',
  });
  await eventually(async () => expect((await found({ query: 'chandelier' })).total).toBe(1));
  const before = await answers();
  expect(before[0]!.total).toBe(298);
  const read = await savedLoads();
  await stoa.stop();
  stoa = await start();
  expect(await answers()).toEqual(before);
  expect((await found({ query: 'candelabrum' })).total).toBe(1);
  expect((await found({ query: 'chandelier' })).total).toBe(1);
  expect((await found({ query: 'LAMP-28', filters: { in_stock: true } })).names).not.toContain('Lamp brass 28');
  expect(await savedLoads()).toBe(read + 1);
});

test.each([
  ['of another program', "update search.saved_index set format = 'other'"],
  ['that lacks a part', "delete from search.saved_index where part = 'postings'"],
])('an index %s is built anew', async (_name, damage) => {
  const before = await answers();
  await stoa.services.runtime.postgres.sql.unsafe(damage);
  const read = await savedLoads();
  await stoa.stop();
  stoa = await start();
  expect(await answers()).toEqual(before);
  expect(await savedLoads()).toBe(read);
  await eventually(async () => expect(await savedRows()).toBe(7), 60_000);
});
