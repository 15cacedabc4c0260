// A disk whose power can be cut: a file system in a file, which the kernel stops without writing its memory. The next mount
// reads the same bytes as a machine after a power cut.

import { dlopen, ptr } from 'bun:ffi';
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Disk {
  readonly folder: string;
  /** From here on nothing reaches it. */
  cut(): void;
  /** All that was written so far is on it. */
  sync(): void;
  /** Mounts it anew. All that had a file of it open are dead. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/** A sparse file: it takes only written bytes. */
const BYTES = 8 * 2 ** 30;
/** `EXT4_IOC_SHUTDOWN`, and its way that leaves the journal's last entries unwritten. */
const SHUTDOWN = 0x8004587dn;
const WITHOUT_JOURNAL = 2;
const UNUSED_MS_MAX = 60_000;

const run = (command: string, ...args: string[]): string | null => {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? null : `${command}: ${stderr?.trim() || error?.message}`;
};

/** A process that was killed may hold a file for a moment. */
const unmount = async (folder: string): Promise<void> => {
  for (const until = performance.now() + UNUSED_MS_MAX; ; await Bun.sleep(50)) {
    const problem = run('umount', folder);
    if (!problem) return;
    if (performance.now() > until) throw new Error(problem);
  }
};

/** A text where this machine or account cannot have one: says why. */
export const openDisk = (home: string, name: string): Disk | string => {
  if (process.platform !== 'linux') return 'Only Linux can cut the power of a file system.';
  const [image, folder] = [join(home, `${name}.img`), join(home, name)];
  writeFileSync(image, '');
  truncateSync(image, BYTES);
  mkdirSync(folder);
  const mount = (): string | null => run('mount', '-o', 'loop', image, folder);
  const problem = run('mkfs.ext4', '-q', image) ?? mount();
  if (problem) return problem;
  // Postgres' own account goes through it.
  chmodSync(folder, 0o711);
  const { ioctl } = dlopen('libc.so.6', { ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' } }).symbols;
  return {
    folder,
    cut() {
      const file = openSync(folder, 'r');
      const result = ioctl(file, SHUTDOWN, ptr(new Uint32Array([WITHOUT_JOURNAL])));
      closeSync(file);
      if (result !== 0) throw new Error(`${folder} could not be cut off.`);
    },
    sync() {
      const failed = run('sync', '--file-system', folder);
      if (failed) throw new Error(failed);
    },
    async restore() {
      await unmount(folder);
      const failed = mount();
      if (failed) throw new Error(failed);
    },
    remove: () => unmount(folder),
  };
};
