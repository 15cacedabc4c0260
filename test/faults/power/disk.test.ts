// The disk whose power is cut, by a file that is synced and one that is not. Skipped where none can be mounted.
import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writePrivate } from '#services/cli/local/home.ts';
import { openDisk } from './disk.ts';

const home = mkdtempSync(join(tmpdir(), 'stoa-disk-'));
const disk = openDisk(home, 'disk');
afterAll(async () => {
  if (typeof disk !== 'string') await disk.remove();
  rmSync(home, { recursive: true, force: true });
});

test.skipIf(typeof disk === 'string')('keeps synced writes and loses all others', async () => {
  if (typeof disk === 'string') return;
  const [synced, forgotten] = [join(disk.folder, 'kept'), join(disk.folder, 'forgotten')];
  const put = (file: string, text: string, synced: boolean): void => {
    const open = openSync(file, 'a');
    writeSync(open, text);
    if (synced) fsyncSync(open);
    closeSync(open);
  };
  put(synced, 'synced', true);
  put(synced, ' and more', false);
  put(forgotten, 'not synced', false);
  expect(readFileSync(synced, 'utf8')).toBe('synced and more');
  disk.cut();
  expect(() => put(synced, ' still', true)).toThrow(/EIO/);
  await disk.restore();
  expect(readFileSync(synced, 'utf8')).toBe('synced');
  expect(existsSync(forgotten)).toBe(false);
  put(synced, ' again', true);
  disk.cut();
  await disk.restore();
  expect(readFileSync(synced, 'utf8')).toBe('synced again');
});

test.skipIf(typeof disk === 'string')('keeps the home folder’s files through a power cut', async () => {
  if (typeof disk === 'string') return;
  const file = join(disk.folder, 'master.key');
  for (const text of ['one', 'another']) {
    writePrivate(file, text);
    disk.cut();
    await disk.restore();
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});
