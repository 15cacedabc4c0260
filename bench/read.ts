// Measures catalogue reads through all gates: from the edge's cache, as 304, and through the link. The reference is the same
// edge process sending a constant of the same size without gates.
import { catalogueRows, push } from './catalogue.ts';
import { getRequest, load } from './load.ts';
import { type BenchProcess, processorMs, startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DURATION_MS = 2_000;
const WARM_MS = 1_000;
const CONNECTIONS = 32;

interface Measure {
  readonly perSecond: number;
  /** Processor time of the edge a request, in µs. */
  readonly edgeUs: number;
  readonly p99Ms: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

async function measure(
  edge: BenchProcess,
  path: string,
  headers: Record<string, string>,
  status: number,
  durationMs: number,
): Promise<Measure> {
  const { hostname, port } = new URL(edge.url);
  const request = getRequest(path, headers);
  const before = await processorMs(edge.pid);
  const result = await load({
    target: { host: hostname, port: Number(port) },
    connections: CONNECTIONS,
    durationMs,
    next: () => request,
    expected: new Set([status]),
  });
  const used = (await processorMs(edge.pid)) - before;
  if (result.unexpected > 0)
    throw new Error(`${path}: ${result.unexpected} of ${result.requests} answers were not ${status}.`);
  return { perSecond: result.perSecond, edgeUs: (used * 1000) / result.requests, p99Ms: result.p99Ms };
}

const stack = await startStack();
try {
  const store = await stack.createStore();
  const cached = await stack.startEdge(128);
  const uncached = await stack.startEdge(0);
  await push(cached.url, store, await catalogueRows());
  const key = { Authorization: `Bearer ${store.publishable_key}` };

  const listPath = '/v1/products';
  const list = await fetch(cached.url + listPath, { headers: key });
  const listBytes = (await list.clone().arrayBuffer()).byteLength;
  const { products } = (await list.json()) as { products: { id: string }[] };
  const detailPath = `/v1/products/${products[0]?.id}`;
  const chosenPath = '/v1/products?fields=id,name,price,sale_price,thumbnail_url,stock';
  const chosen = await fetch(cached.url + chosenPath, { headers: key });
  const chosenBytes = (await chosen.arrayBuffer()).byteLength;
  const detail = await fetch(cached.url + detailPath, { headers: key });
  const detailBytes = (await detail.arrayBuffer()).byteLength;

  const cases = [
    { name: 'list', path: listPath, bytes: listBytes, etag: list.headers.get('etag') as string },
    { name: 'fields of the list', path: chosenPath, bytes: chosenBytes, etag: chosen.headers.get('etag') as string },
    { name: 'detail', path: detailPath, bytes: detailBytes, etag: detail.headers.get('etag') as string },
  ];
  for (const { name, path, bytes, etag } of cases) {
    const runs: Record<string, Measure[]> = { reference: [], hit: [], notModified: [], miss: [] };
    const kinds: [string, BenchProcess, string, Record<string, string>, number][] = [
      ['reference', cached, `/bench/constant/${bytes}`, key, 200],
      ['hit', cached, path, key, 200],
      ['notModified', cached, path, { ...key, 'If-None-Match': etag }, 304],
      ['miss', uncached, path, key, 200],
    ];
    for (const [, edge, target, headers, status] of kinds) await measure(edge, target, headers, status, WARM_MS);
    // Interleaved, so that other load on the machine is shared by all.
    for (let i = 0; i < ROUNDS; i++)
      for (const [kind, edge, target, headers, status] of kinds)
        runs[kind]?.push(await measure(edge, target, headers, status, DURATION_MS));
    const rate = (kind: string): number => median((runs[kind] ?? []).map(({ perSecond }) => perSecond));
    const cost = (kind: string): number => median((runs[kind] ?? []).map(({ edgeUs }) => edgeUs));
    for (const kind of ['hit', 'notModified', 'miss'])
      process.stdout.write(
        `${JSON.stringify({
          bench: 'read',
          case: `${name} ${kind}`,
          bytes,
          ratio: round(rate(kind) / rate('reference')),
          edge_cost_ratio: round(cost('reference') / cost(kind)),
          per_second: round(rate(kind), 0),
          reference_per_second: round(rate('reference'), 0),
          edge_us: round(cost(kind), 1),
          p99_ms: round(median((runs[kind] ?? []).map(({ p99Ms }) => p99Ms))),
        })}\n`,
      );
  }
} finally {
  await stack.stop();
}
