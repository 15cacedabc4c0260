// Counters that are over make room; months stay.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres.ts';
import { dropUsage } from '#services/store/table/usage.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

test('what began before the time given is dropped, except months', async () => {
  const { sql } = postgres;
  const store = '7b1e2f9c-1111-4222-8333-444455556666';
  await sql`
    insert into store.usage_window (store, scope, subject, window_start, count) values
      (${store}, 'key_hour', 'k', '2026-11-18T23:00Z', 1), (${store}, 'key_hour', 'k', '2026-11-19T00:00Z', 1),
      (${store}, 'key_day', 'k', '2026-11-18T00:00Z', 1), (${store}, 'network_hour', 'n', '2026-11-01T00:00Z', 1),
      (${store}, 'month', '', '2025-01-01T00:00Z', 1)`;
  await dropUsage(sql, new Date('2026-11-19T00:00Z'));
  const rows = await sql<{ scope: string }[]>`select scope from store.usage_window order by scope`;
  expect(rows.map((row) => row.scope)).toEqual(['key_hour', 'month']);
});
