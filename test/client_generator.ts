// Checks that third-party generators make clients from the OpenAPI document and that these clients compile. The generators
// need another version of TypeScript, so the first run installs them in a folder of their own.
//
// Usage: npm run check -- clients
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openapiDocument } from '#proto/document.ts';

/** Exact versions, so that results are repeatable. */
const TOOLS = { 'openapi-typescript': '7.13.0', '@hey-api/openapi-ts': '0.99.0', typescript: '5.9.3' };

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/client-generators/', import.meta.url));
const MANIFEST = `${JSON.stringify({ private: true, type: 'module', dependencies: TOOLS }, null, 2)}\n`;

const run = (program: string, ...args: string[]): void => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: FOLDER, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${program} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}\n`);
  process.exit(1);
};
const tool = (script: string, ...args: string[]): void => run('node', join('node_modules', script), ...args);

const manifest = join(FOLDER, 'package.json');
const complete = join(FOLDER, 'complete');
if (!existsSync(complete) || readFileSync(manifest, 'utf8') !== MANIFEST) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(manifest, MANIFEST);
  run('npm', 'install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error');
  writeFileSync(complete, '');
}

writeFileSync(join(FOLDER, 'openapi.json'), JSON.stringify(openapiDocument('https://api.example.com')));
rmSync(join(FOLDER, 'sdk'), { recursive: true, force: true });
tool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'types.ts');
tool('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'sdk', '--silent');
const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
tool(
  'typescript/bin/tsc',
  ...strict,
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  'types.ts',
  'sdk/index.ts',
);
