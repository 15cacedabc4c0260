// Measures how many orders a second are placed over HTTP, signed and through every gate. The reference is pgbench in the same run:
// transactions with the same rows in the same Postgres. If all orders buy one variant, the reference is updates of one row.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { signatureHeaders } from '#services/cli/signing.ts';
import { fillStore } from './filled_store.ts';
import { load, postRequest } from './load.ts';
import { processorMs, startStack } from './stack.ts';

/**
 * Enough connections to keep it busy: orders that arrive together share transactions, and the figure is a rate, not a
 * latency.
 */
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 256);
const PRODUCTS = 500;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DURATION_S = Number(process.env.DURATION_S ?? 4);
/**
 * Time until hot code is compiled and the connections have planned their statements: after ten seconds an order still took
 * the services a third more processor time than after twenty.
 */
const WARM_MS = 20_000;
/** Time for the later work of orders before Postgres is measured alone. */
const SETTLE_MS = 2_000;
/** Either is enough for one variant in demand. */
const HOT_RATE = 1_500;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** Debian keeps it beside the server. */
const findPgbench = (): string | null => {
  const onPath = Bun.which('pgbench');
  if (onPath) return onPath;
  const root = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(root, version, 'bin', 'pgbench')).find((path) => Bun.which(path)) ?? null;
  } catch {
    return null;
  }
};

const pgbench = async (program: string, url: string, folder: string, script: string): Promise<number> => {
  const file = join(folder, `${randomUUID()}.sql`);
  await Bun.write(file, script);
  const run = Bun.spawn(
    [program, '-n', '-M', 'prepared', '-c', '32', '-j', '2', '-T', String(DURATION_S), '-f', file, url],
    { stdout: 'pipe', stderr: 'pipe' },
  );
  const [said, complained] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  const rate = /tps = ([\d.]+)/.exec(said)?.[1];
  if (!rate) throw new Error(`pgbench failed: ${(complained || said).slice(0, 500)}`);
  return Number(rate);
};

/** Inserts a copy of an existing row, with some columns given as SQL. */
const insertLike = async (
  sql: Sql,
  table: string,
  where: string,
  own: Readonly<Record<string, string>>,
): Promise<string> => {
  const [schema, name] = table.split('.') as [string, string];
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = ${schema} and table_name = ${name} and is_identity = 'NO' order by ordinal_position`;
  const values = columns.map((column) => `quote_nullable("${column.name}"::text) as "${column.name}"`).join(', ');
  const [row] = await sql.unsafe<Record<string, string>[]>(
    `select ${values} from ${schema}."${name}" where ${where} limit 1`,
  );
  if (!row) throw new Error(`There is no row in ${table}.`);
  // pgbench takes a colon for the beginning of a variable's name.
  const list = columns.map(
    ({ name: column, type }) => own[column] ?? `cast(${row[column]!.replaceAll(':', "' || chr(58) || '")} as ${type})`,
  );
  return `insert into ${schema}."${name}" (${columns.map((column) => `"${column.name}"`).join(', ')}) values (${list.join(', ')});`;
};

const program = findPgbench();
if (program === null) {
  process.stderr.write('orders are measured against pgbench, which is not here: install it with Postgres.\n');
  process.exit(0);
}
const stack = await startStack();
const log = createLog({ name: 'bench', level: 'warn' });
const postgres = connectPostgres({
  url: stack.databaseUrl,
  connectionsMax: 2,
  name: 'bench',
  log,
  clock: systemClock(),
  seal: openSeal(Buffer.alloc(32, 3).toString('base64')),
});
try {
  const edge = await stack.startEdge(64);
  const filled = await fillStore(stack, edge, PRODUCTS);
  const { store, variants } = filled;
  const { hostname, port } = new URL(edge.url);
  const target = { host: hostname, port: Number(port) };

  let numbered = 0;
  const order = (variant: string): Buffer => {
    // A second order with the same body and timestamp has the same signature, and is refused.
    const body = JSON.stringify({
      note: String(numbered++),
      items: [{ variant_id: variant, quantity: 1 }],
      email: 'ada@example.com',
      shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
    });
    return postRequest(
      '/v1/orders',
      {
        Authorization: `Bearer ${store.secret_key}`,
        'Idempotency-Key': randomUUID(),
        ...signatureHeaders(store.hmac_secret, body),
      },
      body,
    );
  };
  let repetition = 0;
  const distinct = (): Buffer => order(variants[repetition++ % variants.length]!);
  const hot = (): Buffer => order(variants[0]!);

  const measure = async (next: () => Buffer, durationMs: number) => {
    const used = async () => [await processorMs(edge.pid), await processorMs(stack.services.pid)] as const;
    const before = await used();
    const result = await load({ target, connections: CONNECTIONS, durationMs, next, expected: new Set([201]) });
    const after = await used();
    const [edgeUs, servicesUs] = [0, 1].map((at) => ((after[at]! - before[at]!) * 1_000) / result.requests);
    return { ...result, edgeUs: edgeUs!, servicesUs: servicesUs! };
  };

  await measure(distinct, WARM_MS);
  const { sql } = postgres;
  const mine = `store = '${store.store_id}'`;
  await sql.unsafe('create sequence public.bench_number start 1000000000');
  // Like the outbox, which would be emptied at once.
  await sql.unsafe('create table public.bench_outbox (like runtime.outbox including all)');
  await sql.unsafe('create table public.bench_hot (id int primary key, pieces bigint not null)');
  await sql.unsafe('insert into public.bench_hot values (1, 1000000000)');
  const [{ id: orderId }] = await sql.unsafe<[{ id: string }]>(`select id from orders."order" where ${mine} limit 1`);
  const whole = [
    'begin;',
    'select gen_random_uuid() as id \\gset',
    await insertLike(sql, 'orders.decision', mine, { attempt: 'gen_random_uuid()' }),
    await insertLike(sql, 'orders.order', `${mine} and id = '${orderId}'`, {
      id: ':id',
      number: "nextval('public.bench_number')",
      attempt: 'gen_random_uuid()',
    }),
    await insertLike(sql, 'orders.line', `${mine} and order_id = '${orderId}'`, {
      id: 'gen_random_uuid()',
      order_id: ':id',
    }),
    await insertLike(sql, 'runtime.idempotency', `${mine} and octet_length(answer) > 1000`, {
      key: "decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')",
    }),
    'insert into public.bench_outbox (store, environment, heads, positions, drafts) select ' +
      `'${store.store_id}', 'production', 'order.created evt_bench_' || gen_random_uuid(), array[1], repeat('x', 1500);`,
    `\\set at random(0, ${Math.min(variants.length, PRODUCTS) - 1})`,
    `update catalog.inventory set on_hand = on_hand - 1 where ${mine} and environment = 'production' and ` +
      `variant_id = (array[${variants
        .slice(0, PRODUCTS)
        .map((id) => `'${id}'`)
        .join(',')}]::uuid[])[:at + 1];`,
    'commit;',
  ].join('\n');
  const single = 'update public.bench_hot set pieces = pieces - 1 where id = 1;';

  const rates: Record<'orders' | 'hot', Awaited<ReturnType<typeof measure>>[]> = { orders: [], hot: [] };
  const transactions: number[] = [];
  const updates: number[] = [];
  // Interleaved, so that other load on the machine is shared by all.
  for (let repetition = 0; repetition < ROUNDS; repetition++) {
    rates.orders.push(await measure(distinct, DURATION_S * 1_000));
    await Bun.sleep(SETTLE_MS);
    transactions.push(await pgbench(program, stack.databaseUrl, stack.home, whole));
    await sql`truncate public.bench_outbox`;
    rates.hot.push(await measure(hot, DURATION_S * 1_000));
    await Bun.sleep(SETTLE_MS);
    updates.push(await pgbench(program, stack.databaseUrl, stack.home, single));
  }
  for (const [name, reference] of [
    ['orders', median(transactions)],
    ['hot', median(updates)],
  ] as const) {
    const runs = rates[name];
    const rate = median(runs.map(({ perSecond }) => perSecond));
    process.stdout.write(
      `${JSON.stringify({
        bench: 'order',
        case: name === 'orders' ? 'orders of distinct variants' : 'orders of one variant in demand',
        ratio: round(rate / reference),
        asked: name === 'orders' ? '0.5' : `0.5, or ${HOT_RATE} a second`,
        per_second: round(rate, 0),
        reference_per_second: round(reference, 0),
        p50_ms: round(median(runs.map(({ p50Ms }) => p50Ms))),
        p99_ms: round(median(runs.map(({ p99Ms }) => p99Ms))),
        edge_us: round(median(runs.map(({ edgeUs }) => edgeUs)), 1),
        services_us: round(median(runs.map(({ servicesUs }) => servicesUs)), 1),
        refused: runs.reduce((sum, { unexpected }) => sum + unexpected, 0),
      })}\n`,
    );
  }
} finally {
  await postgres.close();
  await stack.stop();
}
