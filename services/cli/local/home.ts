// The home (STOA_HOME): the folder with all data of a local system.

import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './child.ts';
import { variables } from './variable.ts';

export const rootPath = (): string => fileURLToPath(new URL('../../../', import.meta.url));

export const homePath = (): string => (variables.STOA_HOME ? resolve(variables.STOA_HOME) : join(rootPath(), '.stoa'));

/** Creates the home and its folders. Other users can traverse the home, as Postgres' account must, but not list it. */
export const openHome = (home: string): void => {
  try {
    mkdirSync(home, { recursive: true, mode: 0o711 });
    for (const folder of ['log', 'run']) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0 && statSync(home).uid === 0 && (statSync(home).mode & 0o001) === 0)
      chmodSync(home, (statSync(home).mode & 0o777) | 0o001);
  } catch (fault) {
    throw new SetupError(
      `Stoa cannot write to its home ${home}: ${(fault as Error).message}. Set STOA_HOME to a folder of yours.`,
    );
  }
};

export const sync = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Replaces a file atomically and durably, readable only by its owner. Skips a file that would stay the same, so that a
 * start needs no disk space.
 */
export const writePrivate = (file: string, text: string): void => {
  if (readText(file) === text) return;
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  sync(draft);
  renameSync(draft, file);
  sync(dirname(file));
};

export const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

/** Returns null if the file is missing or truncated. */
export const readJson = <T>(file: string): T | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
};
