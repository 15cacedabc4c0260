// The bench's command line: a wrong argument is refused before anything starts, and the last report stays.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let home = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'stoa-bench-command-'));
  mkdirSync(join(home, 'bench'));
  writeFileSync(join(home, 'bench', 'report.html'), 'the last one');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const run = async (file: string, words: readonly string[], environment: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, `bench/${file}.ts`, ...words], {
    // Every server of the command would use this folder.
    env: { ...process.env, TMPDIR: home, STOA_HOME: home, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [printed, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, printed, said };
};

test.each([
  [{ SCENARIOS: 'search,serch' }, 'There is no scenario serch; there are list,'],
  [{ SCENARIOS: 'toString' }, 'There is no scenario toString'],
  [{ TOPOLOGY: 'triple' }, 'TOPOLOGY is split or single, not triple.'],
  [{ ROUNDS: 'many' }, 'ROUNDS and STEP_MS are numbers'],
  [{ STEP_MS: '0' }, 'ROUNDS and STEP_MS are numbers'],
])('curves: %j', async (environment: Record<string, string>, words) => {
  const { code, printed, said } = await run('main', ['curve'], environment);
  expect([code, printed]).toEqual([1, '']);
  expect(said).toContain(words);
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(readFileSync(join(home, 'bench', 'report.html'), 'utf8')).toBe('the last one');
  expect(readdirSync(home)).toEqual(['bench']);
});

test.each([
  'serch',
  'search mixed',
  'search --p98 20',
  'search --p99 low',
  'search --seconds 0',
  'search --topology triple',
])('capacity: %s', async (words) => {
  const { code, printed, said } = await run('capacity', words.split(' '));
  expect([code, printed]).toEqual([1, '']);
  expect(said).toContain('npm run capacity -- SCENARIO');
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(readdirSync(home)).toEqual(['bench']);
});
