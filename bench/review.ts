// Reviews: a list of twenty with its summary from the edge, beside a bare answer of the same size; and what a hundred
// thousand reviews of one product cost its readers and its merchant, beside a product with ten.

import { connectPostgres } from '#runtime/postgres/postgres.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { constantPath } from './constant.ts';
import { getRequest, type LoadResult, load } from './load.ts';
import { type BenchProcess, type BenchStore, processorMs, startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DURATION_MS = 2_000;
const WARM_MS = 1_000;
const CONNECTIONS = 32;
/** Few enough for an answer's own time without a queue. */
const CALM_CONNECTIONS = 2;
const MANY = Number(process.env.REVIEWS ?? 100_000);
const FEW = 10;
const DECISIONS = 200;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
const tell = (line: Record<string, unknown>): void => {
  process.stdout.write(`${JSON.stringify({ bench: 'review', ...line })}\n`);
};

const api = async (edge: BenchProcess, { secret_key }: BenchStore, verb: string, path: string, body: object) => {
  const answer = await fetch(edge.url + path, {
    method: verb,
    headers: { Authorization: `Bearer ${secret_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${verb} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json() as Promise<{ id: string }>;
};

/** Approved reviews of as many shoppers, and one that is decided again and again; what they come to is counted once. */
const lay = async (sql: Sql, { store_id }: BenchStore, product: string, count: number): Promise<string> => {
  const decided = crypto.randomUUID();
  await sql`
    insert into review.review (store, environment, id, product_id, customer_id, customer_name, rating, title, body,
      media_urls, status, rejection_reason, helpful_count, verified_purchase, created_at, updated_at)
    select ${store_id}, 'production', case when n = 0 then ${decided}::uuid else gen_random_uuid() end, ${product},
      gen_random_uuid(), 'Ada L.', 1 + n % 5, 'Comfortable from the first day, number ' || n,
      repeat('Two hundred kilometres on rough ground and still as new. ', 4), '[]',
      case when n = 0 then 'rejected' else 'approved' end, case when n = 0 then 'Later.' end, n % 97, n % 3 = 0,
      now() - make_interval(secs => n), now() - make_interval(secs => n)
    from generate_series(0, ${count}) as n`;
  await sql`
    insert into review.rating (store, environment, product_id, stars, version, published_version)
    select ${store_id}, 'production', ${product}, array[count(*) filter (where rating = 1),
      count(*) filter (where rating = 2), count(*) filter (where rating = 3), count(*) filter (where rating = 4),
      count(*) filter (where rating = 5)]::integer[], 1, 0
    from review.review where store = ${store_id} and product_id = ${product} and status = 'approved'`;
  await sql`
    insert into review.state as s (store, environment, revision, approved, published_availability)
    values (${store_id}, 'production', 1, ${count}, false)
    on conflict (store, environment) do update set revision = s.revision + 1, approved = s.approved + ${count}`;
  return decided;
};

const measure = async (
  edge: BenchProcess,
  path: string,
  key: string,
  connections: number,
  durationMs: number,
): Promise<LoadResult & { readonly edgeUs: number }> => {
  const { hostname, port } = new URL(edge.url);
  const request = getRequest(path, { Authorization: `Bearer ${key}` });
  const before = await processorMs(edge.pid);
  const result = await load({
    target: { host: hostname, port: Number(port) },
    connections,
    durationMs,
    next: () => request,
    expected: new Set([200]),
  });
  if (result.unexpected > 0) throw new Error(`${path}: ${result.unexpected} of ${result.requests} were not 200.`);
  return { ...result, edgeUs: (((await processorMs(edge.pid)) - before) * 1_000) / result.requests };
};

const stack = await startStack();
const log = createLog({ name: 'bench', level: 'warn' });
const postgres = connectPostgres({
  url: stack.databaseUrl,
  connectionsMax: 2,
  statementTimeoutMs: 120_000,
  name: 'bench',
  log,
  clock: systemClock(),
  seal: openSeal(Buffer.alloc(32, 3).toString('base64')),
});
try {
  const store = await stack.createStore();
  const [cached, uncached] = [await stack.startEdge(64), await stack.startEdge(0)];
  const product = async (name: string): Promise<string> =>
    (await api(cached, store, 'POST', '/v1/products', { name, price: 10, stock: 5 })).id;
  const [few, many] = [await product('With few'), await product('With many')];
  const { sql } = postgres;
  const decided = { few: await lay(sql, store, few, FEW), many: await lay(sql, store, many, MANY) };
  await sql`analyze review.review`;
  // The catalogue receives the ratings a moment later.
  await Bun.sleep(3_000);
  const key = store.publishable_key;

  const cachedPath = `/v1/reviews?product_id=${many}`;
  const bytes = (
    await (await fetch(cached.url + cachedPath, { headers: { Authorization: `Bearer ${key}` } })).arrayBuffer()
  ).byteLength;
  const runs: Record<'reference' | 'hit', (LoadResult & { edgeUs: number })[]> = { reference: [], hit: [] };
  const kinds = [
    ['reference', constantPath(bytes)],
    ['hit', cachedPath],
  ] as const;
  for (const [, path] of kinds) await measure(cached, path, key, CONNECTIONS, WARM_MS);
  for (let repetition = 0; repetition < ROUNDS; repetition++)
    for (const [kind, path] of kinds) runs[kind].push(await measure(cached, path, key, CONNECTIONS, DURATION_MS));
  const rate = (kind: 'reference' | 'hit'): number => median(runs[kind].map(({ perSecond }) => perSecond));
  const cost = (kind: 'reference' | 'hit'): number => median(runs[kind].map(({ edgeUs }) => edgeUs));
  tell({
    case: 'list of 20 with its summary, from the edge',
    bytes,
    ratio: round(rate('hit') / rate('reference')),
    edge_cost_ratio: round(cost('reference') / cost('hit')),
    per_second: round(rate('hit'), 0),
    reference_per_second: round(rate('reference'), 0),
    edge_us: round(cost('hit'), 1),
    p99_ms: round(median(runs.hit.map(({ p99Ms }) => p99Ms))),
  });

  for (const query of ['', '&sort=oldest', '&sort=rating_desc', '&sort=helpful', '&rating=2', '&verified=true']) {
    // Ten each, so that the same is written into both answers.
    const path = (id: string): string => `/v1/reviews?product_id=${id}&limit=10${query}`;
    const p99 = { few: [] as number[], many: [] as number[] };
    const p50 = { few: [] as number[], many: [] as number[] };
    for (const id of [few, many]) await measure(uncached, path(id), key, CALM_CONNECTIONS, WARM_MS);
    for (let repetition = 0; repetition < ROUNDS; repetition++)
      for (const [name, id] of [
        ['few', few],
        ['many', many],
      ] as const) {
        const { p99Ms, p50Ms } = await measure(uncached, path(id), key, CALM_CONNECTIONS, DURATION_MS / 2);
        p99[name].push(p99Ms);
        p50[name].push(p50Ms);
      }
    tell({
      case: `list and summary${query}, through the link: ${MANY} reviews beside ${FEW}`,
      p99_ratio: round(median(p99.many) / median(p99.few)),
      p50_ratio: round(median(p50.many) / median(p50.few)),
      p99_ms: round(median(p99.many)),
      p99_ms_of_few: round(median(p99.few)),
      p50_ms: round(median(p50.many)),
    });
  }

  const taken = { few: [] as number[], many: [] as number[] };
  for (let repetition = 0; repetition < DECISIONS + 20; repetition++)
    for (const name of ['few', 'many'] as const) {
      const began = performance.now();
      await api(cached, store, 'PATCH', `/v1/reviews/${decided[name]}`, { status: 'approved' });
      if (repetition >= 20) taken[name].push(performance.now() - began);
      await api(cached, store, 'PATCH', `/v1/reviews/${decided[name]}`, {
        status: 'rejected',
        rejection_reason: 'Again.',
      });
    }
  tell({
    case: `approving one: ${MANY} reviews beside ${FEW}`,
    p50_ratio: round(median(taken.many) / median(taken.few)),
    p50_ms: round(median(taken.many)),
    p50_ms_of_few: round(median(taken.few)),
  });
} finally {
  await postgres.close();
  await stack.stop();
}
