// Timed work reads no row of a sleeping store. Reads are limited to promotions, posts and price lists whose time is near, by the
// real clock or by a sandbox's own.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { DueQuery } from '#runtime/domain/due.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { boundariesOf, nearBoundaries } from '#services/catalog/table/price_list.ts';
import { duePosts } from '#services/content/table/post.ts';
import { duePromotions } from '#services/pricing/table/promotion.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

const SLEEPING = 2_000;
const LIMIT = 200;
/** Rows that an index scan may read beside its result. */
const ROWS_MAX = 10;
const NOW = new Date('2026-03-01T12:00:00Z');
const at = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const LATER = at(200);
const due: Tenant = { store: randomUUID(), environment: 'production' };
/** A day ahead of the real time. */
const ahead: Tenant = { store: randomUUID(), environment: 'sandbox' };
const realDue: DueQuery = { tenant: null, until: NOW, max: LIMIT };
const aheadDue: DueQuery = { tenant: ahead, until: at(24), max: LIMIT };

let database: TestDatabase;
let postgres: Postgres;

/** One of each kind, of `count` stores of their own, or of one. */
const wait = async (until: Date, { store, environment }: Tenant, count = 1): Promise<void> => {
  const { sql } = postgres;
  const owner = count === 1 ? sql`${store}::uuid` : sql`gen_random_uuid()`;
  await sql`
    insert into pricing.promotion (store, environment, id, name, type, value, currency, product_ids, category_ids,
      collection_ids, stackable, public, status, starts_at, due_at, created_at, updated_at)
    select ${owner}, ${environment}, gen_random_uuid(), 'Spring', 'percentage', 1, 'USD', '{}', '{}', '{}', true, true,
      'scheduled', ${until}, ${until}, ${NOW}, ${NOW} from generate_series(1, ${count}::int)`;
  await sql`
    insert into content.post (store, environment, id, title, slug, body, tags, tag_keys, status, published_at,
      created_at, updated_at)
    select ${owner}, ${environment}, gen_random_uuid(), 'Spring', 'spring', '', '{}', '{}', 'scheduled', ${until},
      ${NOW}, ${NOW} from generate_series(1, ${count}::int)`;
  await sql`
    insert into catalog.price_list (store, environment, id, name, currency, starts_at, created_at, updated_at, revision)
    select ${owner}, ${environment}, gen_random_uuid(), 'Spring', 'USD', ${until}, ${NOW}, ${NOW}, 1
    from generate_series(1, ${count}::int)`;
};

beforeAll(async () => {
  database = await freshDatabase();
  // One connection: its statistics are flushed on request.
  postgres = openPostgres(database.url, { connectionsMax: 1 });
  await wait(LATER, due, SLEEPING);
  await wait(at(0), due);
  await wait(at(24), ahead);
  for (const table of ['pricing.promotion', 'content.post', 'catalog.price_list'])
    await postgres.sql.unsafe(`analyze ${table}`);
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

/** Rows of a table that were read by now, found by an index or not. */
const rowsRead = async (table: string): Promise<number> => {
  await postgres.sql`select pg_stat_force_next_flush()`;
  const [row] = await postgres.sql<{ rows: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relid = ${table}::regclass`;
  return row!.rows;
};

const owners = (found: readonly { readonly tenant: Tenant }[]): string[] => found.map(({ tenant }) => tenant.store);

test.each<[what: string, table: string, look: () => Promise<readonly { tenant: Tenant }[]>, found: readonly Tenant[]]>([
  ['promotions', 'pricing.promotion', () => duePromotions(postgres.sql, realDue), [due]],
  ['promotions of a sandbox ahead', 'pricing.promotion', () => duePromotions(postgres.sql, aheadDue), [ahead]],
  ['posts', 'content.post', () => duePosts(postgres.sql, realDue), [due]],
  ['posts of a sandbox ahead', 'content.post', () => duePosts(postgres.sql, aheadDue), [ahead]],
  ['price lists', 'catalog.price_list', () => nearBoundaries(postgres.sql, at(-1), at(1)), [due]],
  [
    'price lists of a sandbox ahead',
    'catalog.price_list',
    () => boundariesOf(postgres.sql, [{ tenant: ahead, since: at(23), until: at(25) }]),
    [ahead],
  ],
])('%s: only those whose time has come are read', async (_what, table, look, found) => {
  const before = await rowsRead(table);
  expect(owners(await look()).toSorted()).toEqual(found.map(({ store }) => store).toSorted());
  expect((await rowsRead(table)) - before).toBeLessThanOrEqual(ROWS_MAX);
});
