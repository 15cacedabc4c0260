// Measures ten thousand stores of 200 products, two thousand of them awake: memory, first and later reads, and timed work. A
// waking store's reads are compared with the delay that others feel.
//
// STORES, AWAKE and PRODUCTS set another size, WINDOW_S the seconds in which the idle services are watched.
import { Buffer } from 'node:buffer';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { catalogueRows, push } from './catalogue.ts';
import { median, print, quantile, round } from './figure.ts';
import { getRequest, type LoadTarget, load } from './load.ts';
import { openLoad } from './open_load.ts';
import { openCopier } from './sleeping_store.ts';
import { type BenchStore, processorMs, residentMb, type Stack, startStack } from './stack.ts';

const STORES = Number(process.env.STORES ?? 10_000);
const AWAKE = Math.min(STORES, Number(process.env.AWAKE ?? 2_000));
const PRODUCTS = Number(process.env.PRODUCTS ?? 200);
/** A little more than what happens once a minute. */
const WINDOW_S = Number(process.env.WINDOW_S ?? 65);
const FEW = Math.min(100, STORES);
const MADE_AT_ONCE = 16;
const CONNECTIONS = 16;
const ROUNDS = 5;
const DURATION_MS = 4_000;
const READS_PER_SECOND = 400;
const WAKES_PER_SECOND = 20;
const SETTLE_MS = 10_000;
const DAY_MS = 86_400_000;
const GB = 2 ** 30;
const OK = new Set([200]);
/** Blocks of a statement that may differ from one window to the next by what the database does for itself. */
const BLOCKS_SLACK = 2;

/** Something of what waits for its time, besides the catalogue. */
const furnish = async (url: string, { secret_key }: BenchStore): Promise<void> => {
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const send = async (path: string, body?: object) => {
    const reply = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${secret_key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  const { products } = (await send('/v1/products?limit=1')) as { products: { variant_id: string }[] };
  const [starts_at, ends_at] = [at(200), at(300)];
  const prices = [{ variant_id: products[0]!.variant_id, price: 1 }];
  await send('/v1/price-lists', { name: 'Spring', starts_at, ends_at, prices });
  await send('/v1/promotions', {
    name: 'Spring',
    type: 'percentage',
    value: 10,
    status: 'scheduled',
    starts_at,
    ends_at,
  });
  await send('/v1/blog/posts', { title: 'Spring', status: 'scheduled', published_at: starts_at });
};

const makeStores = async (stack: Stack, count: number): Promise<BenchStore[]> => {
  const stores: BenchStore[] = [];
  while (stores.length < count) {
    const size = Math.min(MADE_AT_ONCE, count - stores.length);
    stores.push(...(await Promise.all(Array.from({ length: size }, () => stack.createStore()))));
  }
  return stores;
};

interface Watched {
  readonly statements: number;
  readonly blocks: number;
  readonly processorMs: number;
  /** Blocks a call, by statement. */
  readonly each: ReadonlyMap<string, number>;
}

/** Watches the work of idle services. */
const watch = async (sql: Sql, pid: number): Promise<Watched> => {
  await Bun.sleep(SETTLE_MS);
  const before = await processorMs(pid);
  await sql`select pg_stat_statements_reset()`;
  await Bun.sleep(WINDOW_S * 1_000);
  const rows = await sql<{ query: string; calls: number; blocks: number }[]>`
    select query, sum(calls)::int as calls, sum(shared_blks_hit + shared_blks_read)::float8 as blocks
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query !~ 'pg_stat_statements'
    group by query`;
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0);
  return {
    statements: sum(({ calls }) => calls),
    blocks: sum(({ blocks }) => blocks),
    processorMs: (await processorMs(pid)) - before,
    each: new Map(
      rows.map(({ query, calls, blocks }) => [query.replace(/\s+/g, ' ').replace(/\$\d+/g, '$'), blocks / calls]),
    ),
  };
};

const tellGrowth = (few: Watched, many: Watched): void => {
  for (const [query, blocks] of many.each) {
    const before = few.each.get(query) ?? 0;
    if (blocks > before + BLOCKS_SLACK)
      print({
        bench: 'store',
        case: 'grows',
        blocks_few: round(before),
        blocks_many: round(blocks),
        statement: query,
      });
  }
  print({
    bench: 'store',
    case: 'asked nothing',
    seconds: WINDOW_S,
    stores_few: FEW,
    stores_many: STORES,
    statements_few: few.statements,
    statements_many: many.statements,
    blocks_few: few.blocks,
    blocks_many: many.blocks,
    processor_ms_few: round(few.processorMs, 0),
    processor_ms_many: round(many.processorMs, 0),
  });
};

/** One after the other; how long each took. */
const firstReads = async (url: string, stores: readonly BenchStore[], path: (at: number) => string) => {
  const took: number[] = [];
  for (const [at, { publishable_key }] of stores.entries()) {
    const from = performance.now();
    const reply = await fetch(`${url}${path(at)}`, { headers: { Authorization: `Bearer ${publishable_key}` } });
    await reply.arrayBuffer();
    took.push(performance.now() - from);
    if (reply.status !== 200) throw new Error(`A first read was answered ${reply.status}.`);
  }
  return took;
};

type Reader = (count: number) => () => Buffer;

/** Reads of products of the first so many stores, in an order that no cache likes. */
const readerOf =
  (stores: readonly BenchStore[], ids: readonly string[]): Reader =>
  (count) => {
    let repetition = 0;
    return () => {
      repetition++;
      const { publishable_key } = stores[(repetition * 7_919) % count]!;
      return getRequest(`/v1/products/${ids[(repetition * 31) % ids.length]}`, {
        Authorization: `Bearer ${publishable_key}`,
      });
    };
  };

const comparedToOne = async (target: LoadTarget, read: Reader): Promise<void> => {
  const run = async (count: number) => {
    const result = await load({
      target,
      connections: CONNECTIONS,
      durationMs: DURATION_MS,
      next: read(count),
      expected: OK,
    });
    if (result.unexpected > 0) throw new Error(`${result.unexpected} answers were not 200.`);
    return result;
  };
  await run(1);
  await run(AWAKE);
  const one: number[] = [];
  const many: number[] = [];
  for (let repetition = 0; repetition < ROUNDS; repetition++) {
    one.push((await run(1)).p99Ms);
    many.push((await run(AWAKE)).p99Ms);
  }
  print({
    bench: 'store',
    case: 'awake',
    p99_ms_one: round(median(one)),
    p99_ms_many: round(median(many)),
    growth: round(median(many) / median(one)),
    asked: 1.5,
  });
};

/** A steady load on one store, calm and while sleeping ones wake beside it, in turns. */
const delayedByWaking = async (
  url: string,
  target: LoadTarget,
  read: Reader,
  sleeping: BenchStore[],
  path: () => string,
) => {
  const look = () =>
    openLoad({
      target,
      connections: CONNECTIONS,
      perSecond: READS_PER_SECOND,
      durationMs: DURATION_MS,
      next: read(1),
      expected: OK,
    });
  const wakeSome = async (): Promise<number> => {
    const until = performance.now() + DURATION_MS;
    let count = 0;
    while (performance.now() < until && sleeping.length > 0) {
      void firstReads(url, [sleeping.pop()!], path);
      count++;
      await Bun.sleep(1_000 / WAKES_PER_SECOND);
    }
    return count;
  };
  await look();
  const calm: Awaited<ReturnType<typeof look>>[] = [];
  const waking: typeof calm = [];
  let woken = 0;
  for (let repetition = 0; repetition < ROUNDS; repetition++) {
    calm.push(await look());
    const [during, count] = await Promise.all([look(), wakeSome()]);
    waking.push(during);
    woken += count;
  }
  const [p99Calm, p99Waking] = [calm, waking].map((results) => median(results.map(({ p99Ms }) => p99Ms))) as [
    number,
    number,
  ];
  const [maxCalm, maxWaking] = [calm, waking].map((results) => median(results.map(({ maxMs }) => maxMs))) as [
    number,
    number,
  ];
  print({
    bench: 'store',
    case: 'beside stores that wake',
    wakes_per_s: round(woken / ((ROUNDS * DURATION_MS) / 1_000)),
    p99_ms_calm: round(p99Calm),
    p99_ms_waking: round(p99Waking),
    delay_ms: round(p99Waking - p99Calm),
    asked_ms: 5,
    max_ms_calm: round(maxCalm),
    max_ms_waking: round(maxWaking),
  });
};

const connect = (url: string) =>
  connectPostgres({
    url,
    connectionsMax: 1,
    name: 'bench',
    log: createLog({ name: 'bench', level: 'warn' }),
    clock: systemClock(),
    seal: openSeal(Buffer.alloc(32, 3).toString('base64')),
    statementTimeoutMs: 600_000,
    // Analyze waits for one that autovacuum has started.
    lockTimeoutMs: 600_000,
  });

const measure = async (stack: Stack, sql: Sql): Promise<void> => {
  const edge = await stack.startEdge(0);
  const first = await stack.createStore();
  await push(edge.url, first, await catalogueRows(PRODUCTS));
  await furnish(edge.url, first);
  const ids = (
    await sql<{ id: string }[]>`
      select id from catalog.product where store = ${first.store_id} and is_active order by id limit 100`
  ).map(({ id }) => id);
  const { copy, tables } = await openCopier(sql, first);
  const few = await makeStores(stack, FEW);
  await copy(few);
  const fewWatched = await watch(sql, (await stack.restartServices()).pid);

  const from = performance.now();
  const more = await makeStores(stack, STORES - FEW);
  const madeAt = performance.now();
  await copy(more);
  const [size] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
  print({
    bench: 'store',
    case: 'filled',
    stores: STORES,
    products_each: PRODUCTS,
    tables,
    created_s: round((madeAt - from) / 1_000),
    copied_s: round((performance.now() - madeAt) / 1_000),
    database_gb: round(size!.bytes / GB),
  });
  const { pid } = await stack.restartServices();
  tellGrowth(fewWatched, await watch(sql, pid));

  const stores = [...few, ...more];
  while ((await fetch(`${edge.url}/v1/health`)).status !== 200) await Bun.sleep(20);
  const target: LoadTarget = { host: '127.0.0.1', port: Number(new URL(edge.url).port) };
  const path = (at: number): string => (at % 2 ? '/v1/products?limit=20' : `/v1/products/${ids[at % ids.length]}`);
  // Compiles the code of the first read.
  await firstReads(edge.url, stores.slice(-20), path);
  const [beforeMb, beforeMs] = [await residentMb(pid), await processorMs(pid)];
  const took = await firstReads(edge.url, stores.slice(0, AWAKE), path);
  const [afterMb, afterMs] = [await residentMb(pid), await processorMs(pid)];
  print({
    bench: 'store',
    case: 'first reads',
    awake: AWAKE,
    p50_ms: round(median(took)),
    p99_ms: round(quantile(took, 0.99)),
    max_ms: round(Math.max(...took)),
    asked_ms: 50,
    // The same on a busy machine.
    services_processor_ms_each: round((afterMs - beforeMs) / AWAKE),
    store_kb: round(((afterMb - beforeMb) * 1_024) / AWAKE, 0),
    services_resident_mb: round(afterMb, 0),
  });
  const read = readerOf(stores, ids);
  await comparedToOne(target, read);
  await delayedByWaking(edge.url, target, read, stores.slice(AWAKE, -20), () => `/v1/products/${ids[0]}`);
};

const stack = await startStack({ postgres: { shared_preload_libraries: 'pg_stat_statements', max_wal_size: '4GB' } });
const postgres = connect(stack.databaseUrl);
try {
  await postgres.sql`create extension if not exists pg_stat_statements`;
  await measure(stack, postgres.sql);
} finally {
  await postgres.close();
  await stack.stop();
}
