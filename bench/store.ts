// Whether a product read stays as quick when a thousand stores are awake as when one is.
import { catalogueRows, push } from './catalogue.ts';
import { getRequest, load } from './load.ts';
import { type BenchStore, residentMb, startStack } from './stack.ts';

const STORES = Number(process.env.STORES ?? 1_000);
const PRODUCTS = 200;
const CONNECTIONS = 16;
const DURATION_MS = 4_000;
const ROUNDS = 3;
const PUSHES_AT_ONCE = 4;

const stack = await startStack();
try {
  const edge = await stack.startEdge(0);
  const rows = (await catalogueRows(PRODUCTS)).map((row) => ({ ...row }));
  const stores: BenchStore[] = [];
  while (stores.length < STORES) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(PUSHES_AT_ONCE, STORES - stores.length) }, async () => {
        const store = await stack.createStore();
        await push(edge.url, store, rows);
        return store;
      }),
    );
    stores.push(...batch);
  }
  const requests: Buffer[][] = [];
  for (const store of stores) {
    const headers = { Authorization: `Bearer ${store.publishable_key}` };
    const { products } = (await (await fetch(`${edge.url}/v1/products?limit=100`, { headers })).json()) as {
      products: { id: string }[];
    };
    requests.push(products.map(({ id }) => getRequest(`/v1/products/${id}`, headers)));
  }
  const { hostname, port } = new URL(edge.url);
  const run = async (count: number): Promise<{ p99Ms: number; perSecond: number }> => {
    let turn = 0;
    const result = await load({
      target: { host: hostname, port: Number(port) },
      connections: CONNECTIONS,
      durationMs: DURATION_MS,
      next: () => {
        turn++;
        const own = requests[(turn * 7_919) % count] as Buffer[];
        return own[(turn * 31) % own.length] as Buffer;
      },
      expected: new Set([200]),
    });
    if (result.unexpected > 0) throw new Error(`${result.unexpected} answers were not 200.`);
    return result;
  };
  await run(1);
  await run(STORES);
  const one: number[] = [];
  const many: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    one.push((await run(1)).p99Ms);
    many.push((await run(STORES)).p99Ms);
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
  process.stdout.write(
    `${JSON.stringify({
      bench: 'store',
      stores: STORES,
      products_each: PRODUCTS,
      p99_ms_one: Number(median(one).toFixed(2)),
      p99_ms_many: Number(median(many).toFixed(2)),
      growth: Number((median(many) / median(one)).toFixed(2)),
      services_resident_mb: Math.round(await residentMb(stack.services.pid)),
    })}\n`,
  );
} finally {
  await stack.stop();
}
