// Provides the real servers of a test run: one Postgres and one NATS, dropped at the end, and a migrated database for each test
// that requests one.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Postgres } from '#runtime/postgres/database.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog, type Log } from '#runtime/process/log.ts';
import { openSeal, type Seal } from '#runtime/process/seal.ts';
import { startNats } from '#services/cli/local/nats.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';

const TEMPLATE = 'stoa_template';
const HOME_PREFIX = 'stoa-test-';
const MEMORY_FOLDER = '/dev/shm';
/** The data of a whole run: the write-ahead log and the databases of the tests that run at one time. */
const MEMORY_BYTES_MIN = 3 * 1024 ** 3;
/** Longer than any run; a killed one leaves its folder. */
const LEFT_MS = 6 * 3_600_000;
const POSTGRES_VARIABLE = 'STOA_TEST_POSTGRES';
const NATS_VARIABLE = 'STOA_TEST_NATS';

/** A machine that runs tests may be busier than one that serves. */
export const CONNECT_MS = 15_000;

/** A passing test prints nothing; STOA_LOG_LEVEL=debug shows the code's log. */
export const testLog = (): Log => createLog({ name: 'test', level: process.env.STOA_LOG_LEVEL ?? 'silent' });

export const testSeal = (): Seal => openSeal(Buffer.alloc(32, 7).toString('base64'));

/** A client of `url`, to be closed by its opener. */
export const openPostgres = (url: string, options: Partial<Parameters<typeof connectPostgres>[0]> = {}): Postgres =>
  connectPostgres({
    url,
    connectionsMax: 10,
    name: 'stoa-test',
    log: testLog(),
    clock: systemClock(),
    seal: testSeal(),
    connectTimeoutMs: () => CONNECT_MS,
    ...options,
  });

const withDatabase = (url: string, name: string): string => {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
};

/**
 * Returns the file system in memory where it has room, else the usual one. A database has 400 files: to create and drop
 * one takes 600 ms of a processor on ext4, and 40 ms in memory. Deletes what killed runs left in memory.
 */
const roomyFolder = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  for (const name of await readdir(MEMORY_FOLDER).catch(() => [])) {
    if (!name.startsWith(HOME_PREFIX)) continue;
    const folder = join(MEMORY_FOLDER, name);
    const changed = await stat(folder).catch(() => null);
    if (changed && Date.now() - changed.mtimeMs > LEFT_MS) await rm(folder, { recursive: true, force: true });
  }
  return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir();
};

/** Starts both servers and prepares the template; returns how to stop them. Called once a run. */
export const startServers = async (): Promise<() => Promise<void>> => {
  const home = await mkdtemp(join(await roomyFolder(), HOME_PREFIX));
  const log = (text: string): void => testLog().info(text);
  const [postgres, nats] = await Promise.all([
    // Tests kill processes, never the machine: what these two have written is there without a sync.
    // Each worker starts whole clusters, whose hosts take 20 connections each: the usual hundred would be too few at times.
    startPostgres({ home, log, durable: false, settings: { max_connections: '400', max_wal_size: '512MB' } }),
    // Each test file's stream of events reserves its maximum; none gets near it.
    startNats({ home, log, durable: false, storeGb: 2_000 }),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all([postgres.stop(), nats.stop()]);
    await rm(home, { recursive: true, force: true });
  };
  try {
    await administer(postgres.url, `create database ${TEMPLATE}`);
    await migrate({ url: withDatabase(postgres.url, TEMPLATE), log: testLog() });
  } catch (problem) {
    await stop();
    throw problem;
  }
  process.env[POSTGRES_VARIABLE] = postgres.url;
  process.env[NATS_VARIABLE] = nats.url;
  return stop;
};

const administer = async (url: string, statement: string): Promise<void> => {
  const postgres = openPostgres(url, { connectionsMax: 1, statementTimeoutMs: 30_000 });
  try {
    await postgres.sql.unsafe(statement);
  } finally {
    await postgres.close();
  }
};

const variable = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: tests run under vitest.config.ts, which starts the servers.`);
  return value;
};

export interface ServerUrls {
  readonly postgres: string;
  readonly nats: string;
}

export const serverUrls = (): ServerUrls => ({ postgres: variable(POSTGRES_VARIABLE), nats: variable(NATS_VARIABLE) });

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A database of the caller's own: every migration applied, no rows; or, without the template, nothing in it at all. */
export const freshDatabase = async (options: { empty?: boolean } = {}): Promise<TestDatabase> => {
  const { postgres } = serverUrls();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(postgres, `create database ${name}${options.empty ? '' : ` template ${TEMPLATE}`}`);
  return {
    url: withDatabase(postgres, name),
    drop: () => administer(postgres, `drop database if exists ${name} with (force)`),
  };
};

/** A prefix for NATS subjects and streams that no other test has. */
export const freshNamespace = (): string => `test${randomUUID().slice(0, 8)}`;

/**
 * Asks until it holds; for what happens a moment later. Throws with the last problem when it never does: sooner than those
 * find out by themselves, after half a minute, if they were not told.
 */
export const eventually = async <T>(look: () => Promise<T> | T, limitMs = 20_000): Promise<T> => {
  const until = performance.now() + limitMs;
  for (;;) {
    try {
      return await look();
    } catch (problem) {
      if (performance.now() > until) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};
