// Runs the benches named on the command line, all where none is named, one after the other, and prints what they print:
// a line of JSON a case.
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
/** What benches are made of. */
const PARTS = new Set(['main', 'load', 'stack', 'catalogue', 'edge_process', 'counter_kind']);
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
let failed = 0;
for (const name of asked.length > 0 ? asked : known) {
  const bench = Bun.spawn([process.execPath, `${folder}/${name}.ts`], { stdout: 'inherit', stderr: 'inherit' });
  if ((await bench.exited) !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
