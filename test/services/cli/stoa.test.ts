// stoa.mjs with everything installed: passes arguments, output and exit codes through.
// (`.ci/fresh_clone` is the test of the other case.)
import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandLine } from '#services/cli/local/child.ts';
import { readRunning } from '#services/cli/running.ts';
import { ownPort } from '#test/support/port.ts';
import { eventually } from '#test/support/server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOOR = join(ROOT, 'services/cli/stoa.mjs');
/** Under Bun a program named `node` on the PATH may be Bun itself. */
const NODE =
  ['/usr/bin/node', '/usr/local/bin/node'].find((file) => lstatSync(file, { throwIfNoEntry: false })) ?? 'node';

const home = join(tmpdir(), 'stoa-no-home');
const run = (...args: string[]) =>
  spawnSync(NODE, [DOOR, ...args], { encoding: 'utf8', env: { ...process.env, STOA_HOME: home } });

test('arguments, output and exit code go through', () => {
  expect(run('--version')).toMatchObject({ status: 0, stdout: '1.0.0\n' });
  const help = run('store', 'create', '--help');
  expect(help).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('USAGE store create') });
  const failed = run('store', 'create', '--name', 'Two words', '--currency', 'USD');
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain(home);
});

test.each([
  ['store create --name Two words --currency USD', 'The argument "words" is unexpected'],
  ['operator create --name Souk --stores alpha, beta', 'The argument "beta" is unexpected'],
  ['keys revoke svc_pk_live_1 svc_pk_live_2', 'The argument "svc_pk_live_2" is unexpected'],
  ['store create --name Two --currency USD --colour red', 'The option --colour does not exist.'],
  ['store set-plan --store alpha', 'Missing required argument: --plan'],
])('`npx stoa %s` does nothing, and says in one line why', (typed, why) => {
  const { status, stdout, stderr } = run(...typed.split(' '));
  expect({ status, stdout, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, stdout: '', lines: 1 });
  expect(stderr).toContain(why);
});

/** A whole system starts in this time even beside everything else that tests do. */
const START_MS_MAX = 120_000;

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

test.each(Object.keys(scripts))('`npm run %s -- --help` says what it does, and does nothing', (name) => {
  const ended = spawnSync('npm', ['run', name, '--silent', '--', '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).toMatch(/usage/i);
});

test('npx finds the command of this checkout', () => {
  expect(realpathSync(join(ROOT, 'node_modules/.bin/stoa'))).toBe(realpathSync(DOOR));
});

test(
  'a system ends when the door that started it is killed',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'stoa-door-'));
    const env = {
      ...process.env,
      STOA_HOME: home,
      PORT: String(await ownPort()),
      STOA_DEMO: '0',
      DATABASE_URL: '',
      NATS_URL: '',
    };
    const door = spawn(NODE, [DOOR, 'start'], { env, stdio: 'ignore' });
    await eventually(() => expect(readRunning(home)).not.toBeNull(), START_MS_MAX);
    const { pid } = readRunning(home)!;
    expect(commandLine(pid)).toContain('start');
    door.kill('SIGKILL');
    await eventually(() => expect(commandLine(pid)).toBe(''), START_MS_MAX);
    expect(readRunning(home)).toBeNull();
    rmSync(home, { recursive: true });
  },
  3 * START_MS_MAX,
);
