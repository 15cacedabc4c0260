// The command that writes proto/gen, run in a copy of the proto folder.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'stoa-generate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync('proto', join(folder, 'proto'), { recursive: true });
cpSync('package.json', join(folder, 'package.json'));
symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));

const inGen = (name: string): string => join(folder, 'proto/gen', name);
const main = (...options: string[]) =>
  spawnSync(process.execPath, ['proto/generate/main.ts', ...options], { cwd: folder, encoding: 'utf8' });

describe('the generator', () => {
  it('names with --check what is changed, missing and left over, and touches nothing', () => {
    writeFileSync(inGen('meta.ts'), 'changed');
    writeFileSync(inGen('gone.ts'), 'left over');
    rmSync(inGen('descriptor.binpb.gz'));
    const run = main('--check');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('is stale (run `bun proto/generate/main.ts`): descriptor.binpb.gz, gone.ts, meta.ts');
    expect(readFileSync(inGen('meta.ts'), 'utf8')).toBe('changed');
  });

  it('mends exactly that', () => {
    expect(main().stdout).toContain('proto/gen: descriptor.binpb.gz, gone.ts, meta.ts');
    expect(existsSync(inGen('gone.ts'))).toBe(false);
    expect(main('--check')).toMatchObject({ status: 0, stderr: '' });
  });

  it('names file and line of what cannot be parsed, and leaves gen as it was', () => {
    writeFileSync(join(folder, 'proto/stoa/v1/torn.proto'), 'syntax = "proto3";\npackage stoa.v1;\nmessage Torn {');
    const run = main();
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('stoa/v1/torn.proto:3');
    expect(existsSync(inGen('routes.ts'))).toBe(true);
  });
});
