// Tests the trace of a request from the edge to the handlers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTracing } from '#runtime/process/trace.ts';
import { type Collector, KIND, openCollector, type SentSpan } from '#test/support/collector.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NO_ID = '00000000-0000-4000-8000-000000000000';

let collector: Collector;
let stop: () => Promise<void>;
let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  collector = await openCollector();
  stop = await startTracing('stoa-test', collector.environment(), testLog());
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});
afterAll(async () => {
  await stop?.();
  await collector?.close();
});

let count = 0;
/** The spans of one request's trace, once its own has come; a caller's span stands above it. */
const traceOf = async (
  method: string,
  path: string,
  options: Parameters<Stoa['send']>[2] = {},
  spans = 1,
): Promise<readonly SentSpan[]> => {
  const traceId = (++count).toString(16).padStart(32, 'a');
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, ...options.headers };
  await stoa.send(method, path, { ...options, headers });
  return eventually(() => {
    const own = collector.spans.filter((span) => span.traceId === traceId);
    expect(own.some(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')).toBe(true);
    expect(own.length).toBeGreaterThanOrEqual(spans);
    return own;
  });
};
const rootOf = (spans: readonly SentSpan[]): SentSpan =>
  spans.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')!;
const named = (spans: readonly SentSpan[], name: string, kind: number): SentSpan | undefined =>
  spans.find((span) => span.name === name && span.kind === kind);
const mine = () => ({ 'stoa.store': keys.store_id, 'stoa.environment': 'production' });

test('records endpoint, tenant and status, with rpc spans as children', async () => {
  const spans = await traceOf('GET', `/v1/products/${NO_ID}`, { key: keys.secret_key }, 3);
  const root = rootOf(spans);
  expect(root).toMatchObject({
    name: 'GET /v1/products/:id',
    kind: KIND.server,
    failed: false,
    attributes: {
      ...mine(),
      'stoa.key_type': 'secret',
      'http.request.method': 'GET',
      'http.route': '/v1/products/:id',
      'url.path': `/v1/products/${NO_ID}`,
      'http.response.status_code': 404,
      'stoa.refusal': 'not_found',
    },
  });
  const asked = named(spans, 'Catalog/GetProduct', KIND.client);
  expect(asked).toMatchObject({
    parentSpanId: root.spanId,
    failed: false,
    attributes: {
      ...mine(),
      'rpc.system': 'grpc',
      'rpc.service': 'stoa.v1.Catalog',
      'rpc.method': 'GetProduct',
      'stoa.refusal': 'not_found',
      'stoa.request_id': root.attributes['stoa.request_id'],
    },
  });
  expect(named(spans, 'Catalog/GetProduct', KIND.server)).toMatchObject({
    parentSpanId: asked!.spanId,
    attributes: { ...mine(), 'stoa.refusal': 'not_found' },
  });
});

test('records key and limit lookups as children and limit owners below them', async () => {
  const another = await stoa.createStore();
  const spans = await traceOf('GET', '/v1/products', { key: another.publishable_key }, 5);
  for (const rpc of ['StoreDirectory/ResolveKey', 'Limit/Take']) {
    const asked = named(spans, rpc, KIND.client);
    expect(asked?.parentSpanId, rpc).toBe(rootOf(spans).spanId);
    expect(named(spans, rpc, KIND.server)?.parentSpanId, rpc).toBe(asked?.spanId);
  }
});

test('records calls between domains as children of their handler', async () => {
  const made = await stoa.send('POST', '/v1/products', {
    key: keys.secret_key,
    body: { name: 'Cup', price: 3, stock: 5 },
  });
  const spans = await traceOf(
    'POST',
    '/v1/cart/items',
    {
      key: keys.publishable_key,
      headers: { 'X-Session-Id': 'visit-1' },
      body: { variant_id: made.body.variant_id, quantity: 1 },
    },
    3,
  );
  const handler = named(spans, 'Cart/AddItem', KIND.server);
  expect(handler?.parentSpanId).toBe(named(spans, 'Cart/AddItem', KIND.client)?.spanId);
  const inner = spans.filter(({ kind }) => kind === KIND.internal);
  for (const span of inner)
    expect(
      spans.some(({ spanId }) => spanId === span.parentSpanId),
      span.name,
    ).toBe(true);
});

test('records no children if answered from the cache', async () => {
  await traceOf('GET', '/v1/products?limit=3', { key: keys.publishable_key }, 3);
  const spans = await traceOf('GET', '/v1/products?limit=3', { key: keys.publishable_key });
  expect(rootOf(spans).attributes).toMatchObject({ 'http.response.status_code': 200, 'stoa.cache': 'HIT' });
  expect(named(spans, 'Catalog/ListProducts', KIND.client)).toBeUndefined();
});

test.each([
  { what: 'no key', path: '/v1/products', name: 'GET /v1/products', status: 401, refusal: 'unauthorized' },
  { what: 'no endpoint', path: '/v1/nothing', name: 'GET', status: 404, refusal: 'not_found' },
])('with $what tells of no store', async ({ path, name, status, refusal }) => {
  const root = rootOf(await traceOf('GET', path));
  expect(root.name).toBe(name);
  expect(root.attributes).toMatchObject({ 'http.response.status_code': status, 'stoa.refusal': refusal });
  expect(root.attributes['stoa.store']).toBeUndefined();
});

test('holds no secret of its path', async () => {
  const path = '/v1/cart/gift-cards/GIFT-1234-5678';
  const spans = await traceOf('DELETE', path, { key: keys.publishable_key, headers: { 'X-Session-Id': 'v' } });
  expect(JSON.stringify(spans)).not.toContain('1234');
});

test('fails with status 5xx and records the error', async () => {
  const { sql } = stoa.services.runtime.postgres;
  await sql`alter table catalog.product rename to elsewhere`;
  const spans = await traceOf('POST', '/v1/products', { key: keys.secret_key, body: { name: 'Cup', price: 3 } }, 3);
  await sql`alter table catalog.elsewhere rename to product`;
  expect(rootOf(spans)).toMatchObject({
    failed: true,
    attributes: { 'http.response.status_code': 500, 'error.type': 'server_error' },
  });
  const handler =
    named(spans, 'CatalogAdmin/CreateProduct', KIND.server) ?? spans.find(({ problems }) => problems.length > 0);
  expect(handler).toMatchObject({ failed: true, attributes: { 'error.type': 'server_error' } });
  expect(handler!.problems.join()).toContain('does not exist');
});

test('belongs to the only trace: the edge’s own calls start none', async () => {
  // Longer than an edge takes to look after its limits.
  await Bun.sleep(2_500);
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === '');
  expect(roots.filter(({ name }) => name.startsWith('Limit/'))).toEqual([]);
});
