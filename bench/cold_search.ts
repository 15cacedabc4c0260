// Measures the first search after a restart on 19,406 products. Either the index was saved and the process reads it before it
// is ready, or the first caller waits for it. Carts of another store, which no cache answers, show the delay of others.
import { openPostgres } from '#test/support/server.ts';
import { catalogueRows, push } from './catalogue.ts';
import { processorMs, startStack } from './stack.ts';

const round = (value: number): number => Math.round(value);

const stack = await startStack();
try {
  const edge = await stack.startEdge(0);
  const store = await stack.createStore();
  await push(edge.url, store, await catalogueRows());
  const post = async (path: string, body: object): Promise<{ total: number }> => {
    const response = await fetch(`${edge.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { total: number };
  };
  const list = async (): Promise<void> => {
    const response = await fetch(`${edge.url}/v1/products?limit=1`, {
      headers: { Authorization: `Bearer ${store.secret_key}` },
    });
    if (!response.ok) throw new Error(`The list was answered ${response.status}: ${await response.text()}`);
    await response.text();
  };
  const other = await stack.createStore();
  /** Runs carts of the other store one after the other until `done` ends; answers the milliseconds of each. */
  const waits = async (done: Promise<unknown>): Promise<number[]> => {
    const found: number[] = [];
    let over = false;
    void done.finally(() => {
      over = true;
    });
    while (!over) {
      const from = performance.now();
      const headers = { Authorization: `Bearer ${other.publishable_key}`, 'X-Session-Id': crypto.randomUUID() };
      await (await fetch(`${edge.url}/v1/cart`, { headers })).text();
      found.push(performance.now() - from);
    }
    return found;
  };
  const measured = async (pid: number, work: () => Promise<unknown>) => {
    const before = await processorMs(pid);
    const from = performance.now();
    await work();
    return { ms: round(performance.now() - from), processor: round((await processorMs(pid)) - before) };
  };
  const search = () => post('/v1/search', { query: 'tablet', limit: 5, mode: 'text' });
  const { total } = await search();
  // Time for the first search's later work, the saving included.
  await Bun.sleep(Number(process.env.REST_S ?? 15) * 1_000);
  const restarted = async () => {
    const from = performance.now();
    const { pid } = await stack.restartServices();
    while (!(await fetch(`${edge.url}/v1/health`)).ok) await Bun.sleep(20);
    return { pid, readyMs: round(performance.now() - from), processor: round(await processorMs(pid)) };
  };
  const saved = await restarted();
  const first = await measured(saved.pid, search);
  const postgres = openPostgres(stack.databaseUrl);
  await postgres.sql`delete from search.saved_index`;
  await postgres.close();
  const none = await restarted();
  const catalogue = await measured(none.pid, list);
  let index = { ms: 0, processor: 0 };
  await waits(Bun.sleep(500));
  const undisturbed = await waits(Bun.sleep(2_000));
  const meanwhile = await waits(measured(none.pid, search).then((answer) => (index = answer)));
  console.log(
    JSON.stringify({
      bench: 'cold_search',
      found: total,
      ready_ms: saved.readyMs,
      start_processor_ms: saved.processor,
      first_search_ms: first.ms,
      first_search_processor_ms: first.processor,
      none_saved: {
        ready_ms: none.readyMs,
        start_processor_ms: none.processor,
        catalogue_ms: catalogue.ms,
        catalogue_processor_ms: catalogue.processor,
        index_ms: index.ms,
        index_processor_ms: index.processor,
        other_cart_worst_ms: round(Math.max(...meanwhile)),
        other_cart_worst_undisturbed_ms: round(Math.max(...undisturbed)),
      },
    }),
  );
} finally {
  await stack.stop();
}
