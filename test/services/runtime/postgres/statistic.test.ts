// Tables that have grown are looked at, so that plans find rows by their keys.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { refreshStatistics } from '#runtime/postgres/statistic.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url, { connectionsMax: 1 });
  await postgres.sql`create table shelf (store integer, id integer, at integer, primary key (store, id))`;
  await postgres.sql`create index shelf_newest on shelf (store, at, id)`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const grow = async (from: number, until: number): Promise<void> => {
  await postgres.sql`insert into shelf select 1, n, n from generate_series(${from}::int, ${until}::int) as n`;
  await postgres.sql`select pg_stat_force_next_flush()`;
};
const knownRows = async (): Promise<number | undefined> => {
  const [row] = await postgres.sql<{ rows: number }[]>`
    select reltuples as rows from pg_class where oid = 'public.shelf'::regclass`;
  return row?.rows;
};

test('a table is looked at once it has rows, and again whenever it has doubled', async () => {
  await grow(1, 10);
  expect(await refreshStatistics(postgres)).not.toContain('public.shelf');
  await grow(11, 100);
  await eventually(async () => {
    await refreshStatistics(postgres);
    expect(await knownRows()).toBe(100);
  });
  await grow(101, 150);
  expect(await refreshStatistics(postgres)).not.toContain('public.shelf');
  await grow(151, 5_000);
  await eventually(async () => {
    await refreshStatistics(postgres);
    expect(await knownRows()).toBe(5_000);
  });
});

test('a statement that was planned while its table was empty finds a row by its key from then on', async () => {
  const planOf = async (): Promise<string> => {
    const rows = await postgres.sql.unsafe<{ 'QUERY PLAN': string }[]>('explain execute find(1, 4000)');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  await postgres.sql`truncate shelf`;
  await postgres.sql.unsafe('set plan_cache_mode = force_generic_plan');
  await postgres.sql.unsafe('prepare find (integer, integer) as select at from shelf where store = $1 and id = $2');
  await planOf();
  await grow(1, 5_000);
  await eventually(async () => {
    await refreshStatistics(postgres);
    expect(await planOf()).toContain('shelf_pkey');
  });
});
