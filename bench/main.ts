// Runs the benches named on the command line, or all, one after another. Prints their results, one line of JSON for each case.
// Stores these lines, and a page made of them, in the folder of local state.
//
// Usage: npm run bench -- [BENCH ...]
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine } from './machine.ts';
import { report } from './report.ts';

const folder = dirname(fileURLToPath(import.meta.url));
/** Modules of benches, and the one with its own command. */
const PARTS = new Set([
  'actor_process',
  'capacity',
  'catalogue',
  'constant',
  'core',
  'counter_kind',
  'database_use',
  'edge_process',
  'figure',
  'filled_store',
  'highest_rate',
  'load',
  'machine',
  'main',
  'open_load',
  'processor_use',
  'real_catalogue',
  'report',
  'response',
  'sleeping_store',
  'stack',
]);
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
  .filter((name) => !PARTS.has(name));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${known.join(', ')}.\n`);
  process.exit(1);
}

const lines: string[] = [JSON.stringify({ bench: 'machine', ...machine() })];
const decoder = new TextDecoder();
let failed = 0;
for (const name of asked.length > 0 ? asked : known) {
  const bench = Bun.spawn([process.execPath, `${folder}/${name}.ts`], { stdout: 'pipe', stderr: 'inherit' });
  let rest = '';
  for await (const chunk of bench.stdout) {
    process.stdout.write(chunk);
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    lines.push(...texts.filter((text) => text.startsWith('{') && !text.startsWith('{"bench":"machine"')));
  }
  if ((await bench.exited) !== 0) failed++;
}

// A run without measurements leaves the last report in place.
if (lines.length === 1) process.exit(failed > 0 ? 1 : 0);
const results = join(process.env.STOA_HOME || '.stoa', 'bench');
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'results.jsonl'), `${lines.join('\n')}\n`);
writeFileSync(join(results, 'report.html'), report(lines.map((line) => JSON.parse(line))));
process.stderr.write(`The report is in ${join(results, 'report.html')}.\n`);
process.exit(failed > 0 ? 1 : 0);
