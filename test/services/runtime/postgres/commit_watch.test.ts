// Transactions that end, as a host finds out that did not run them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

let database: TestDatabase;
let watching: Postgres;
let writing: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  watching = openPostgres(database.url);
  writing = openPostgres(database.url);
});
afterAll(async () => {
  await watching?.close();
  await writing?.close();
  await database?.drop();
});

test('counts a commit of another host once it can be read, though its transaction began long before', async () => {
  const found: number[] = [];
  const rows = async (): Promise<number> => (await watching.sql`select from runtime.inbox`).length;
  const stop = watching.commits.listen(async () => found.push(await rows()));
  await writing.transaction(async ({ sql }) => {
    await sql`insert into runtime.inbox (consumer, event) values ('watch', 'a')`;
    const { count } = watching.commits;
    await eventually(() => expect(watching.commits.count).toBeGreaterThan(count));
    expect(await rows()).toBe(0);
  });
  await eventually(() => expect(found.at(-1)).toBe(1));
  stop();
});
