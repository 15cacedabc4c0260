// Applies migrations/NNNN_<what>.sql in order, each in a transaction, and records their checksums. Downward migrations
// do not exist. The numbers below 0030 are the baseline, one file for each schema.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { EnvironmentError } from '#runtime/process/setting.ts';
import type { Postgres } from './database.ts';
import { connectPostgres } from './postgres.ts';
import { retryWhileUnavailable } from './startup_retry.ts';

export interface MigrationOptions {
  readonly url: string;
  readonly log: Log;
  readonly directory?: URL;
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;
const DIRECTORY = new URL('../../../migrations/', import.meta.url);
/** Long enough to rewrite a table, or to wait for another process that does, and for a database that starts just now. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const PAUSE_MS = 250;
const LOCK_SPACE = 1_937_010_529;
const LOCK_MIGRATION = 2;
/**
 * First line of a migration that runs outside of a transaction, as `create index concurrently` requires. Each of the
 * migration's statements must be repeatable, since the process may die between two of them.
 */
const OUTSIDE = /^-- Outside of a transaction\b/;
/** The baseline has the numbers below this one. A database with another baseline was made by a development version. */
const FIRST_AFTER_BASELINE = 30;

const read = async (directory: URL): Promise<Migration[]> => {
  const migrations: Migration[] = [];
  for (const file of (await readdir(directory)).sort()) {
    if (!file.endsWith('.sql')) continue;
    const [, number, name] = FILE.exec(file) ?? [];
    if (!number || !name) throw new Error(`migrations/${file}: a migration is named NNNN_<what>.sql`);
    const text = await readFile(new URL(file, directory), 'utf8');
    const twin = migrations.at(-1);
    if (twin?.number === Number(number)) throw new Error(`migrations/${file}: ${twin.name} has the same number`);
    migrations.push({ number: Number(number), name, text, checksum: sha256(text).toString('hex') });
  }
  return migrations;
};

/** Splits a migration into statements. Comments may contain semicolons; literals must not. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);

/**
 * Applies the first missing migration; false when none is missing. A concurrent process tries again later rather than
 * wait in a statement, because an index build would wait for that statement's snapshot.
 */
const applyNext = (postgres: Postgres, migrations: readonly Migration[], log: Log): Promise<boolean> =>
  postgres.transaction(async ({ sql }) => {
    const [lock] = await sql<[{ ours: boolean }]>`
      select pg_try_advisory_xact_lock(${LOCK_SPACE}, ${LOCK_MIGRATION}) as ours`;
    if (!lock.ours) {
      await sleep(PAUSE_MS);
      return true;
    }
    await sql`create schema if not exists runtime`;
    await sql`
      create table if not exists runtime.migration (
        number integer primary key, name text not null, checksum text not null,
        applied_at timestamptz not null default now()
      )`;
    const applied = await sql<{ number: number; name: string; checksum: string }[]>`
      select number, name, checksum from runtime.migration order by number`;
    const known = new Map(migrations.map((migration) => [migration.number, migration]));
    for (const { number, name, checksum } of applied) {
      const file = known.get(number);
      // A newer release applied this migration, and its tables serve this release as well.
      if (!file) continue;
      if (file.checksum === checksum) continue;
      if (number < FIRST_AFTER_BASELINE)
        throw new EnvironmentError(
          'A development version of Stoa made this database, and no migration leads from its tables to these. Export what is ' +
            'to stay with the version that made it (`npx stoa export`), start this version on an empty database or an empty ' +
            'STOA_HOME, and import it there (`npx stoa import json`).',
        );
      throw new Error(
        `migrations/${String(number).padStart(4, '0')}_${name}.sql was changed after it was applied: ` +
          'migrations go forward only, so write a new one.',
      );
    }
    const done = new Set(applied.map((row) => row.number));
    const next = migrations.find((migration) => !done.has(migration.number));
    if (!next) return false;
    if (OUTSIDE.test(next.text)) {
      // Runs a simple-protocol statement, which ends the previous portal and its snapshot; an index build would wait
      // for that snapshot.
      await sql.unsafe('select 1');
      for (const statement of statementsOf(next.text)) await postgres.sql.unsafe(statement);
    } else await sql.unsafe(next.text);
    await sql`
      insert into runtime.migration (number, name, checksum) values (${next.number}, ${next.name}, ${next.checksum})`;
    log.info({ number: next.number, name: next.name }, 'migrated');
    return true;
  });

const NO_SEAL: Seal = {
  isRotating: false,
  refresh: () => {},
  currentKeyId: null,
  reseal: () => {
    throw new Error('A migration cannot open what is sealed.');
  },
  close: () => {
    throw new Error('A migration cannot seal.');
  },
  open: () => {
    throw new Error('A migration cannot open what is sealed.');
  },
  openBytes: () => {
    throw new Error('A migration cannot open what is sealed.');
  },
};

export const migrate = async ({ url, log, directory = DIRECTORY }: MigrationOptions): Promise<void> => {
  const migrations = await read(directory);
  const postgres = connectPostgres({
    url,
    connectionsMax: 2,
    name: 'stoa-migration',
    log,
    clock: systemClock(),
    seal: NO_SEAL,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: () => CONNECT_TIMEOUT_MS,
  });
  try {
    while (await retryWhileUnavailable(() => applyNext(postgres, migrations, log), log));
  } finally {
    await postgres.close();
  }
};
