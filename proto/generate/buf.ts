// Runs buf offline: compiles the proto files of a folder, has our plug-in write into another and puts their descriptors there.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLUGIN = fileURLToPath(new URL('./plugin.ts', import.meta.url));
const BUF = fileURLToPath(import.meta.resolve('@bufbuild/buf/package.json')).replace('package.json', 'bin/buf');

/** Paths of all files in a folder and its folders. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** Runs buf in a folder; answers its output on failure, else null. */
const buf = (folder: string, ...args: string[]): string | null => {
  const run = spawnSync(process.execPath, [BUF, ...args], { cwd: folder, encoding: 'utf8' });
  if (run.error) throw run.error;
  return run.status === 0 ? null : `${run.stdout}${run.stderr}`.trim();
};

/** Generates; answers the faults of the proto files, each with file and line, or null. */
export const generate = (source: string, target: string): string | null => {
  const template = {
    version: 'v2',
    plugins: [{ local: [process.execPath, PLUGIN], out: target, opt: ['target=ts'], strategy: 'all' }],
  };
  const mistake = buf(source, 'generate', '--template', JSON.stringify(template));
  // The plug-in's name before a mistake, and that buf failed because of it, tell a reader nothing.
  if (mistake !== null) {
    const lines = mistake.split('\n').filter((line) => !/^(Failure: )?plugin /.test(line));
    return lines.length === 0 ? mistake : lines.map((line) => line.replace(/^stoa: /, '')).join('\n');
  }
  return buf(
    source,
    'build',
    '--exclude-source-info',
    '--as-file-descriptor-set',
    '-o',
    join(target, 'descriptor.binpb.gz'),
  );
};
