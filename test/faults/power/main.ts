// Power cuts: writers place gift cards over HTTP, Postgres and all its processes are killed, what they had not synced vanishes
// from their files, and it starts again. What was acknowledged is there, once. The brokers are a program that no library can
// be laid under (Go makes its own system calls): their disk keeps what it was given.
//
// Usage: npm run power -- [--rounds N] [--seconds S] [--fleeting] (Postgres without fsync: what is lost then shows that the disk forgets)
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { startCluster } from '#test/faults/cluster.ts';
import { openPostgres } from '#test/support/server.ts';
import { sendTo } from '#test/support/stoa.ts';
import { forgetfulDisk } from './shim.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '2' },
    fleeting: { type: 'boolean', default: false },
  },
});
const WRITERS = 16;
const SETTLED_MS_MAX = 60_000;

/** A process with all that it has started, at once: none writes on after another's end. */
const killAll = (pid: number): void => {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It is gone.
    }
  }
  const below = (at: number): boolean => at === pid || (parents.has(at) && below(parents.get(at) as number));
  const all = [...parents.keys()].filter(below);
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const each of all) {
      try {
        process.kill(each, signal);
      } catch {
        // It is gone.
      }
    }
};

const home = mkdtempSync(join(tmpdir(), 'stoa-power-'));
chmodSync(home, 0o711);
const base = join(home, 'database');
mkdirSync(base);
const log = (): void => {};
const first = await startPostgres({ home: base, log });
await first.stop();
const { data } = JSON.parse(readFileSync(join(base, 'postgres.json'), 'utf8')) as { data: string };
const disk = forgetfulDisk(home, data);
if (!disk) {
  process.stderr.write('There is no compiler of C here: nothing is tried.\n');
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
}
const start = () => startPostgres({ home: base, log, durable: !values.fleeting, env: disk.env });
let server = await start();
const cluster = await startCluster({
  home: join(home, 'cluster'),
  databaseUrl: server.url,
  hosts: 1,
  edges: 1,
  nats: 1,
});
const keys = await cluster.createStore();
const url = cluster.edges[0]!.address;

let over = false;
const acknowledged = new Set<string>();
let unfinished = 0;
const write = async (): Promise<void> => {
  while (!over) {
    const key = crypto.randomUUID();
    for (const until = performance.now() + SETTLED_MS_MAX; ; ) {
      const options = { key: keys.secret_key, body: { amount: 1 }, headers: { 'Idempotency-Key': key } };
      const reply = await sendTo(url, 'POST', '/v1/gift-cards', options).catch(() => null);
      if (reply?.status === 201) {
        acknowledged.add(reply.body.gift_card.id);
        break;
      }
      if (performance.now() > until) {
        unfinished++;
        break;
      }
      await Bun.sleep(20);
    }
  }
};

const writers = Array.from({ length: WRITERS }, write);
for (let round = 1; round <= Number(values.rounds); round++) {
  await Bun.sleep(Number(values.seconds) * 1_000);
  killAll(server.child.pid);
  await server.child.exited;
  const forgotten = disk.forget();
  server = await start();
  process.stdout.write(`${JSON.stringify({ round, acknowledged: acknowledged.size, forgotten_writes: forgotten })}\n`);
}
over = true;
await Promise.all(writers);

const postgres = openPostgres(server.url);
const rows = await postgres.sql<{ id: string }[]>`select id from ledger.gift_card where store = ${keys.store_id}`;
const there = new Set(rows.map(({ id }) => id));
const lost = [...acknowledged].filter((id) => !there.has(id)).length;
// Of a key that was never answered there may be a card.
const doubled = Math.max(0, there.size - acknowledged.size - unfinished);
process.stdout.write(
  `${JSON.stringify({ rounds: Number(values.rounds), acknowledged: acknowledged.size, lost, doubled, unfinished })}\n`,
);
await postgres.close();
await cluster.stop();
await server.stop();
rmSync(home, { recursive: true, force: true });
process.exit(lost + doubled > 0 ? 1 : 0);
