// Writes and reads a backup: a folder with the database's dump, the master key, uploaded files, and a manifest with the
// hash of each file.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from './file_backup.ts';
import { SetupError } from './local/child.ts';
import { readJson } from './local/home.ts';
import { type PostgresClient, runClient } from './local/postgres_client.ts';

/** Content of `backup.json`, which is written last, so that an incomplete backup has no such file. */
export interface Manifest {
  readonly made_at: string;
  /** SHA-256 of each file, in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
}

/** Name of the file that marks a home as restored; such a home never gets the demo store. */
export const RESTORED_MARKER = 'restored';

const DUMP = 'stoa.dump';
const KEY = 'master.key';
const MANIFEST = 'backup.json';

export const dumpOf = (folder: string): string => join(folder, DUMP);

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
};

const syncPrivately = async (file: string): Promise<void> => {
  await chmod(file, 0o600);
  const handle = await open(file, 'r');
  await handle.sync();
  await handle.close();
};

export const makeBackup = async (
  folder: string,
  client: PostgresClient,
  masterKey: string,
  copyFiles: () => Promise<Record<string, string>>,
): Promise<Manifest> => {
  const held = [MANIFEST, DUMP, KEY].find((name) => existsSync(join(folder, name)));
  if (held) throw new SetupError(`${folder} already holds a backup (${held}). Name another folder.`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = [DUMP, KEY].map((name) => join(folder, name));
  try {
    // Creates the files before pg_dump opens them, so that other users can never read them.
    for (const file of files) await writeFile(file, '', { mode: 0o600, flag: 'wx' });
    await runClient(client, 'pg_dump', ['--format=custom', '--no-owner', '--no-acl', `--file=${dumpOf(folder)}`]);
    await writeFile(join(folder, KEY), `${masterKey}\n`);
    await runClient(client, 'pg_restore', ['--file=/dev/null', dumpOf(folder)], false);
    for (const file of files) await syncPrivately(file);
    const hashes = Object.fromEntries([
      [DUMP, await hashOf(dumpOf(folder))],
      [KEY, await hashOf(join(folder, KEY))],
    ]);
    // After the dump, so that the files of its records are among them.
    Object.assign(hashes, await copyFiles());
    const manifest: Manifest = { made_at: new Date().toISOString(), files: hashes };
    const draft = join(folder, `${MANIFEST}.tmp`);
    await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await syncPrivately(draft);
    await rename(draft, join(folder, MANIFEST));
    return manifest;
  } catch (fault) {
    for (const file of [...files, join(folder, FILES)]) await rm(file, { force: true, recursive: true });
    throw fault;
  }
};

export const openBackup = async (folder: string): Promise<string> => {
  const manifest = readJson<Partial<Manifest>>(join(folder, MANIFEST));
  if (!manifest?.files) throw new SetupError(`${folder} holds no backup: ${MANIFEST} is missing or damaged.`);
  for (const name of new Set([DUMP, KEY, ...Object.keys(manifest.files)])) {
    const file = join(folder, name);
    if (!existsSync(file)) throw new SetupError(`The backup in ${folder} lacks ${name}.`);
    if ((await hashOf(file)) !== manifest.files[name])
      throw new SetupError(
        `The backup in ${folder} is damaged: the hash of ${name} differs from the manifest. Use another backup.`,
      );
  }
  return (await readFile(join(folder, KEY), 'utf8')).trim();
};
