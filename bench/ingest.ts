// Measures the signed push of a real catalogue: the rate, the delay until reads show the products, and memory.
import { catalogueRows, push } from './catalogue.ts';
import { processorMs, residentMb, startStack } from './stack.ts';

const stack = await startStack();
try {
  const edge = await stack.startEdge(128);
  const store = await stack.createStore();
  const rows = await catalogueRows();
  const headers = { Authorization: `Bearer ${store.publishable_key}` };
  // The store is awake, as it would be in a live shop: reads must follow the push.
  await fetch(`${edge.url}/v1/products`, { headers });
  const processorAtMs = await processorMs(stack.services.pid);
  const startedAtMs = performance.now();
  const jobs = await push(edge.url, store, rows);
  const doneAtMs = performance.now();
  const processorUsedMs = (await processorMs(stack.services.pid)) - processorAtMs;
  const last = rows.at(-1) as { name: string };
  let visibleAtMs = 0;
  for (;;) {
    const response = await fetch(`${edge.url}/v1/products?sort=newest&limit=100`, { headers });
    const { products } = (await response.json()) as { products: { name: string }[] };
    if (products.some(({ name }) => name === last.name)) {
      visibleAtMs = performance.now();
      break;
    }
    if (performance.now() - doneAtMs > 30_000) throw new Error('The last product never appeared.');
    await Bun.sleep(10);
  }
  // Idle time, so that only retained memory remains.
  await Bun.sleep(3_000);
  const created = jobs.reduce((count, job) => count + job.rows_created, 0);
  const failed = jobs.reduce((count, job) => count + job.rows_failed, 0);
  process.stdout.write(
    `${JSON.stringify({
      bench: 'ingest',
      products: rows.length,
      created,
      failed,
      seconds: Number(((doneAtMs - startedAtMs) / 1000).toFixed(2)),
      products_per_second: Math.round(rows.length / ((doneAtMs - startedAtMs) / 1000)),
      services_us_a_product: Math.round((processorUsedMs * 1000) / rows.length),
      visible_after_ms: Math.round(visibleAtMs - doneAtMs),
      services_resident_mb: Math.round(await residentMb(stack.services.pid)),
    })}\n`,
  );
} finally {
  await stack.stop();
}
