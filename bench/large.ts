// Measures the first reads of a large store after its host was killed: PRODUCTS products, 300,000 by default, written to
// Postgres by SQL. Each read is alone, on a fresh process; a line says how long the host took until it had the catalogue in
// memory, and how long carts of another store waited meanwhile.
import type { Sql } from '#runtime/postgres/sql.ts';
import { openPostgres } from '#test/support/server.ts';
import { median, print, quantile, round } from './figure.ts';
import { type BenchStore, startStack } from './stack.ts';

const PRODUCTS = Number(process.env.PRODUCTS ?? 300_000);
const CHUNK = 5_000;
const CATEGORIES = 60;
const STATEMENT_MS = 60_000;
/** Longest wait for the catalogue in memory. */
const AWAKE_S = Number(process.env.AWAKE_S ?? 600);

/** Ids of a kind of record by number. */
const ID = (kind: number, number: string): string =>
  `('00000000-0000-4000-8${kind}00-' || lpad((${number})::text, 12, '0'))::uuid`;

const write = async (sql: Sql, { store_id }: BenchStore): Promise<void> => {
  const tenant = `'${store_id}'::uuid, 'production'`;
  await sql.unsafe(`
    insert into catalog.category (store, environment, id, name, slug, revision, created_at, updated_at)
    select ${tenant}, ${ID(1, 'n')}, 'Aisle ' || n, 'aisle-' || n, 1, now(), now() from generate_series(1, ${CATEGORIES}) n`);
  for (let from = 1; from <= PRODUCTS; from += CHUNK) {
    const numbers = `generate_series(${from}, ${Math.min(PRODUCTS, from + CHUNK - 1)}) n`;
    await sql.unsafe(`
      insert into catalog.product (store, environment, id, slug, name, description, category_id, brand, media, tags, attributes,
        specifications, featured, featured_order, is_active, has_variants, average_rating, review_count, revision, created_at,
        updated_at, published_at)
      select ${tenant}, ${ID(4, 'n')}, 'thing-' || n, md5(n::text) || ' thing ' || n, repeat(md5(n::text) || ' ', 12),
        ${ID(1, `n % ${CATEGORIES} + 1`)}, 'Brand ' || n % 150, '[]', ('["tag ' || n % 200 || '"]')::json,
        ('{"colour":"' || md5((n % 40)::text) || '","material":"' || md5((n % 70)::text) || '"}')::json, '[]', n % 500 = 0, n % 7,
        n % 100 <> 0, false, case when n % 3 = 0 then 1 + (n % 41) * 0.1 end, n % 17, 1,
        '2026-01-01'::timestamptz + n * interval '10 seconds', now(), now()
      from ${numbers}`);
    await sql.unsafe(`
      insert into catalog.variant (store, environment, id, product_id, position, is_default, sku, price, sale_price, condition,
        media, created_at, updated_at)
      select ${tenant}, ${ID(5, 'n')}, ${ID(4, 'n')}, 0, true, 'SKU-' || n, n * 37 % 50000 + 100,
        case when n % 5 = 0 then n * 37 % 50000 + 50 end, 'new', '[]', now(), now()
      from ${numbers}`);
    await sql.unsafe(`
      insert into catalog.inventory (store, environment, variant_id, product_id, on_hand, revision)
      select ${tenant}, ${ID(5, 'n')}, ${ID(4, 'n')}, n % 50, 1 from ${numbers}`);
  }
  await sql.unsafe(`
    insert into catalog.revision (store, environment, revision, changed_at) values (${tenant}, 1, now())`);
  for (const table of ['product', 'variant', 'inventory']) await sql.unsafe(`vacuum analyze catalog.${table}`);
};

const number = (at: number): string => String(at).padStart(12, '0');
const READS: readonly [name: string, path: string, body?: object][] = [
  ['product', `/v1/products/00000000-0000-4000-8400-${number(Math.ceil(PRODUCTS / 2) + 1)}`],
  ['by_slug', `/v1/products/by-slug/thing-${Math.ceil(PRODUCTS / 3) + 1}`],
  ['list', '/v1/products'],
  ...['featured', 'rating', 'price_asc', 'price_desc'].map((sort): [string, string] => [
    sort,
    `/v1/products?sort=${sort}`,
  ]),
  ...[
    `category_id=00000000-0000-4000-8100-${number(7)}`,
    'brand=brand%2077',
    'tag=TAG%20150',
    'in_stock=true&condition=new',
    'in_stock=false',
    'min_price=499&max_price=499.5',
    'featured=true',
    'search=thing%2012345',
    `category_id=00000000-0000-4000-8100-${number(7)}&sort=rating`,
  ].map((filter): [string, string] => [filter, `/v1/products?${filter}`]),
  [
    'pricing',
    '/v1/pricing/query',
    { items: [{ variant_id: `00000000-0000-4000-8500-${number(PRODUCTS - 1)}`, quantity: 2 }] },
  ],
];

const stack = await startStack();
try {
  const edge = await stack.startEdge(0);
  const [store, other] = [await stack.createStore(), await stack.createStore()];
  const postgres = openPostgres(stack.databaseUrl, { statementTimeoutMs: STATEMENT_MS, lockTimeoutMs: STATEMENT_MS });
  await write(postgres.sql, store);
  await postgres.close();

  const ask = async (path: string, body?: object) => {
    const from = performance.now();
    const response = await fetch(`${edge.url}${path}`, {
      headers: { Authorization: `Bearer ${store.publishable_key}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    await response.text();
    return { status: response.status, ms: round(performance.now() - from, 1) };
  };
  const restart = async (): Promise<void> => {
    await stack.restartServices();
    while ((await fetch(`${edge.url}/v1/health`)).status !== 200) await Bun.sleep(20);
  };
  for (const [name, path, body] of READS) {
    await restart();
    const first = await ask(path, body);
    print({ bench: 'large', products: PRODUCTS, read: name, ...first, again_ms: (await ask(path, body)).ms });
  }

  /** Carts of the other store, one after the other, until `isOver`; the milliseconds of each. */
  const carts = async (isOver: () => boolean | Promise<boolean>): Promise<number[]> => {
    const found: number[] = [];
    while (!(await isOver())) {
      const from = performance.now();
      const headers = { Authorization: `Bearer ${other.publishable_key}`, 'X-Session-Id': crypto.randomUUID() };
      await (await fetch(`${edge.url}/v1/cart`, { headers })).text();
      found.push(performance.now() - from);
    }
    return found;
  };
  await restart();
  const until = performance.now() + 5_000;
  const alone = await carts(() => performance.now() > until);
  const from = performance.now();
  await ask('/v1/products');
  let isAwake = false;
  void (async () => {
    // Categories count products, so they are read from memory alone.
    while (!isAwake && performance.now() < from + AWAKE_S * 1_000)
      isAwake = (await ask('/v1/categories')).status === 200;
  })();
  const beside = await carts(() => isAwake || performance.now() > from + AWAKE_S * 1_000);
  print({
    bench: 'large',
    products: PRODUCTS,
    awake: isAwake,
    awake_after_s: round((performance.now() - from) / 1_000, 1),
    other_cart_p50_ms: round(median(alone), 1),
    other_cart_p99_ms: round(quantile(alone, 0.99), 1),
    other_cart_loading_p50_ms: round(median(beside), 1),
    other_cart_loading_p99_ms: round(quantile(beside, 0.99), 1),
  });
} finally {
  await stack.stop();
}
