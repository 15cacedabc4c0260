// Measures the reports of a store with 1,000,000 orders of a year: the median and the slowest of several reads of each, in a
// zone whose days cut those of UTC. Then how many earlier orders a host counts in a second. ORDERS and READS set other numbers.
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { median, print, round } from './figure.ts';
import { type BenchStore, startStack } from './stack.ts';

const ORDERS = Number(process.env.ORDERS ?? 1_000_000);
const EARLIER_ORDERS = 5_000;
const READS = Number(process.env.READS ?? 15);
const DAYS = 365;
const PRODUCTS = 2_000;
const LINES = 2;
/** Buyers place a few orders each, so that most orders are not their first. */
const ORDERS_PER_BUYER = 4;
const COUNT_PAUSE_MS = 100;

const SPAN_STARTS = [
  ['quarter', `date_bin('15 minutes', placed_at, '2000-01-01Z')`],
  ['day', `date_trunc('day', placed_at, 'UTC')`],
  ['month', `date_trunc('month', placed_at, 'UTC')`],
] as const;

/** Writes the sums of the orders, and the orders with which buyers return. */
const insertSums = async (sql: Sql, { store_id }: BenchStore): Promise<void> => {
  // `vacuum` would wait for Postgres' own past the connection's lock time-out.
  for (const table of ['report.sale', 'report.step', 'report.return'])
    await sql`alter table ${sql(table)} set (autovacuum_enabled = false)`;
  await sql`
    create table bench_order as
    select placed_at, channel, country, row_number() over own as number, lag(placed_at) over own as former_at
    from (
      select now() - random() * make_interval(days => ${DAYS}) as placed_at,
        floor(random() * ${ORDERS / ORDERS_PER_BUYER}) as buyer,
        (array['storefront', 'storefront', 'storefront', 'assistant'])[1 + floor(random() * 4)::int] as channel,
        (array['KE', 'KE', 'TZ', 'UG', 'RW', 'DE', 'GB', 'US'])[1 + floor(random() * 8)::int] as country
      from generate_series(1, ${ORDERS})
    ) as placed
    window own as (partition by buyer order by placed_at)`;
  // The square makes some products sell far more than others.
  await sql`
    create table bench_line as
    select placed_at, number, md5(floor(power(random(), 2) * ${PRODUCTS})::text)::uuid::text as product
    from bench_order cross join generate_series(1, ${LINES})`;
  await sql`
    insert into report.return (store, environment, order_id, currency, channel, country, placed_at, former_at, gap_hours)
    select ${store_id}, 'production', gen_random_uuid(), 'USD', channel, country, placed_at, former_at,
      floor(extract(epoch from placed_at - former_at) / 3600)::integer
    from bench_order where number > 2`;
  // In the sequence of time, as orders write them.
  for (const [dimension, table, value] of [
    ['all', 'bench_order', `''`],
    ['channel', 'bench_order', 'channel'],
    ['country', 'bench_order', 'country'],
    ['product', 'bench_line', 'product'],
    ['category', 'bench_line', `md5(left(product, 1))::uuid::text`],
  ] as const)
    for (const [span, start] of SPAN_STARTS)
      await sql`
        insert into report.sale (store, environment, dimension, span, currency, starts_at, value, orders, units, gross,
          discounts, refunds, tax, shipping, total, repeats, seconds)
        select ${store_id}, 'production', ${dimension}, ${span}, 'USD', ${sql.unsafe(start)}, ${sql.unsafe(value)},
          count(*), 2 * count(*), 2499 * count(*), 100 * count(*), 0, 300 * count(*), 499 * count(*), 3198 * count(*),
          count(*) filter (where number > 1), count(*) filter (where number = 2)
        from ${sql(table)} group by 6, 7 order by 6, 7`;
  for (const [span, start] of SPAN_STARTS)
    await sql`
      insert into report.step (store, environment, step, span, starts_at, count)
      select ${store_id}, 'production', step, ${span}, ${sql.unsafe(start)}, count(*)
      from bench_order cross join unnest(array['session', 'view', 'cart', 'checkout', 'order', 'paid']) as step
      group by 3, 5`;
  await sql`vacuum analyze report.sale`;
  await sql`vacuum analyze report.step`;
  await sql`vacuum analyze report.return`;
};

/** Writes orders that no report has counted, and returns how many of them a host counts in a second. */
const countEarlier = async (sql: Sql, { store_id }: BenchStore): Promise<number> => {
  await sql`
    insert into orders.order (store, environment, id, number, attempt, origin, email, order_status, payment_status,
      currency, subtotal, discount_total, shipping_total, shipping_tax, tax_total, total_amount, gift_card_total,
      store_credit_total, applied_promotions, metadata, return_window_days, created_at, updated_at)
    select ${store_id}, 'sandbox', gen_random_uuid(), n, gen_random_uuid(), '{"kind":"items"}',
      'buyer' || n % 1000 || '@example.com', 'pending', 'pending', 'USD', 2000, 0, 499, 0, 0, 2499, 0, 0, '[]', '{}', 30,
      now() - n * interval '1 minute', now()
    from generate_series(1, ${EARLIER_ORDERS}) as n`;
  await sql`
    insert into orders.line (store, environment, order_id, id, position, product_id, variant_id, name, quantity,
      unit_price, subtotal, discount, tax_amount, total)
    select ${store_id}, 'sandbox', id, gen_random_uuid(), position, md5(((number + position) % ${PRODUCTS})::text)::uuid,
      gen_random_uuid(), 'Mug', 1, 1000, 1000, 0, 0, 1000
    from orders.order cross join generate_series(1, ${LINES}) as position
    where store = ${store_id} and environment = 'sandbox'`;
  const started = performance.now();
  await sql`delete from report.backfill`;
  await stack.restartServices();
  for (;;) {
    const [row] = await sql<{ finished: boolean }[]>`select finished_at is not null as finished from report.backfill`;
    if (row?.finished) return EARLIER_ORDERS / ((performance.now() - started) / 1_000);
    await Bun.sleep(COUNT_PAUSE_MS);
  }
};

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const stack = await startStack();
const postgres = connectPostgres({
  url: stack.databaseUrl,
  connectionsMax: 2,
  statementTimeoutMs: 300_000,
  name: 'bench',
  log: createLog({ name: 'bench', level: 'silent' }),
  clock: systemClock(),
  seal: openSeal(Buffer.alloc(32, 3).toString('base64')),
});
try {
  const store = await stack.createStore();
  // A new connection has less time for its first answer.
  await postgres.sql`select 1`;
  const edge = await stack.startEdge(0);
  const headers = { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' };
  const zone = { method: 'PATCH', headers, body: JSON.stringify({ timezone: 'Asia/Kathmandu' }) };
  if (!(await fetch(`${edge.url}/v1/store`, zone)).ok) throw new Error('The store took no time zone.');
  await insertSums(postgres.sql, store);
  for (const path of [
    `sales?from=${dayBefore(DAYS - 1)}&interval=day`,
    `sales?from=${dayBefore(DAYS - 1)}&interval=month`,
    `sales?from=${dayBefore(29)}&interval=hour`,
    `sales?from=${dayBefore(DAYS - 1)}&interval=month&by=channel`,
    `sales?from=${dayBefore(DAYS - 1)}&interval=month&by=country`,
    `sales?from=${dayBefore(DAYS - 1)}&interval=month&by=category`,
    `sales?from=${dayBefore(DAYS - 1)}&interval=month&by=product`,
    `sales?from=${dayBefore(DAYS - 1)}&interval=week&by=product`,
    `sales?from=${dayBefore(89)}&interval=day&by=product`,
    `funnel?from=${dayBefore(DAYS - 1)}&interval=day`,
  ]) {
    const times: number[] = [];
    for (let read = 0; read < READS; read++) {
      const started = performance.now();
      const response = await fetch(`${edge.url}/v1/reports/${path}`, { headers });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      times.push(performance.now() - started);
    }
    print({
      bench: 'sales_report',
      case: path.replace(/from=[^&]*&/, ''),
      orders: ORDERS,
      first_ms: round(times[0]!),
      median_ms: round(median(times)),
      slowest_ms: round(Math.max(...times.slice(1))),
    });
  }
  const [size] = await postgres.sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
    where relnamespace = 'report'::regnamespace and relkind = 'r'`;
  print({
    bench: 'sales_report',
    case: 'stored',
    bytes_per_order: round(size!.bytes / ORDERS),
    earlier_orders_counted_per_second: round(await countEarlier(postgres.sql, store)),
  });
} finally {
  await postgres.close();
  await stack.stop();
}
