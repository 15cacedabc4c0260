// Migrates the database to the version of the code once, however many processes start together.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { startProxy } from '#test/support/proxy.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase, testLog } from '#test/support/server.ts';

let database: TestDatabase;
let postgres: Postgres;
let folder: string;

beforeEach(async () => {
  database = await freshDatabase({ empty: true });
  postgres = openPostgres(database.url);
  folder = await mkdtemp(join(tmpdir(), 'stoa-migration-'));
});
afterEach(async () => {
  await postgres.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);
const run = (directory: URL | null = pathToFileURL(`${folder}/`)): Promise<void> =>
  migrate({ url: database.url, log: testLog(), ...(directory ? { directory } : {}) });
const applied = async (): Promise<string[]> => {
  const rows = await postgres.sql<{ name: string }[]>`select name from runtime.migration order by number`;
  return rows.map(({ name }) => name);
};

test('applies migrations in the order of their numbers, each once', async () => {
  await write('0002_b.sql', 'insert into a values (2);');
  await write('0001_a.sql', 'create table a (n integer); insert into a values (1);');
  await write('README.md', 'not a migration');
  await run();
  await run();
  expect(await applied()).toEqual(['a', 'b']);
  await write('0010_c.sql', 'insert into a values (3)');
  await run();
  expect(await applied()).toEqual(['a', 'b', 'c']);
  expect(await postgres.sql`select n from a order by n`).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('rolls back a failed migration and keeps the earlier ones', async () => {
  await write('0001_a.sql', 'create table a (n integer);');
  await write('0002_b.sql', 'create table b (n integer); select 1 / 0;');
  await expect(run()).rejects.toThrow('division by zero');
  expect(await applied()).toEqual(['a']);
  await expect(postgres.sql`select 1 from b`).rejects.toThrow('does not exist');
  await write('0002_b.sql', 'create table b (n integer);');
  await run();
  expect(await applied()).toEqual(['a', 'b']);
});

test('one that was changed afterwards is named', async () => {
  await write('0030_a.sql', 'create table a (n integer);');
  await run();
  await write('0030_a.sql', 'create table a (n bigint);');
  await expect(run()).rejects.toThrow('migrations/0030_a.sql was changed');
});

test('refuses a database of a development version, and says what to do', async () => {
  await write('0001_a.sql', 'create table a (n integer);');
  await run();
  const problem = await run(null).catch(String);
  expect(problem).toContain('A development version of Stoa made this database');
  expect(problem).toContain('start this version on an empty database');
  expect(await applied()).toEqual(['a']);
});

test.each([
  ['of one number', ['0001_a.sql', '0001_b.sql'], 'same number'],
  ['of another name', ['1_a.sql'], 'NNNN_'],
  ['with capitals', ['0001_Add.sql'], 'NNNN_'],
])('two files or one %s are refused before anything is done', async (_, files, words) => {
  for (const file of files) await write(file, 'select 1');
  await expect(run()).rejects.toThrow(words);
  await expect(applied()).rejects.toThrow('does not exist');
});

test('an older release starts beside a newer one', async () => {
  await write('0001_a.sql', 'select 1');
  await write('0002_b.sql', 'select 1');
  await run();
  await rm(join(folder, '0002_b.sql'));
  await run();
  expect(await applied()).toEqual(['a', 'b']);
});

test('eight processes at once', async () => {
  for (let at = 1; at <= 5; at++)
    await write(`000${at}_t${at}.sql`, `create table t${at} (n integer); insert into t${at} values (1);`);
  await Promise.all(Array.from({ length: 8 }, () => run()));
  expect(await applied()).toEqual(['t1', 't2', 't3', 't4', 't5']);
  for (let at = 1; at <= 5; at++) expect(await postgres.sql.unsafe(`select n from t${at}`)).toEqual([{ n: 1 }]);
});

test('waits for a database that does not answer yet', async () => {
  await write('0001_a.sql', 'create table a (n integer);');
  const before = await startProxy(database.url);
  await before.close();
  const warned: unknown[] = [];
  const log = Object.assign(testLog(), { warn: (fields: unknown) => warned.push(fields) });
  const migrated = migrate({ url: before.url, log, directory: pathToFileURL(`${folder}/`) });
  await eventually(() => expect(warned).not.toEqual([]));
  const proxy = await startProxy(database.url, before.port);
  await migrated;
  expect(await applied()).toEqual(['a']);
  await proxy.close();
});

test('one whose address is wrong is not, be that seen at once or when it answers', async () => {
  const wrong = (url: string): string => Object.assign(new URL(url), { password: 'wrong' }).toString();
  await expect(migrate({ url: wrong(database.url), log: testLog() })).rejects.toThrow('password authentication failed');
  const before = await startProxy(database.url);
  await before.close();
  const warned: unknown[] = [];
  const log = Object.assign(testLog(), { warn: (fields: unknown) => warned.push(fields) });
  const migrated = expect(migrate({ url: wrong(before.url), log })).rejects.toThrow('password authentication failed');
  await eventually(() => expect(warned).not.toEqual([]));
  const proxy = await startProxy(database.url, before.port);
  await migrated;
  await proxy.close();
});

test("the repository's own apply to an empty database, and again to the result", async () => {
  await run(null);
  await run(null);
  expect((await applied())[0]).toBe('runtime');
});

test('builds an index outside of a transaction once, beside a writer, when two processes start', async () => {
  await write('0001_a.sql', 'create table a (n integer); insert into a select generate_series(1, 1000);');
  await run();
  await write(
    '0002_index.sql',
    '-- Outside of a transaction; beside who writes.\n' +
      'drop index concurrently if exists a_n;\ncreate index concurrently a_n on a (n);\n',
  );
  await write('0003_b.sql', 'create table b (n integer);');
  const starts = Array.from({ length: 4 }, () => run());
  for (let n = 0; n < 20; n++) await postgres.sql`insert into a values (${n})`;
  await Promise.all(starts);
  expect(await applied()).toEqual(['a', 'index', 'b']);
  const [index] = await postgres.sql`select indisvalid as valid from pg_index where indexrelid = 'a_n'::regclass`;
  expect(index).toEqual({ valid: true });
});
