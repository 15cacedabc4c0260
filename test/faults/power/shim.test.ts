// The disk that forgets, by one program that syncs and one that does not. Skipped where no compiler is.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetfulDisk } from './shim.ts';

let home: string;
let root: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stoa-power-'));
  root = join(home, 'data');
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true }));

const hasCompiler = ['cc', 'gcc', 'clang'].some((name) => Bun.which(name) !== null);

test.skipIf(!hasCompiler || Bun.which('dd') === null)('what is synced stays, what is not is as it was', () => {
  const disk = forgetfulDisk(home, root)!;
  const file = join(root, 'a');
  const put = (text: string, ...more: string[]): void => {
    const done = Bun.spawnSync(['dd', `of=${file}`, 'bs=1', ...more], {
      stdin: Buffer.from(text),
      env: { ...process.env, ...disk.env },
    });
    expect(done.exitCode).toBe(0);
  };
  put('synced', 'conv=fsync');
  expect(disk.forget()).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('synced');
  put('SY', 'conv=notrunc');
  put(' and more', 'conv=notrunc', 'seek=6');
  expect(readFileSync(file, 'utf8')).toBe('SYnced and more');
  expect(disk.forget()).toBeGreaterThan(0);
  expect(readFileSync(file, 'utf8')).toBe('synced');
  expect(disk.forget()).toBe(0);
});
