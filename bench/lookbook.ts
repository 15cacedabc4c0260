// Measures reads of a lookbook with 30 hotspots from the edge. The stock of other products changes a hundred times a second, which
// must not invalidate cached responses, and every read counts a view. The reference is the same edge process sending a constant
// of the same size without gates, beside the same changes.

import { catalogueRows, push } from './catalogue.ts';
import { constantPath } from './constant.ts';
import { getRequest, load, type postRequest } from './load.ts';
import { type BenchProcess, type BenchStore, processorMs, startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DURATION_MS = 2_000;
const WARM_MS = 1_000;
const CONNECTIONS = 32;
const HOTSPOTS = 30;
const CHANGES_PER_S = 100;
const CHANGES_AT_ONCE_MAX = 32;
const VISITORS = 5_000;

interface Measure {
  readonly perSecond: number;
  readonly edgeUs: number;
  readonly servicesUs: number;
  readonly p99Ms: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

interface Shown {
  readonly id: string;
  readonly variant_id: string;
}

const send = async (edge: BenchProcess, store: BenchStore, path: string, body: object): Promise<void> => {
  const response = await fetch(edge.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
};

/** Changes stock at an even pace, without waiting for answers, until stopped; answers the number of changes. */
const change = (edge: BenchProcess, store: BenchStore, variants: readonly string[]): (() => Promise<number>) => {
  let stopped = false;
  let changes = 0;
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const run = async (): Promise<number> => {
    for (let due = 0; !stopped; due++) {
      const variant_id = variants[due % variants.length];
      const done = send(edge, store, '/v1/inventory/adjustments', { variant_id, delta: 1 }).then(() => {
        changes++;
        underWay.delete(done);
      });
      underWay.add(done);
      if (underWay.size >= CHANGES_AT_ONCE_MAX) await Promise.race(underWay);
      await Bun.sleep(Math.max(0, startedAt + (due * 1_000) / CHANGES_PER_S - performance.now()));
    }
    await Promise.all(underWay);
    return changes / ((performance.now() - startedAt) / 1_000);
  };
  const done = run();
  return () => {
    stopped = true;
    return done;
  };
};

const stack = await startStack();
try {
  const store = await stack.createStore();
  const edge = await stack.startEdge(128);
  await push(edge.url, store, await catalogueRows());
  const key = { Authorization: `Bearer ${store.publishable_key}` };
  const listed = await fetch(`${edge.url}/v1/products?limit=100&fields=id,variant_id`, { headers: key });
  const { products } = (await listed.json()) as { products: Shown[] };
  const hotspots = products.slice(0, HOTSPOTS).map(({ id }, at) => ({ x: at / HOTSPOTS, y: 0.5, product_id: id }));
  await send(edge, store, '/v1/lookbooks', {
    title: 'Bench',
    status: 'published',
    images: [0, 1, 2].map((at) => ({
      url: `https://pictures.example/${at}.jpg`,
      hotspots: hotspots.slice(at * 10, at * 10 + 10),
    })),
  });
  const path = '/v1/lookbooks/bench';
  const answer = await fetch(edge.url + path, { headers: key });
  const etag = answer.headers.get('etag') as string;
  const bytes = (await answer.arrayBuffer()).byteLength;
  const elsewhere = products.slice(HOTSPOTS).map(({ variant_id }) => variant_id);

  const constant = getRequest(constantPath(bytes), key);
  const same = getRequest(path, { ...key, 'X-Visitor-Id': 'the same' });
  const unchanged = getRequest(path, { ...key, 'X-Visitor-Id': 'the same', 'If-None-Match': etag });
  const visitors = Array.from({ length: VISITORS }, (_, at) => getRequest(path, { ...key, 'X-Visitor-Id': `v${at}` }));
  const nameless = getRequest(path, { ...key, 'User-Agent': 'Bench' });
  let at = 0;
  const kinds: readonly (readonly [string, () => ReturnType<typeof postRequest>, number])[] = [
    ['reference', () => constant, 200],
    ['one visitor', () => same, 200],
    ['5,000 visitors', () => visitors[at++ % VISITORS]!, 200],
    ['no name', () => nameless, 200],
    ['not modified', () => unchanged, 304],
  ];
  const { hostname, port } = new URL(edge.url);
  const measure = async (next: () => ReturnType<typeof postRequest>, status: number, ms: number): Promise<Measure> => {
    const before = await Promise.all([edge, stack.services].map(({ pid }) => processorMs(pid)));
    const target = { host: hostname, port: Number(port) };
    const result = await load({ target, connections: CONNECTIONS, durationMs: ms, next, expected: new Set([status]) });
    const after = await Promise.all([edge, stack.services].map(({ pid }) => processorMs(pid)));
    if (result.unexpected > 0)
      throw new Error(`${result.unexpected} of ${result.requests} answers were not ${status}.`);
    const [edgeUs = 0, servicesUs = 0] = after.map((ms, of) => ((ms - before[of]!) * 1_000) / result.requests);
    return { perSecond: result.perSecond, edgeUs, servicesUs, p99Ms: result.p99Ms };
  };

  const stop = change(edge, store, elsewhere);
  const runs = new Map<string, Measure[]>(kinds.map(([kind]) => [kind, []]));
  for (const [, next, status] of kinds) await measure(next, status, WARM_MS);
  // Interleaved, so that other load on the machine is shared by all.
  for (let time = 0; time < ROUNDS; time++)
    for (const [kind, next, status] of kinds) runs.get(kind)?.push(await measure(next, status, DURATION_MS));
  const changes = await stop();
  const of = (kind: string, part: keyof Measure): number => median((runs.get(kind) ?? []).map((run) => run[part]));
  for (const [kind] of kinds.slice(1))
    process.stdout.write(
      `${JSON.stringify({
        bench: 'lookbook',
        case: kind,
        bytes,
        ratio: round(of(kind, 'perSecond') / of('reference', 'perSecond')),
        per_second: round(of(kind, 'perSecond'), 0),
        reference_per_second: round(of('reference', 'perSecond'), 0),
        edge_us: round(of(kind, 'edgeUs'), 1),
        services_us: round(of(kind, 'servicesUs'), 1),
        p99_ms: round(of(kind, 'p99Ms')),
        stock_changes_per_second: round(changes, 0),
      })}\n`,
    );
} finally {
  await stack.stop();
}
