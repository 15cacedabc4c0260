// The home (STOA_HOME): the one folder with all data of a local system.

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

/** Creates the home and its folders. Other users may traverse it, as Postgres' account does, and not list it. */
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
 * Replaces a file atomically and durably, readable by its owner alone. An unchanged file is not written, so that a
 * start works on a full disk.
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

/** Null where the file is missing or truncated. */
export const readJson = <T>(file: string): T | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
};
