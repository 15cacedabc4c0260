// Installs a project of three small local packages with the real Bun, without a network.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';

const DOOR = fileURLToPath(new URL('../../../services/cli/', import.meta.url));
/** Under Bun a program named `node` on the PATH may be Bun itself. */
const NODE =
  ['/usr/bin/node', '/usr/local/bin/node'].find((file) => lstatSync(file, { throwIfNoEntry: false })) ?? 'node';
/** A few small installations, beside everything else that tests do. */
const TEST_MS_MAX = 120_000;

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly error: string;
}

const ended = async (child: ChildProcess): Promise<Ended> => {
  let [output, error] = ['', ''];
  child.stdout?.on('data', (text) => {
    output += text;
  });
  child.stderr?.on('data', (text) => {
    error += text;
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, output, error };
};

describe('the door', { timeout: TEST_MS_MAX }, () => {
  let folder: string;
  let house: string;
  const file = (path: string, text: string): void => {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  };
  const has = (name: string): boolean => existsSync(join(house, 'node_modules', name, 'index.js'));
  const begin = (...args: string[]): ChildProcess =>
    spawn(NODE, [join(house, 'services/cli/stoa.mjs'), ...args], {
      cwd: house,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
      },
    });
  const run = (...args: string[]): Promise<Ended> => ended(begin(...args));
  const manifest = (more: object = {}) => ({
    name: 'house',
    private: true,
    packageManager: `bun@${process.versions.bun}`,
    dependencies: { library: 'file:./package/library', ...more },
    devDependencies: { linter: 'file:./package/linter', vitest: 'file:./package/vitest' },
  });
  const write = (dependencies?: object): void => file('package.json', JSON.stringify(manifest(dependencies)));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stoa-install-'));
    house = join(folder, 'house');
    for (const name of ['stoa.mjs', 'installation.mjs'])
      file(`services/cli/${name}`, readFileSync(join(DOOR, name), 'utf8'));
    file('services/cli/main.ts', "import 'library';\nconsole.log('running', ...process.argv.slice(2));\n");
    for (const name of ['library', 'linter', 'vitest']) {
      file(`package/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', bin: { [name]: 'index.js' } }));
      file(`package/${name}/index.js`, `#!/usr/bin/env node\nif (process.argv[2] === 'run') console.log('tested');\n`);
    }
    file('bunfig.toml', readFileSync(join(DOOR, '../../bunfig.toml'), 'utf8'));
    write();
    const lock = spawn(process.execPath, ['install', '--lockfile-only'], { cwd: house, stdio: 'ignore' });
    expect((await ended(lock)).status).toBe(0);
  }, TEST_MS_MAX);
  beforeEach(() => {
    write();
    rmSync(join(house, 'node_modules'), { recursive: true, force: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('brings what running needs, and the tools once a test is asked for, which stay', async () => {
    expect(await run('start')).toMatchObject({ status: 0, output: 'running start\n' });
    expect([has('library'), has('linter')]).toEqual([true, false]);
    const library = lstatSync(join(house, 'node_modules/library/index.js')).ino;
    expect(await run('test')).toMatchObject({ status: 0, output: 'tested\n', error: 'stoa: Installing packages.\n' });
    expect([has('library'), has('linter')]).toEqual([true, true]);
    // A system that runs meanwhile reads its packages as they were.
    expect(lstatSync(join(house, 'node_modules/library/index.js')).ino).toBe(library);
    expect(await run('start')).toMatchObject({ status: 0, output: 'running start\n', error: '' });
    expect(has('linter')).toBe(true);
  });

  test('brings the tools at once where a program of the house is asked for, and keeps them when the locked versions change', async () => {
    file('program.ts', "import 'linter';\nconsole.log('linted');\n");
    expect(await run('bun', 'program.ts')).toMatchObject({ status: 0, output: 'linted\n' });
    file('bunfig.toml', `${readFileSync(join(house, 'bunfig.toml'), 'utf8')}\n`);
    expect(await run('start')).toMatchObject({ status: 0, error: 'stoa: Installing packages.\n' });
    expect(await run('bun', 'program.ts')).toMatchObject({ status: 0, output: 'linted\n', error: '' });
  });

  test('installs once for several commands at a time, with the development packages where one needs them', async () => {
    const all = await Promise.all([run('start'), run('shop', 'new', 'mine'), run('start')]);
    expect(all.map(({ status, output }) => [status, output])).toEqual([
      [0, 'running start\n'],
      [0, 'running shop new mine\n'],
      [0, 'running start\n'],
    ]);
    expect([has('library'), has('linter')]).toEqual([true, true]);
    expect(existsSync(join(house, 'node_modules/.stoa-installing'))).toBe(false);
  });

  test('finishes an installation that was killed', async () => {
    const killed = begin('test');
    const over = ended(killed);
    await eventually(() => expect(existsSync(join(house, 'node_modules/.stoa-installing/pid'))).toBe(true));
    process.kill(-killed.pid!, 'SIGKILL');
    await over;
    expect(await run('start')).toMatchObject({ status: 0, output: 'running start\n' });
    expect(await run('test')).toMatchObject({ status: 0, output: 'tested\n' });
  });

  test('installs the locked packages or none', async () => {
    cpSync(join(house, 'package/library'), join(house, 'package/other'), { recursive: true });
    write({ other: 'file:./package/other' });
    const refused = await run('start');
    expect([refused.status, refused.output]).toEqual([1, '']);
    expect(refused.error).toContain('bun could not install the packages');
    expect(refused.error).toContain('lockfile had changes, but lockfile is frozen');
  });
});
