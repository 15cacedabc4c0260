// `stoa backup DIR` and `stoa restore DIR`: write a system into a folder, and restore it into an empty home.

import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { forgetLogs } from '#runtime/actor/layout_table.ts';
import { dumpOf, makeBackup, openBackup, RESTORED_MARKER } from './backup.ts';
import { define, say } from './command.ts';
import { startEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { homePath, openHome, readJson, readText, writePrivate } from './local/home.ts';
import { startPostgres } from './local/postgres.ts';
import { findClient, type PostgresClient, runClient, withPostgres } from './local/postgres_client.ts';
import { variables } from './local/variable.ts';
import { currentDatabaseUrl, lockHome, unlockHome } from './running.ts';

const FOLDER = {
  type: 'positional',
  description: 'The backup’s folder',
  valueHint: 'DIR',
  required: true,
} as const;

const HOME_FILES = ['master.key', 'postgres.json', 'nats.json', 'demo.json'];

export const backup = define({
  name: 'backup',
  description: 'Writes a backup of the running system, or of DATABASE_URL, into a folder without one',
  args: { folder: FOLDER },
  run: async ({ folder }) => {
    const home = homePath();
    const key = variables.STOA_MASTER_KEY || readText(join(home, 'master.key'))?.trim();
    if (!key)
      throw new SetupError(`The master key is missing. Set STOA_MASTER_KEY, or STOA_HOME to the home that has it.`);
    const client = await findClient(currentDatabaseUrl(home));
    if (!client.used)
      throw new SetupError('The database has no tables of Stoa. Set DATABASE_URL to one that Stoa has used.');
    const target = resolve(folder);
    await makeBackup(target, client, key);
    process.stdout.write(`The backup is in ${target}. It holds all secrets: keep it where only you can read it.\n`);
  },
});

const restoreInto = async (client: PostgresClient, dump: string): Promise<void> => {
  if (client.used) throw new SetupError('The database is not empty. Set DATABASE_URL to an empty one.');
  await runClient(client, 'pg_restore', ['--no-owner', '--no-acl', '--single-transaction', '--exit-on-error', dump]);
  await withPostgres(client.url, forgetLogs);
};

const restoreIntoOwn = async (home: string, dump: string): Promise<void> => {
  const server = await startPostgres({ home, log: say });
  let filled = false;
  try {
    await restoreInto(await findClient(server.url), dump);
    filled = true;
  } finally {
    await server.stop();
    if (!filled) {
      const data = readJson<{ data: string }>(join(home, 'postgres.json'))?.data;
      if (data) rmSync(data, { recursive: true, force: true });
      rmSync(join(home, 'postgres.json'), { force: true });
    }
  }
};

export const restore = define({
  name: 'restore',
  description: 'Restores a backup into an empty home, or into an empty DATABASE_URL',
  args: { folder: FOLDER },
  run: async ({ folder }) => {
    const source = resolve(folder);
    const { home, databaseUrl } = startEnvironment();
    const key = await openBackup(source);
    openHome(home);
    await lockHome(home, say);
    try {
      const trace = HOME_FILES.find((name) => existsSync(join(home, name)));
      if (trace) throw new SetupError(`${home} is in use: it has ${trace}. Set STOA_HOME to an empty folder.`);
      if (databaseUrl) await restoreInto(await findClient(databaseUrl), dumpOf(source));
      else await restoreIntoOwn(home, dumpOf(source));
      writePrivate(join(home, RESTORED_MARKER), `${new Date().toISOString()}\n`);
      writePrivate(join(home, 'master.key'), `${key}\n`);
    } finally {
      unlockHome(home);
    }
    process.stdout.write(`${home} is restored. Start it with npm start.\n`);
  },
});
