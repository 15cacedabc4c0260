// The file and the lock by which commands find the system that runs in a home.
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { accessEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { homePath, readJson, writePrivate } from './local/home.ts';
import { variables } from './local/variable.ts';

/** Content of STOA_HOME/run.json. Only its owner can read the file, which contains the databases' passwords. */
export interface Running {
  readonly pid: number;
  readonly base_url: string;
  readonly database_url: string;
  readonly nats_url: string;
  readonly redis_url: string | null;
  readonly link: string;
  readonly internal: { readonly services: number; readonly edge: number | null };
}

const file = (home: string): string => join(home, 'run.json');

export const readRunning = (home: string): Running | null => readJson<Running>(file(home));

export const currentDatabaseUrl = (home: string): string => {
  const url = variables.DATABASE_URL || readRunning(home)?.database_url;
  if (!url) throw new SetupError(`No Stoa is running in ${home}. Start it, or set DATABASE_URL.`);
  return url;
};

export const writeRunning = (home: string, running: Running): void =>
  writePrivate(file(home), `${JSON.stringify(running, null, 2)}\n`);

/** The locked database file; the kernel releases the lock however the process ends. */
let held: Database | undefined;

const LOCK_WAIT_MS = 15_000;

export const lockHome = async (home: string, say: (text: string) => void): Promise<void> => {
  const until = performance.now() + LOCK_WAIT_MS;
  for (let waited = false; !tryLock(home); waited = true) {
    const other = readRunning(home);
    if (other || performance.now() > until) {
      const who = other ? ` (process ${other.pid}, ${other.base_url})` : '';
      throw new SetupError(
        `Stoa is already running in ${home}${who}. Stop it first, or set STOA_HOME to another folder.`,
      );
    }
    if (!waited) say('Another Stoa in this home is starting or stopping; waiting for it.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  deleteRunning(home);
};

const tryLock = (home: string): boolean => {
  const lock = new Database(join(home, 'run', 'lock'), { create: true });
  try {
    lock.exec('begin exclusive');
    held = lock;
    return true;
  } catch {
    lock.close();
    return false;
  }
};

export const deleteRunning = (home: string): void => rmSync(file(home), { force: true });

export const unlockHome = (home: string): void => {
  deleteRunning(home);
  held?.close();
  held = undefined;
};

/** Returns the system of STOA_LINK (and STOA_BASE_URL, its edge), else the one that runs in this home. */
export const runningSystem = (): { link: string; baseUrl: string } => {
  const { link, baseUrl } = accessEnvironment();
  if (link) return { link, baseUrl };
  const home = homePath();
  const running = readRunning(home);
  if (running) return { link: running.link, baseUrl: running.base_url };
  throw new SetupError(`No Stoa is running in ${home}. Start it with \`npm start\`, or set STOA_HOME or STOA_LINK.`);
};
