// Follows the guides on adding an endpoint and a domain word by word on a copy of the checkout. The result must be generated
// and type-checked. With `npm run recipe` the result must also pass every check and its own tests.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGuide } from '#test/support/guide.ts';
import { copyCheckout, followRecipe } from '#test/support/recipe.ts';

const PATIENCE_MS = 400_000;
/** Every check and test of it takes a minute and a half of processor time. */
const WHOLE = process.env.STOA_RECIPE === 'whole';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-recipe-'));
  copyCheckout(process.cwd(), folder);
  for (const name of ['adding_an_endpoint', 'adding_a_domain', 'testing_a_domain'])
    followRecipe(readGuide(`edge/pages/guide/${name}.md`), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Output of a failed command; else empty. */
const complaints = (...args: string[]): Promise<string> =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        text += bytes;
      });
    child.on('close', (code) => done(code === 0 ? '' : text));
  });

test('the generators take their proto and their refusals', { timeout: PATIENCE_MS }, async () => {
  expect(await complaints('proto/generate/main.ts')).toBe('');
  expect(await complaints('test/error_message.ts')).toBe('');
});

test('type-checks the recipe’s files', { timeout: PATIENCE_MS }, async () => {
  expect(await complaints('test/check.ts', 'types', 'generated')).toBe('');
});

test.runIf(WHOLE)('passes every check with the recipe’s files', { timeout: PATIENCE_MS }, async () => {
  expect(await complaints('test/check.ts')).toBe('');
});

test.runIf(WHOLE)('their tests pass, and the tables of all tests know them', { timeout: PATIENCE_MS }, async () => {
  const files = [
    'test/contracts/size.test.ts',
    'test/services/banner',
    'test/proto/document.test.ts',
    'test/proto/client/method.test.ts',
    'test/proto/client/resource.test.ts',
    'test/proto/generate/event_table.test.ts',
    'test/proto/generate/example.test.ts',
    'test/contracts/access.test.ts',
    'test/services/sandbox/reset.test.ts',
  ];
  // Each worker reads the whole house for itself.
  expect(await complaints('--bun', 'node_modules/.bin/vitest', 'run', '--maxWorkers=2', ...files)).toBe('');
});
