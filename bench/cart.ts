// How fast items go into distinct carts over HTTP, through every gate and onto the disk: against the same edge process
// answering a constant of the same size, and against one fsync an item, all in one run.

import { connectBus } from '#runtime/nats/nats.ts';
import { createLog } from '#runtime/process/log.ts';
import { catalogueRows, push } from './catalogue.ts';
import { getRequest, load, postRequest } from './load.ts';
import { processorMs, startStack } from './stack.ts';

const CONNECTIONS = 64;
const PRODUCTS = 500;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DURATION_MS = Number(process.env.DURATION_MS ?? 2_000);
const WARM_MS = 1_500;
/** Until what takes items in is compiled: that takes a fifth of the services' time in the first seconds. */
const ITEMS_WARM_MS = 8_000;
/** Time for the event and the snapshot of an item before the next measurement. */
const SETTLE_MS = 2_000;
/** About what the record of one item is. */
const RECORD_BYTES = 600;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const stack = await startStack();
const bus = connectBus({ url: stack.natsUrl, name: 'bench', log: createLog({ name: 'bench', level: 'warn' }) });
try {
  const store = await stack.createStore();
  const edge = await stack.startEdge(64);
  const rows = (await catalogueRows(PRODUCTS)).map((row) => ({ ...row, stock: 1_000 }));
  await push(edge.url, store, rows);
  const key = { Authorization: `Bearer ${store.publishable_key}` };
  const variants: string[] = [];
  for (let next: string | null = '/v1/products?limit=100'; next !== null; ) {
    const response = await fetch(edge.url + next, { headers: key });
    const page = (await response.json()) as {
      products: { variant_id: string; stock: number; price: number | null }[];
      pagination: { next_cursor: string | null };
    };
    for (const { variant_id, stock, price } of page.products)
      if (stock > 0 && price !== null) variants.push(variant_id);
    const { next_cursor } = page.pagination;
    next = next_cursor && `/v1/products?limit=100&cursor=${encodeURIComponent(next_cursor)}`;
  }

  const { hostname, port } = new URL(edge.url);
  const target = { host: hostname, port: Number(port) };
  const expected = new Set([200]);
  let carts = 0;
  const item = (): Buffer =>
    postRequest(
      '/v1/cart/items',
      { ...key, 'X-Session-Id': `bench-${++carts}` },
      `{"variant_id":"${variants[carts % variants.length]}","quantity":1}`,
    );
  const sample = await fetch(`${edge.url}/v1/cart/items`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json', 'X-Session-Id': 'sample' },
    body: JSON.stringify({ variant_id: variants[0], quantity: 1 }),
  });
  if (sample.status !== 200) throw new Error(`An item was answered ${sample.status}: ${await sample.text()}`);
  const bytes = (await sample.arrayBuffer()).byteLength;
  const constant = getRequest(`/bench/constant/${bytes}`, key);

  const stream = 'BENCH_CART';
  await bus.ensureStream({
    name: stream,
    subjects: ['bench.cart.>'],
    ageMsMax: 3_600_000,
    messagesMax: -1,
    duplicateMs: 1_000,
    replicas: 1,
  });
  /** One message an item, as many callers as the load has: what one fsync each allows. */
  const appends = async (durationMs: number): Promise<number> => {
    const record = Buffer.alloc(RECORD_BYTES, 'x');
    const startedAt = performance.now();
    let done = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, caller) => {
        while (performance.now() - startedAt < durationMs) {
          await bus.append(`bench.cart.${caller}`, record, { id: crypto.randomUUID() });
          done++;
        }
      }),
    );
    return (done * 1_000) / (performance.now() - startedAt);
  };
  const measure = async (next: () => Buffer, durationMs: number) => {
    const used = async () => [await processorMs(edge.pid), await processorMs(stack.services.pid)] as const;
    const before = await used();
    const result = await load({ target, connections: CONNECTIONS, durationMs, next, expected });
    const after = await used();
    if (result.unexpected > 0) throw new Error(`${result.unexpected} of ${result.requests} answers were not 200.`);
    const [edgeUs, servicesUs] = [0, 1].map((at) => ((after[at]! - before[at]!) * 1_000) / result.requests);
    return { ...result, edgeUs: edgeUs!, servicesUs: servicesUs! };
  };

  await measure(() => constant, WARM_MS);
  await measure(item, ITEMS_WARM_MS);
  await appends(WARM_MS);
  const references: number[] = [];
  const singles: number[] = [];
  const items: Awaited<ReturnType<typeof measure>>[] = [];
  // Interleaved, so that other load on the machine is shared by all.
  for (let repetition = 0; repetition < ROUNDS; repetition++) {
    references.push((await measure(() => constant, DURATION_MS)).perSecond);
    items.push(await measure(item, DURATION_MS));
    await Bun.sleep(SETTLE_MS);
    singles.push(await appends(DURATION_MS));
  }
  const rate = median(items.map(({ perSecond }) => perSecond));
  process.stdout.write(
    `${JSON.stringify({
      bench: 'cart',
      case: 'items into distinct carts',
      bytes,
      ratio: round(rate / median(references)),
      times_single_appends: round(rate / median(singles)),
      per_second: round(rate, 0),
      reference_per_second: round(median(references), 0),
      single_appends_per_second: round(median(singles), 0),
      p50_ms: round(median(items.map(({ p50Ms }) => p50Ms))),
      p99_ms: round(median(items.map(({ p99Ms }) => p99Ms))),
      edge_us: round(median(items.map(({ edgeUs }) => edgeUs)), 1),
      services_us: round(median(items.map(({ servicesUs }) => servicesUs)), 1),
      carts,
    })}\n`,
  );
} finally {
  await bus.close();
  await stack.stop();
}
