// Runs pg_dump and pg_restore against one database, without its password on the command line.

import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Postgres } from '#runtime/postgres/database.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { SetupError } from './child.ts';
import { clientFolders, majorOfProgram } from './postgres_binary.ts';
import { variables } from './variable.ts';

export interface PostgresClient {
  readonly url: string;
  /** Folder of programs that are at least as new as the server. */
  readonly folder: string;
  readonly used: boolean;
}

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const withPostgres = async <T>(url: string, run: (postgres: Postgres) => Promise<T>): Promise<T> => {
  const postgres = connectPostgres({
    url,
    connectionsMax: 1,
    name: 'stoa-cli',
    log: createLog({ name: 'cli', level: 'silent' }),
    clock: systemClock(),
    // A dummy key, because nothing sealed is read here.
    seal: openSeal(Buffer.alloc(32).toString('base64')),
    connectTimeoutMs: () => 10_000,
  });
  try {
    return await run(postgres);
  } finally {
    await postgres.close();
  }
};

export const inspectDatabase = (url: string): Promise<{ major: number; used: boolean }> =>
  withPostgres(url, async (postgres) => {
    const [row] = await postgres.sql<{ version: number; used: boolean }[]>`
      select current_setting('server_version_num')::integer as version,
        to_regclass('runtime.migration') is not null as used`;
    return { major: Math.floor((row?.version ?? 0) / 10_000), used: row?.used ?? false };
  });

export const findClient = async (url: string): Promise<PostgresClient> => {
  const { major, used } = await inspectDatabase(url);
  const folder = clientFolders().find(
    (each) =>
      ['pg_dump', 'pg_restore'].every((name) => isProgram(join(each, name))) &&
      majorOfProgram(join(each, 'pg_dump')) >= major,
  );
  if (!folder)
    throw new SetupError(
      `pg_dump ${major} or newer is missing: install it (Debian: apt-get install postgresql-client-${major}).`,
    );
  return { url, folder, used };
};

export const runClient = async (
  { url, folder }: PostgresClient,
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  connected = true,
): Promise<void> => {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const child = spawn(join(folder, program), [...(connected ? [`--dbname=${address}`] : []), ...args], {
    env: { ...variables, LC_ALL: 'C', ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said = `${said}${bytes}`.slice(-4_096);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new SetupError(`${program} failed: ${said.trim().split('\n').at(-1) || `code ${code}`}`);
};
