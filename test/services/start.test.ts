// Starts a host whose database is in trouble: the host waits for passing trouble and reports the rest plainly.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres, Session } from '#runtime/postgres/database.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import type { LocalServer } from '#services/cli/local/child.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { startProxy } from '#test/support/proxy.ts';
import { eventually, freshNamespace, openPostgres, serverUrls, testLog } from '#test/support/server.ts';
import { MASTER_KEY, startStoa } from '#test/support/stoa.ts';

const CONNECTIONS_MAX = 30;

let home: string;
let server: LocalServer;
let postgres: Postgres;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-start-'));
  const settings = { max_connections: String(CONNECTIONS_MAX) };
  server = await startPostgres({ home, log: (text) => testLog().info(text), durable: false, settings });
  await migrate({ url: server.url, log: testLog() });
  postgres = openPostgres(server.url, { connectionsMax: CONNECTIONS_MAX + 1 });
});
afterAll(async () => {
  await postgres.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

/** Takes all available connections. */
const fill = async (): Promise<Session[]> => {
  const sessions: Session[] = [];
  for (;;) {
    const session = await postgres.session();
    try {
      await session.sql`select 1`;
      sessions.push(session);
    } catch {
      session.close();
      return sessions;
    }
  }
};

test.each([
  ['none', 0],
  // The migration's one connection; more are needed afterwards.
  ['one, which is not enough for all that begins', 1],
])('it waits for room where of connections there is left %s', async (_, left) => {
  const sessions = await fill();
  expect(sessions.length).toBeGreaterThan(20);
  for (const session of sessions.splice(0, left)) session.close();
  const starting = startStoa({ databaseUrl: server.url });
  starting.catch(() => {});
  await Bun.sleep(2_000);
  for (const session of sessions) session.close();
  const stoa = await starting;
  try {
    expect((await stoa.createStore()).store_id).toBeTruthy();
  } finally {
    await stoa.stop();
  }
});

test('logs one line for each cause of waiting', async () => {
  const before = await startProxy(server.url);
  await before.close();
  const sessions = await fill();
  const warned: string[] = [];
  const warn = (fields: { err?: Error }): void => {
    if (fields.err) warned.push(fields.err.message);
  };
  const log = Object.assign(testLog(), { warn });
  const migrated = migrate({ url: before.url, log });
  await eventually(() => expect(warned).toEqual([expect.stringContaining('ECONNREFUSED')]));
  const proxy = await startProxy(server.url, before.port);
  await eventually(() => expect(warned.slice(1)).toContainEqual(expect.stringContaining('too many clients')));
  for (const session of sessions) session.close();
  await migrated;
  await proxy.close();
  expect(new Set(warned).size).toBe(warned.length);
});

test('ends with one sentence that says why the database is unusable', () => {
  const env = {
    ...process.env,
    DATABASE_URL: Object.assign(new URL(server.url), { password: 'wrong' }).toString(),
    NATS_URL: serverUrls().nats,
    STOA_MASTER_KEY: MASTER_KEY,
    STOA_LINK: '127.0.0.1:0',
    STOA_NAMESPACE: freshNamespace(),
    STOA_LOG_LEVEL: 'error',
  };
  const ended = spawnSync(process.execPath, ['services/main.ts'], { env, encoding: 'utf8', timeout: 120_000 });
  expect([ended.status, ended.stderr.trim().split('\n')]).toEqual([
    1,
    [expect.stringContaining('password authentication failed')],
  ]);
});
