// The home: the one folder (STOA_HOME) in which a local system keeps everything it knows.

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

/** The checkout that this file is part of. */
export const rootPath = (): string => fileURLToPath(new URL('../../../', import.meta.url));

/** STOA_HOME, or `.stoa` in the checkout, from whichever of its folders a command is called. */
export const homePath = (): string => (variables.STOA_HOME ? resolve(variables.STOA_HOME) : join(rootPath(), '.stoa'));

/** Makes the home and the folders in it. Others may pass through (Postgres runs as another user), not look around. */
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

/** Has a file, or the names in a folder, outlast a power cut. */
export const sync = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/**
 * Replaces a file in one step, readable by its owner alone; once this returns a power cut cannot take it. A file that says so already
 * is left alone, so that what ended while the disk was full can be started again.
 */
export const writePrivate = (file: string, text: string): void => {
  if (readText(file) === text) return;
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  sync(draft);
  renameSync(draft, file);
  sync(dirname(file));
};

/** A small file of the home, or null when it is not there. */
export const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

/** A JSON file of the home, or null when it is not there or was cut short. */
export const readJson = <T>(file: string): T | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
};
