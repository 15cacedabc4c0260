// How long a stranger waits: `npm start` in a fresh clone until it serves, demo shop included, and the second time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#services/cli/local/port.ts';

const folder = await mkdtemp(join(tmpdir(), 'stoa-start-'));
const clone = join(folder, 'stoa');

async function secondsToReady(): Promise<number> {
  const startedAtMs = performance.now();
  const system = Bun.spawn(['npm', 'start', '--silent'], {
    cwd: clone,
    env: { ...process.env, PORT: String(await freePort()), STOA_HOME: '', DATABASE_URL: '', NATS_URL: '' },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let said = '';
  for await (const bytes of system.stdout) {
    said += new TextDecoder().decode(bytes);
    if (said.includes('ready http://')) break;
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  if (!said.includes('ready http://')) throw new Error('It never became ready.');
  system.kill('SIGTERM');
  await system.exited;
  return Number(seconds.toFixed(1));
}

try {
  const cloned = Bun.spawnSync(['git', 'clone', '--quiet', '.', clone]);
  if (cloned.exitCode !== 0) throw new Error(cloned.stderr.toString());
  const first = await secondsToReady();
  const second = await secondsToReady();
  process.stdout.write(`${JSON.stringify({ bench: 'start', first_seconds: first, second_seconds: second })}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
