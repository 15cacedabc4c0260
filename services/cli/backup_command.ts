// `stoa backup DIR` and `stoa restore DIR`: the whole of a system in one folder, and a home made from it.

import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { forgetLogs } from '#runtime/actor/layout_table.ts';
import { dumpOf, makeBackup, openBackup, RESTORED } from './backup.ts';
import { define, say } from './command.ts';
import { startEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { homePath, openHome, readJson, readText, writePrivate } from './local/home.ts';
import { startPostgres } from './local/postgres.ts';
import { findClient, type PostgresClient, runClient, withPostgres } from './local/postgres_client.ts';
import { variables } from './local/variable.ts';
import { databaseNow, leaveHome, takeHome } from './running.ts';

const FOLDER = {
  type: 'positional',
  description: 'The folder of the backup',
  valueHint: 'DIR',
  required: true,
} as const;

/** What a home holds once a system ran in it. */
const TRACES = ['master.key', 'postgres.json', 'nats.json', 'demo.json'];

export const backup = define({
  name: 'backup',
  description: 'Write a backup of the running system, or of DATABASE_URL, into a folder that holds none',
  args: { folder: FOLDER },
  run: async ({ folder }) => {
    const home = homePath();
    const key = variables.STOA_MASTER_KEY || readText(join(home, 'master.key'))?.trim();
    if (!key)
      throw new SetupError(`The master key is missing: set STOA_MASTER_KEY, or STOA_HOME to the home that has it.`);
    const client = await findClient(databaseNow(home));
    if (!client.used) throw new SetupError('Stoa has not been in this database: there is nothing to back up.');
    const target = resolve(folder);
    await makeBackup(target, client, key);
    process.stdout.write(`The backup is in ${target}. It holds all secrets: keep it where only you can read it.\n`);
  },
});

const fill = async (client: PostgresClient, dump: string): Promise<void> => {
  if (client.used) throw new SetupError('The database is not empty: set DATABASE_URL to an empty one.');
  await runClient(client, 'pg_restore', ['--no-owner', '--no-acl', '--single-transaction', '--exit-on-error', dump]);
  await withPostgres(client.url, forgetLogs);
};

/** Into a database of the home's own, made for it; a failure leaves none. */
const fillOwn = async (home: string, dump: string): Promise<void> => {
  const server = await startPostgres({ home, log: say });
  let filled = false;
  try {
    await fill(await findClient(server.url), dump);
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
  description: 'Make an empty home, or an empty DATABASE_URL, into what a backup holds',
  args: { folder: FOLDER },
  run: async ({ folder }) => {
    const source = resolve(folder);
    const { home, databaseUrl } = startEnvironment();
    const key = await openBackup(source);
    openHome(home);
    await takeHome(home, say);
    try {
      const trace = TRACES.find((name) => existsSync(join(home, name)));
      if (trace) throw new SetupError(`${home} is in use (${trace}): set STOA_HOME to an empty folder.`);
      if (databaseUrl) await fill(await findClient(databaseUrl), dumpOf(source));
      else await fillOwn(home, dumpOf(source));
      writePrivate(join(home, RESTORED), `${new Date().toISOString()}\n`);
      writePrivate(join(home, 'master.key'), `${key}\n`);
    } finally {
      leaveHome(home);
    }
    process.stdout.write(`${home} holds what the backup held: npm start.\n`);
  },
});
