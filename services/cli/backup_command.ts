// `stoa backup DIR` and `stoa restore DIR`: write a system into a folder, and restore it into an empty home.

import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { forgetLogs } from '#runtime/actor/layout_table.ts';
import { readSettings } from '#runtime/process/setting.ts';
import { dumpOf, makeBackup, openBackup, RESTORED_MARKER } from './backup.ts';
import { define, say } from './command.ts';
import { startEnvironment } from './environment.ts';
import { backUpFiles, type FileSource, holdsFiles, restoreFiles } from './file_backup.ts';
import { SetupError } from './local/child.ts';
import { homePath, openHome, readJson, writePrivate } from './local/home.ts';
import { startNats } from './local/nats.ts';
import { startPostgres } from './local/postgres.ts';
import { findClient, type PostgresClient, runClient, withPostgres } from './local/postgres_client.ts';
import { variables } from './local/variable.ts';
import { currentMasterKey } from './master_key.ts';
import { currentDatabaseUrl, lockHome, readRunning, unlockHome } from './running.ts';

const FOLDER = {
  type: 'positional',
  description: 'The backup’s folder',
  valueHint: 'DIR',
  required: true,
} as const;

const HOME_FILES = ['master.key', 'postgres.json', 'nats.json', 'demo.json'];

/** Returns where uploaded files are; null where NATS is not known, or S3 has them. */
const fileSource = (natsUrl: string | undefined): FileSource | null => {
  const { s3, natsReplicas } = readSettings(variables);
  if (s3 !== null || !natsUrl) return null;
  return { natsUrl, namespace: variables.STOA_NAMESPACE || 'stoa', replicas: natsReplicas };
};

export const backup = define({
  name: 'backup',
  description: 'Writes a backup of the running system, or of DATABASE_URL, into a folder without one',
  args: { folder: FOLDER },
  run: async ({ folder }) => {
    const home = homePath();
    const key = currentMasterKey(home);
    if (!key)
      throw new SetupError(`The master key is missing. Set STOA_MASTER_KEY, or STOA_HOME to the home that has it.`);
    const client = await findClient(currentDatabaseUrl(home));
    if (!client.used)
      throw new SetupError('The database has no tables of Stoa. Set DATABASE_URL to one that Stoa has used.');
    const target = resolve(folder);
    const source = fileSource(variables.NATS_URL || readRunning(home)?.nats_url);
    if (source === null) say('Uploaded files are not in this backup: NATS_URL is not set, or STOA_MEDIA names S3.');
    await makeBackup(target, client, key, async () => (source === null ? {} : backUpFiles(target, source)));
    process.stdout.write(`The backup is in ${target}. It holds all secrets: keep it where only you can read it.\n`);
  },
});

const restoreInto = async (client: PostgresClient, dump: string): Promise<void> => {
  if (client.used) throw new SetupError('The database is not empty. Set DATABASE_URL to an empty one.');
  await runClient(client, 'pg_restore', ['--no-owner', '--no-acl', '--single-transaction', '--exit-on-error', dump]);
  await withPostgres(client.url, forgetLogs);
};

const restoreUploads = async (home: string, source: string): Promise<void> => {
  if (!holdsFiles(source)) return;
  const given = variables.NATS_URL;
  const own = given ? null : await startNats({ home, log: say });
  try {
    const target = fileSource(given || own?.url);
    if (target !== null) await restoreFiles(source, target);
  } finally {
    await own?.stop();
  }
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
      await restoreUploads(home, source);
      writePrivate(join(home, RESTORED_MARKER), `${new Date().toISOString()}\n`);
      writePrivate(join(home, 'master.key'), `${key}\n`);
    } finally {
      unlockHome(home);
    }
    process.stdout.write(`${home} is restored. Start it with npm start.\n`);
  },
});
