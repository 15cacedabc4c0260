// Cuts the power repeatedly while carts are filled, orders placed over HTTP and stock is held. Every process of ours, NATS
// and Postgres die at one moment, and their disks lose unsynced data. Each cut is followed by a start of all. Acknowledged
// writes exist, once.
//
// Usage: npm run power -- [--rounds N] [--seconds S] [--fleeting postgres|nats] [--keep]
//
// `--fleeting` has one of them acknowledge unsynced writes: the loss then shows that the disk forgets.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { BrokenPromise } from '#test/faults/broken_promise.ts';
import { type Cluster, startCluster } from '#test/faults/cluster.ts';
import type { Fault } from '#test/faults/fault.ts';
import { runTrial } from '#test/faults/trial.ts';
import { type Disk, openDisk } from './disk.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '2' },
    fleeting: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const CROWD = { shoppers: 8, holders: 4, buyers: 4 };
const PATIENCE_MS = 60_000;
/** Time until a stopped process stands still. */
const STILL_MS = 50;

const tell = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

/** All that this process has started, and what those have. */
const descendants = (): number[] => {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended.
    }
  }
  const ours = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || ours(parent));
  };
  return [...parents.keys()].filter(ours);
};

const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended.
    }
};

const home = mkdtempSync(join(tmpdir(), 'stoa-power-'));
chmodSync(home, 0o711);
const [base, journal] = [openDisk(home, 'database'), openDisk(home, 'broker')];
if (typeof base === 'string' || typeof journal === 'string') {
  process.stderr.write(`Nothing is tried: ${[base, journal].filter((each) => typeof each === 'string').join(' ')}\n`);
  for (const disk of [base, journal]) if (typeof disk !== 'string') await disk.remove();
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
}
const disks: readonly Disk[] = [base, journal];

const start = () => startPostgres({ home: base.folder, log: () => {}, durable: values.fleeting !== 'postgres' });
let postgres = await start();
let cluster: Cluster | null = null;
let broken = false;

const cut: Fault = {
  name: 'the power is cut',
  nats: 'any',
  async run({ hosts, edges, nats }) {
    const all = descendants();
    // No process runs longer than another, and none sees a failing disk.
    signal(all, 'SIGSTOP');
    await Bun.sleep(STILL_MS);
    for (const disk of disks) disk.cut();
    signal(all, 'SIGKILL');
    await Promise.all([postgres.child.exited, ...[...hosts, ...edges, ...nats.servers].map((each) => each.kill())]);
    for (const disk of disks) await disk.restore();
    postgres = await start();
    await Promise.all(nats.servers.map((server) => server.start()));
    await Promise.all([...hosts, ...edges].map((each) => each.start()));
    await Bun.sleep(Number(values.seconds) * 1_000);
  },
};

try {
  cluster = await startCluster({
    home: join(home, 'cluster'),
    databaseUrl: postgres.url,
    hosts: 1,
    edges: 1,
    nats: 1,
    natsHome: journal.folder,
    natsDurable: values.fleeting !== 'nats',
  });
  // The servers' configuration was acknowledged to no caller, and exists before the first cut.
  for (const disk of disks) disk.sync();
  let round = 0;
  const acknowledged = await runTrial(cluster, {
    ...CROWD,
    faults: Array.from({ length: Number(values.rounds) }, () => cut),
    first: 0,
    patienceMs: PATIENCE_MS,
    hear: ({ everybody_served_ms }) => tell({ round: ++round, everybody_served_ms }),
  });
  tell({ rounds: round, acknowledged, lost: 0, doubled: 0 });
} catch (problem) {
  if (!(problem instanceof BrokenPromise)) throw problem;
  broken = true;
  tell({ broken: problem.message });
} finally {
  await cluster?.stop();
  await postgres.stop();
  if (values.keep) process.stderr.write(`Logs and disks are in ${home}.\n`);
  else {
    for (const disk of disks) await disk.remove();
    rmSync(home, { recursive: true, force: true });
  }
}
process.exit(broken ? 1 : 0);
