// A child process ends with its parent, however that ends, and on its own stop; its log stays within bounds.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandLine, endStray, lastLines, rotate, startChild } from '#services/cli/local/child.ts';
import { eventually } from '#test/support/server.ts';

const PARENT = fileURLToPath(new URL('./parent.ts', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-child-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const startParent = async (): Promise<{ parent: number; child: number }> => {
  const process_ = spawn(process.execPath, [PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => process_.stdout.once('data', (bytes) => resolve(String(bytes))));
  return { parent: process_.pid!, child: Number(line) };
};

const shell = (script: string) =>
  startChild({ command: 'sh', args: ['-c', script], logFile: join(folder, 'log'), deathSignal: 'SIGTERM' });

describe('a child', () => {
  test('ends when its parent is killed without a word', async () => {
    const { parent, child } = await startParent();
    await eventually(() => expect(commandLine(child)).toContain('sleep'));
    process.kill(parent, 'SIGKILL');
    await eventually(() => expect(commandLine(child)).toBe(''));
  });

  test('tells how it ended', async () => {
    expect(await shell('exit 3').exited).toEqual({ code: 3, signal: null });
    expect(
      (
        await startChild({
          command: '/no/such/program',
          args: [],
          logFile: join(folder, 'log'),
          deathSignal: 'SIGTERM',
        }).exited
      ).code,
    ).toBeGreaterThan(0);
  });

  test('kills a child that ignores other signals', async () => {
    const child = shell("trap '' TERM INT; echo up; while :; do sleep 0.05; done");
    await eventually(() => expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('up'));
    await child.stop([
      { signal: 'SIGTERM', graceMs: 50 },
      { signal: 'SIGINT', graceMs: 50 },
    ]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(child.running()).toBe(false);
  });

  test('starts no child once its signal is aborted, and stops a running one', async () => {
    const ending = new AbortController();
    const options = {
      command: 'sleep',
      args: ['600'],
      logFile: join(folder, 'log'),
      deathSignal: 'SIGTERM',
      signal: ending.signal,
    } as const;
    const child = startChild(options);
    ending.abort();
    expect((await child.exited).signal).toBe('SIGTERM');
    expect(() => startChild(options)).toThrow();
  });

  test('keeps its log where only the owner reads it', async () => {
    await shell('echo out; echo err >&2').exited;
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('out\nerr\n');
    expect(statSync(join(folder, 'log')).mode & 0o777).toBe(0o600);
  });
});

test('a log that has grown too long is set aside while its child goes on writing', async () => {
  const file = join(folder, 'log');
  const child = shell(`echo first; while [ ! -e ${file}.go ]; do sleep 0.02; done; echo last`);
  await eventually(() => expect(readFileSync(file, 'utf8')).toBe('first\n'));
  rotate(file, 7);
  expect(readFileSync(file, 'utf8')).toBe('first\n');
  rotate(file, 6);
  writeFileSync(`${file}.go`, '');
  await child.exited;
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('first\n');
  expect(readFileSync(file, 'utf8')).toBe('last\n');
});

test('a log that cannot be set aside stays as it is', () => {
  const file = join(folder, 'log');
  writeFileSync(file, 'first\n');
  mkdirSync(`${file}.1`);
  rotate(file, 1);
  expect(readFileSync(file, 'utf8')).toBe('first\n');
});

test('the end of a log is its last lines, and of no log nothing', () => {
  writeFileSync(join(folder, 'log'), `${'x'.repeat(20_000)}\none\ntwo\nthree\n`);
  expect(lastLines(join(folder, 'log'), 2)).toBe('two\nthree');
  expect(lastLines(join(folder, 'none'), 2)).toBe('');
});

test('a process left over by a killed parent is ended, a zombie counts as gone', async () => {
  const stray = spawn('sleep', ['600']);
  await endStray(stray.pid!, 'SIGTERM', 1000);
  expect(commandLine(stray.pid!)).toBe('');
});

test.each([0, 1, -1, 1.5, Number.NaN, 2 ** 31 - 1])('no process has the id %d', (pid) => {
  expect(commandLine(pid)).toBe('');
});
