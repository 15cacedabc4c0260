// An export's file: whole under its name or not there, and nothing but a file is ever replaced.
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeLines } from '#services/cli/import/line_file.ts';
import { SetupError } from '#services/cli/local/child.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-line-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = (name: string): string => join(folder, name);
const one = (out: string) =>
  writeLines(out, async (write) => {
    write({ a: 1 });
  });
const ONE = '{"a":1}\n';
const drafts = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.new'));

test('a file is new, or replaced', async () => {
  await one(here('file'));
  expect(readFileSync(here('file'), 'utf8')).toBe(ONE);
  writeFileSync(here('file'), 'before');
  await one(here('file'));
  expect(readFileSync(here('file'), 'utf8')).toBe(ONE);
  expect(drafts()).toEqual([]);
});

test('keeps the file when the export fails', async () => {
  writeFileSync(here('kept'), 'before');
  const failing = writeLines(here('kept'), async (write) => {
    write({ a: 1 });
    throw new SetupError('The store does not answer.');
  });
  await expect(failing).rejects.toThrow('does not answer');
  expect(readFileSync(here('kept'), 'utf8')).toBe('before');
  expect(drafts()).toEqual([]);
});

test('a link leads where it led', async () => {
  writeFileSync(here('target'), 'before');
  symlinkSync(here('target'), here('link'));
  await one(here('link'));
  expect(lstatSync(here('link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(here('target'), 'utf8')).toBe(ONE);
});

test('a pipe is written to and stays a pipe', async () => {
  execFileSync('mkfifo', [here('pipe')]);
  const reader = Bun.spawn(['cat', here('pipe')], { stdout: 'pipe' });
  await one(here('pipe'));
  expect(await new Response(reader.stdout).text()).toBe(ONE);
  expect(lstatSync(here('pipe')).isFIFO()).toBe(true);
});

test.each([
  ['a folder', 'folder'],
  ['in a folder that is not there', 'nowhere/file'],
])('%s is refused in one sentence', async (_, name) => {
  mkdirSync(here('folder'), { recursive: true });
  await expect(one(here(name))).rejects.toThrow(SetupError);
});
