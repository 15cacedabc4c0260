// Measures writes during searches: on 19,406 products a change of a price or of a stock level, each followed by a search.
import { catalogueRows, push } from './catalogue.ts';
import { processorMs, startStack } from './stack.ts';

const WRITES = 20;
const round = (value: number): number => Math.round(value * 10) / 10;

const stack = await startStack();
try {
  const edge = await stack.startEdge(64);
  const store = await stack.createStore();
  await push(edge.url, store, await catalogueRows());
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${edge.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const { products } = (await call('GET', `/v1/products?limit=${WRITES}`)) as {
    products: { id: string; sku: string; variant_id: string }[];
  };
  const search = (query: string) => call('POST', '/v1/search', { query, limit: 5 });
  const coldFrom = performance.now();
  await search('tablet');
  const coldMs = performance.now() - coldFrom;
  for (let sequence = 0; sequence < 3; sequence++) await search(products[sequence]!.sku);

  const measured = async (write: (at: number) => Promise<unknown>) => {
    const before = await processorMs(stack.services.pid);
    const from = performance.now();
    for (let at = 0; at < WRITES; at++) {
      await write(at);
      await search(products[at]!.sku);
    }
    const wallMs = performance.now() - from;
    return { ms: ((await processorMs(stack.services.pid)) - before) / WRITES, wallMs: wallMs / WRITES };
  };
  const prices = await measured((at) => call('PATCH', `/v1/products/${products[at]!.id}`, { price: 10 + at }));
  const stocks = await measured((at) =>
    call('POST', '/v1/inventory/adjustments', { variant_id: products[at]!.variant_id, delta: 1, reason: 'bench' }),
  );
  console.log(
    JSON.stringify({
      bench: 'search_after_write',
      products: (await call('POST', '/v1/search', { query: '', limit: 1 })).total,
      first_search_ms: round(coldMs),
      price_and_search_services_ms: round(prices.ms),
      price_and_search_ms: round(prices.wallMs),
      stock_and_search_services_ms: round(stocks.ms),
      stock_and_search_ms: round(stocks.wallMs),
    }),
  );
} finally {
  await stack.stop();
}
