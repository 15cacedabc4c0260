// Changes the file of the master key while the hosts run: they read it again within a second.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GetSealingResponse } from '#proto/gen/store_admin.ts';
import { openSeal } from '#runtime/process/seal.ts';
import type { Admin } from './admin.ts';
import { SetupError } from './local/child.ts';
import { readText, writePrivate } from './local/home.ts';
import { variables } from './local/variable.ts';

const KEY_BYTES = 32;
const FOLLOW_MS = 20_000;
const LOOK_MS = 250;
/** Longest time from a change of the file to the commit of a value that a host sealed under the former first key. */
const SETTLE_MS = 15_000;

export interface Sealing {
  readonly secrets: number;
  readonly waiting: number;
}

/** Returns the key that the hosts use: the named file's, else the variable's, else the home's; null if there is none. */
export const currentMasterKey = (home: string): string | null => {
  const { STOA_MASTER_KEY: key, STOA_MASTER_KEY_FILE: file } = variables;
  if (file && existsSync(file)) return readFileSync(file, 'utf8').trim();
  return key || readText(join(home, 'master.key'))?.trim() || null;
};

const keysIn = (file: string): string[] => {
  const text = readText(file)?.trim() || variables.STOA_MASTER_KEY;
  if (!text)
    throw new SetupError(`The master key's file ${file} is missing. Set STOA_MASTER_KEY_FILE to the hosts' file.`);
  return text.split(',').map((key) => key.trim());
};

const firstIdOf = (keys: readonly string[]): number | null => openSeal(keys.join(',')).currentKeyId;

/** Creates a key whose id no known key has, so that the values under it can be counted. */
const newKeyBeside = (keys: readonly string[]): string => {
  for (;;) {
    const key = randomBytes(KEY_BYTES).toString('base64');
    if (firstIdOf([key, ...keys]) !== null) return key;
  }
};

export const readSealing = (found: GetSealingResponse): Sealing =>
  found.columns.reduce(
    (sum, { secrets, waiting }) => ({ secrets: sum.secrets + secrets, waiting: sum.waiting + waiting }),
    { secrets: 0, waiting: 0 },
  );

/** Writes keys and waits until the host has read them; restores the former file if it does not. */
const change = async (admin: Admin, file: string, after: readonly string[]) => {
  const before = readText(file);
  writePrivate(file, `${after.join(',')}\n`);
  const expected = firstIdOf(after);
  const until = performance.now() + FOLLOW_MS;
  for (;;) {
    const found = await admin.call('GetSealing', {});
    if (found.key_id === expected) return readSealing(found);
    if (performance.now() > until) break;
    await Bun.sleep(LOOK_MS);
  }
  if (before === null) rmSync(file);
  else writePrivate(file, before);
  throw new SetupError(
    `The host does not read ${file}, so that nothing is changed. Name its file in STOA_MASTER_KEY_FILE.`,
  );
};

/** Refuses while a secret waits: the old key is the only one that opens it. */
const refuseWaiting = async (admin: Admin, keys: readonly string[]): Promise<void> => {
  const found = await admin.call('GetSealing', {});
  const { secrets, waiting } = readSealing(found);
  if (waiting > 0 || found.key_id !== firstIdOf(keys))
    throw new SetupError(
      `${waiting} of ${secrets} secrets are still sealed under the old master key. Wait, and see --status.`,
    );
};

const finish = async (admin: Admin, file: string, keys: readonly string[]): Promise<Sealing> => {
  await refuseWaiting(admin, keys);
  // Without a file the keys came from the variable, at a time that is not known.
  const ageMs = existsSync(file) ? Date.now() - statSync(file).mtimeMs : 0;
  if (ageMs < SETTLE_MS) {
    await Bun.sleep(Math.min(SETTLE_MS - ageMs, SETTLE_MS));
    await refuseWaiting(admin, keys);
  }
  return change(admin, file, keys.slice(0, 1));
};

export const changeMasterKey = async (
  admin: Admin,
  file: string,
  step: 'start' | 'status' | 'undo' | 'finish',
): Promise<Sealing & { readonly keys: number }> => {
  const keys = keysIn(file);
  const [first, ...others] = keys as [string, ...string[]];
  if (step === 'status') return { keys: keys.length, ...readSealing(await admin.call('GetSealing', {})) };
  if (step === 'start') {
    if (others.length > 0)
      throw new SetupError('A rotation of the master key is under way. Finish it or undo it first.');
    return { keys: 2, ...(await change(admin, file, [newKeyBeside(keys), first])) };
  }
  if (others.length === 0) throw new SetupError('No rotation of the master key is under way.');
  if (step === 'undo') return { keys: keys.length, ...(await change(admin, file, [...others, first])) };
  return { keys: 1, ...(await finish(admin, file, keys)) };
};
