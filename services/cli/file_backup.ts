// Copies uploaded files out of NATS into a backup's folder, and from there into an empty NATS.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Environment, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createLog } from '#runtime/process/log.ts';
import { type ListedStorage, natsStorage } from '#runtime/storage/nats_storage.ts';
import { PART_BYTES } from '#runtime/storage/storage.ts';
import { SetupError } from './local/child.ts';

export interface FileSource {
  readonly natsUrl: string;
  readonly namespace: string;
  readonly replicas: number;
}

export const FILES = 'files';
const CONNECT_MS = 10_000;
const LOOK_MS = 50;

const KEY = /^[0-9a-f-]{36}\/(production|sandbox)\/[0-9a-f-]{36}\/\w+$/;

const keyOf = (name: string): TenantKey => {
  const [store = '', environment = '', ...own] = name.split('/');
  return tenantKey({ store, environment: environment as Environment }, own.join('/'));
};

const withStorage = async <T>(
  { natsUrl, namespace, replicas }: FileSource,
  run: (storage: ListedStorage) => Promise<T>,
) => {
  const bus = connectBus({
    url: natsUrl,
    name: 'stoa-cli',
    log: createLog({ name: 'cli', level: 'silent' }),
    replicas,
  });
  try {
    for (const until = performance.now() + CONNECT_MS; !bus.connected; await Bun.sleep(LOOK_MS))
      if (performance.now() > until)
        throw new SetupError(
          'NATS does not answer, so uploaded files cannot be copied. Start it, or correct NATS_URL.',
        );
    return await run(natsStorage(bus, namespace));
  } finally {
    await bus.close();
  }
};

const wholeOf = async (storage: ListedStorage, name: string, length: number): Promise<Buffer | null> => {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < length; from += PART_BYTES) {
    const part = await storage.read(keyOf(name), from, PART_BYTES);
    if (part === null) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};

export const backUpFiles = (folder: string, source: FileSource): Promise<Record<string, string>> =>
  withStorage(source, async (storage) => {
    const hashes: Record<string, string> = {};
    for await (const { name, bytes: length } of storage.list()) {
      if (!KEY.test(name)) continue;
      const bytes = await wholeOf(storage, name, length);
      if (bytes === null) continue;
      const path = join(FILES, name);
      await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, path), bytes, { mode: 0o600, flush: true });
      hashes[path] = createHash('sha256').update(bytes).digest('hex');
    }
    return hashes;
  });

export const holdsFiles = (folder: string): boolean => existsSync(join(folder, FILES));

/** Stores the files of a backup. The media type stands in the database as well. */
export const restoreFiles = async (folder: string, source: FileSource): Promise<void> => {
  if (!holdsFiles(folder)) return;
  await withStorage(source, async (storage) => {
    for (const name of await readdir(join(folder, FILES), { recursive: true }))
      if (KEY.test(name))
        await storage.put(keyOf(name), await readFile(join(folder, FILES, name)), 'application/octet-stream');
  });
};
