// Finds nats-server: on the PATH, as unpacked by an earlier start, or by downloading it from a newer Debian suite.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { unpackPackage } from './apt.ts';
import { SetupError } from './child.ts';
import { variables } from './variable.ts';

/** The first release that acknowledges after fsync and survives a kill without losing streams. */
export const NATS_MIN = '2.10.27';
const SUITE = 'trixie';

export const parseVersion = (text: string): string | null =>
  /v?(\d+\.\d+\.\d+)(?![\w.]|-(?:RC|beta|preview|dev))/i.exec(text)?.[1] ?? null;

export const isAtLeast = (version: string, least: string): boolean => {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number));
  for (let part = 0; part < 3; part += 1) {
    const difference = (a?.[part] ?? 0) - (b?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
};

export const findNats = async (home: string, log: (text: string) => void): Promise<string> => {
  const folders = [cacheFolder(), join(home, 'tools')].filter((folder) => folder !== null);
  const unpacked = folders.flatMap((folder) => unpackedIn(folder));
  const found = ['nats-server', ...unpacked].find(isGoodEnough);
  if (found) return found;
  const folder = folders.find(isWritable);
  if (!folder) throw new SetupError(`Stoa cannot write to its home ${home}.`);
  log(`Fetching nats-server from Debian's ${SUITE} for our own use (nothing is installed).`);
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    await unpackPackage('nats-server', SUITE, draft);
    const program = ['usr/sbin', 'usr/bin']
      .map((place) => join(draft, place, 'nats-server'))
      .find((file) => existsSync(file));
    const version = program === undefined ? null : versionOf(program);
    if (program === undefined || version === null || !isAtLeast(version, NATS_MIN))
      throw new SetupError(`${SUITE} has nats-server ${version ?? 'that does not run here'}`);
    const target = join(folder, `nats-server-${version}`);
    // A concurrent start may unpack the same file; the rename replaces it atomically.
    renameSync(program, target);
    return target;
  } catch (fault) {
    if (!(fault instanceof SetupError)) throw fault;
    throw new SetupError(
      `nats-server ${NATS_MIN} or newer is missing: put it on the PATH (the distribution's package or the release's binary) ` +
        `or set NATS_URL. Fetching it did not work: ${fault.message}.`,
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

const cacheFolder = (): string | null => {
  const base = variables.XDG_CACHE_HOME || (homedir() && homedir() !== '/' ? join(homedir(), '.cache') : '');
  return base.startsWith('/') ? join(base, 'stoa') : null;
};

const isWritable = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const unpackedIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('nats-server-'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
};

const versionOf = (program: string): string | null => {
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 5000 });
  return answer.status === 0 ? parseVersion(`${answer.stdout}${answer.stderr}`) : null;
};

const isGoodEnough = (program: string): boolean => {
  const version = versionOf(program);
  return version !== null && isAtLeast(version, NATS_MIN);
};
