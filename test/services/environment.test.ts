// A services process' configuration: all that is missing is said at once, in one sentence.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EnvironmentError } from '#runtime/process/setting.ts';
import { servicesEnvironment } from '#services/environment.ts';

const WHOLE = {
  DATABASE_URL: 'postgres://x@127.0.0.1/x',
  NATS_URL: 'nats://127.0.0.1',
  STOA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  STOA_LINK: 'unix:/x',
};
const NAMES = Object.keys(WHOLE);

test('a whole environment is read', () => {
  expect(servicesEnvironment(WHOLE)).toMatchObject({ databaseUrl: WHOLE.DATABASE_URL, link: 'unix:/x' });
});

test.each([
  { given: {}, missing: NAMES },
  { given: { NATS_URL: 'nats://127.0.0.1', STOA_LINK: '' }, missing: ['DATABASE_URL', 'STOA_MASTER_KEY', 'STOA_LINK'] },
])('of $given all of $missing are named, and nothing else', ({ given, missing }) => {
  let said = '';
  try {
    servicesEnvironment(given);
  } catch (problem) {
    said = (problem as Error).message;
  }
  expect(NAMES.filter((name) => said.includes(name))).toEqual(missing);
});

test.each([
  { entry: 'services/main.ts', names: NAMES },
  { entry: 'edge/main.ts', names: ['STOA_LINK'] },
])('$entry without its variables says so in one sentence and ends with 1', ({ entry, names }) => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NAMES.includes(name)));
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const ended = spawnSync(process.execPath, [entry], { cwd: root, env, encoding: 'utf8', timeout: 60_000 });
  expect(ended.status).toBe(1);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  for (const name of names) expect(ended.stderr).toContain(name);
});

test.each([
  [undefined, 5],
  ['', 5],
  ['0', 0],
  ['2.5', 2.5],
])('STOA_DRAIN_SECONDS=%j is %d seconds', (STOA_DRAIN_SECONDS, seconds) => {
  expect(servicesEnvironment({ ...WHOLE, STOA_DRAIN_SECONDS }).drainSeconds).toBe(seconds);
});

test.each(['soon', '-1', '601'])('STOA_DRAIN_SECONDS=%j is refused in a sentence', (STOA_DRAIN_SECONDS) => {
  expect(() => servicesEnvironment({ ...WHOLE, STOA_DRAIN_SECONDS })).toThrow('STOA_DRAIN_SECONDS must be');
});

test('a STOA_MASTER_KEY that is none is refused in a sentence', () => {
  expect(() => servicesEnvironment({ ...WHOLE, STOA_MASTER_KEY: 'key' })).toThrow(EnvironmentError);
});

test('the file of STOA_MASTER_KEY_FILE takes the place of STOA_MASTER_KEY once it exists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-environment-'));
  const file = join(folder, 'master.key');
  const read = (variables: object): string => servicesEnvironment({ ...WHOLE, ...variables }).masterKey;
  try {
    expect(read({ STOA_MASTER_KEY_FILE: file })).toBe(WHOLE.STOA_MASTER_KEY);
    expect(() => read({ STOA_MASTER_KEY_FILE: file, STOA_MASTER_KEY: '' })).toThrow(
      'STOA_MASTER_KEY_FILE names a file',
    );
    const key = Buffer.alloc(32, 8).toString('base64');
    writeFileSync(file, `${key}\n`);
    expect(read({ STOA_MASTER_KEY_FILE: file })).toBe(key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
