// A Postgres of a home: made once, reused, closed to clients without its password, and started after any kind of end.
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalServer } from '#services/cli/local/child.ts';
import { commandLine, startChild } from '#services/cli/local/child.ts';
import { postgresAnswers, startPostgres } from '#services/cli/local/postgres.ts';
import { postgresAccount } from '#services/cli/local/postgres_binary.ts';
import { openPostgres } from '#test/support/server.ts';

let home: string;
let server: LocalServer;

const start = async (): Promise<void> => {
  server = await startPostgres({ home, log: () => {} });
};

const ask = async (url: string, statement: string): Promise<unknown> => {
  const postgres = openPostgres(url, { connectionsMax: 1 });
  try {
    return await postgres.sql.unsafe(statement);
  } finally {
    await postgres.close();
  }
};

const dataFile = (name: string): string => join(home, 'postgres', name);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'stoa-postgres-'));
  await start();
  await ask(server.url, 'create table stored (word text)');
  await ask(server.url, "insert into stored values ('here')");
});

afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true });
});

const expectRowStored = async (): Promise<void> =>
  expect(await ask(server.url, 'select word from stored')).toEqual([{ word: 'here' }]);

test('writes are on disk before they are acknowledged', async () => {
  const settings = await ask(
    server.url,
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'data_checksums')",
  );
  expect(new Set(settings as unknown[])).toEqual(
    new Set(['fsync', 'synchronous_commit', 'data_checksums'].map((name) => ({ name, setting: 'on' }))),
  );
});

test('answers with its own port and refuses clients without the password', async () => {
  expect(await server.answers()).toBe(true);
  const address = new URL(server.url);
  expect(address.hostname).toBe('127.0.0.1');
  address.password = 'guess';
  await expect(ask(address.toString(), 'select 1')).rejects.toThrow();
  expect(await postgresAnswers('127.0.0.1', 1)).toBe(false);
});

test('a stop and another start find the same data at the same address', async () => {
  const { url } = server;
  await server.stop();
  expect(await server.answers()).toBe(false);
  await start();
  expect(server.url).toBe(url);
  await expectRowStored();
});

test('restarts after a kill', async () => {
  process.kill(server.child.pid, 'SIGKILL');
  await server.child.exited;
  await start();
  await expectRowStored();
});

test('one that outlived its supervisor is ended before the next one starts', async () => {
  const stray = server.child.pid;
  await start();
  expect(commandLine(stray)).toBe('');
  await expectRowStored();
});

test("a process id that meanwhile is another program's keeps no server from starting", async () => {
  await server.stop();
  const other = spawn('sleep', ['600']);
  const account = postgresAccount();
  writeFileSync(dataFile('postmaster.pid'), `${other.pid}\n${join(home, 'postgres')}\n`);
  if (account) chownSync(dataFile('postmaster.pid'), account.uid, account.gid);
  await start();
  await expectRowStored();
  expect(commandLine(other.pid!)).toContain('sleep');
  other.kill();
});

test('where another program took its port it moves, and leaves that program alone', async () => {
  await server.stop();
  const { port } = new URL(server.url);
  const other = startChild({
    command: process.execPath,
    args: ['-e', `Bun.listen({ hostname: '127.0.0.1', port: ${port}, socket: { data() {} } }); console.log('up')`],
    logFile: join(home, 'log', 'other.log'),
    deathSignal: 'SIGKILL',
  });
  while (!readFileSync(join(home, 'log', 'other.log'), 'utf8').includes('up'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  await start();
  expect(new URL(server.url).port).not.toBe(port);
  expect(other.running()).toBe(true);
  await expectRowStored();
  await other.stop([]);
});

test('a home whose password is lost is not overwritten', async () => {
  const ledger = join(home, 'postgres.json');
  const text = readFileSync(ledger, 'utf8');
  rmSync(ledger);
  await expect(startPostgres({ home, log: () => {} })).rejects.toThrow('is lost');
  writeFileSync(ledger, text);
  await expectRowStored();
});
