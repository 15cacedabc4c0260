// The command that writes proto/gen, and whether the committed files are what it would write.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('finds the committed files fresh', () => {
  const run = spawnSync(process.execPath, ['proto/generate/main.ts', '--check'], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
});
