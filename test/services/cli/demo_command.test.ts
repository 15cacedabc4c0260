// `npx stoa demo` prints the demo's values from the home that STOA_HOME names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'stoa-demo-home-'));
afterAll(() => rmSync(home, { recursive: true }));

const DEMO = {
  base_url: 'http://127.0.0.1:9000',
  secret_test_key: 'svc_sk_test_1',
  wholesale: { secret_test_key: 'svc_sk_test_2' },
};
writeFileSync(join(home, 'demo.json'), JSON.stringify(DEMO));

const run = (words: string[], STOA_HOME = home) =>
  spawnSync(process.execPath, ['services/cli/main.ts', 'demo', ...words], {
    encoding: 'utf8',
    env: { ...process.env, STOA_HOME },
  });

test.each([
  ['base_url', 'http://127.0.0.1:9000'],
  ['secret_test_key', 'svc_sk_test_1'],
  ['wholesale.secret_test_key', 'svc_sk_test_2'],
])('prints %s alone', (name, value) => {
  expect(run([name])).toMatchObject({ status: 0, stdout: `${value}\n`, stderr: '' });
});

test('prints every value under the name that it is asked for by', () => {
  const { stdout } = run([]);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/));
  expect(rows).toEqual([
    ['base_url', 'http://127.0.0.1:9000'],
    ['secret_test_key', 'svc_sk_test_1'],
    ['wholesale.secret_test_key', 'svc_sk_test_2'],
  ]);
});

test('prints the file to programs', () => {
  expect(JSON.parse(run(['--json']).stdout)).toEqual(DEMO);
  expect(JSON.parse(run(['base_url', '--json']).stdout)).toEqual({ base_url: DEMO.base_url });
});

test.each([
  ['a name that it does not have', ['wholesale'], home, 'It has: base_url, secret_test_key, wholesale.secret_test_key'],
  ['a home without a demo', ['base_url'], '/tmp/stoa-no-home', '/tmp/stoa-no-home has no demo'],
])('refuses %s with what to do', (_, words, folder, says) => {
  const { status, stdout, stderr } = run(words, folder);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(says);
});
