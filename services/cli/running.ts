// What a running system tells other commands of the same home: where it is, who runs it, and that it is the only one.
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { accessEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { homePath, readJson, writePrivate } from './local/home.ts';
import { variables } from './local/variable.ts';

/** STOA_HOME/run.json, readable by its owner alone: it holds the databases' passwords. */
export interface Running {
  readonly pid: number;
  readonly base_url: string;
  readonly database_url: string;
  readonly nats_url: string;
  readonly redis_url: string | null;
  /** Address of the services host. */
  readonly link: string;
  /** Ports of metrics and health. */
  readonly internal: { readonly services: number; readonly edge: number | null };
}

const file = (home: string): string => join(home, 'run.json');

export const readRunning = (home: string): Running | null => readJson<Running>(file(home));

/** The database of `DATABASE_URL`, or of the system that runs in this home. */
export const databaseNow = (home: string): string => {
  const url = variables.DATABASE_URL || readRunning(home)?.database_url;
  if (!url)
    throw new SetupError(`No Stoa is running in ${home}: start it, or set DATABASE_URL to the database that is meant.`);
  return url;
};

export const writeRunning = (home: string, running: Running): void =>
  writePrivate(file(home), `${JSON.stringify(running, null, 2)}\n`);

/** Held for as long as the process lives: the kernel lets go of it, however we end. */
let held: Database | undefined;

/** How long one that is on its way out, or on its way up, is waited for. */
const TAKE_LIMIT_MS = 15_000;

/** Takes the home for this process, or says who has it. */
export const takeHome = async (home: string, say: (text: string) => void): Promise<void> => {
  const until = performance.now() + TAKE_LIMIT_MS;
  for (let waited = false; !tryLock(home); waited = true) {
    const other = readRunning(home);
    if (other || performance.now() > until) {
      const who = other ? ` (process ${other.pid}, ${other.base_url})` : '';
      throw new SetupError(
        `Stoa is already running in ${home}${who}: stop it first, or set STOA_HOME to another folder.`,
      );
    }
    if (!waited) say('Another Stoa of this home is starting or stopping; waiting for it.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // What one that was killed left behind.
  forgetRunning(home);
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

/** From here on no request is sent to us any more. */
export const forgetRunning = (home: string): void => rmSync(file(home), { force: true });

export const leaveHome = (home: string): void => {
  forgetRunning(home);
  held?.close();
  held = undefined;
};

/** The system that STOA_LINK names (STOA_BASE_URL is then how its edge is reached), else the one of this home. */
export const runningSystem = (): { link: string; baseUrl: string } => {
  const { link, baseUrl } = accessEnvironment();
  if (link) return { link, baseUrl };
  const home = homePath();
  const running = readRunning(home);
  if (running) return { link: running.link, baseUrl: running.base_url };
  throw new SetupError(
    `No Stoa is running in ${home}: start it with \`npm start\`, or set STOA_HOME or STOA_LINK to the one that is meant.`,
  );
};
