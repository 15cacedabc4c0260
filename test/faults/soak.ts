// A long run of mixed load and faults, in which nothing may grow without end: memory and handles of every kind of process,
// Postgres' tables and what of them is dead, the brokers' logs, the table of events.
//
// Usage: npm run soak -- [--minutes M] [--every SECONDS] [--shoppers N] [--nats 1|3]
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { openPostgres } from '#test/support/server.ts';
import { startCluster } from './cluster.ts';
import { FAULTS } from './fault.ts';
import { type Bound, growthOf, type Sample } from './growth.ts';
import { runTrial } from './trial.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    every: { type: 'string', default: '15' },
    shoppers: { type: 'string', default: '24' },
    nats: { type: 'string', default: '1' },
  },
});
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PATIENCE_MS = 13_000;
const HOLDERS = 8;
const BUYERS = 4;
const nats = values.nats === '3' ? 3 : 1;

/** Two hosts, two edges, a broker or three, and a database; and what the load itself leaves, which has no end: orders. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  services_mb: { shareAnHour: 0.1 },
  edge_mb: { shareAnHour: 0.1 },
  nats_mb: { shareAnHour: 0.15 },
  services_handles: { shareAnHour: 0.1, max: 2_000 },
  edge_handles: { shareAnHour: 0.1, max: 2_000 },
  broker_log_mb: { max: 4_096 },
  /** Dead rows of the most written tables, as a share. */
  dead_share: { max: 0.8 },
  /** Rows of events: a month of them is retained, so that within hours they only grow. */
  event_rows: {},
  database_mb: {},
};

type Part = 'services' | 'edge' | 'nats';
const partOf = (command: string): Part | null => {
  if (command.includes('services/main.ts')) return 'services';
  if (command.includes('edge/main.ts')) return 'edge';
  return command.includes('nats-server') ? 'nats' : null;
};

interface Live {
  readonly pid: string;
  readonly parent: number;
}

const living = async (): Promise<Live[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return { pid, parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) };
    }),
  );
};

/** Memory and handles by kind of process, of those that this one has started. */
const processes = async (): Promise<Record<string, number>> => {
  const all = await living();
  const parents = new Map(all.map(({ pid, parent }) => [Number(pid), parent]));
  const ours = (pid: number): boolean => {
    for (let at = parents.get(pid); at; at = parents.get(at)) if (at === process.pid) return true;
    return false;
  };
  const found: Record<string, number> = {
    services_mb: 0,
    edge_mb: 0,
    nats_mb: 0,
    services_handles: 0,
    edge_handles: 0,
  };
  for (const { pid } of all) {
    if (!ours(Number(pid))) continue;
    const part = partOf(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    if (!part) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    found[`${part}_mb`] = (found[`${part}_mb`] ?? 0) + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
    if (part !== 'nats')
      found[`${part}_handles`] =
        (found[`${part}_handles`] ?? 0) + (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
  }
  return found;
};

const bytesOf = async (folder: string): Promise<number> => {
  let sum = 0;
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() && name.includes('jetstream')) sum += found.size;
  }
  return sum;
};

const home = await mkdtemp(join(tmpdir(), 'stoa-soak-'));
const server = await startPostgres({ home, log: () => {} });
const postgres = openPostgres(server.url);
const measured = new Map<string, Sample[]>();
const beganAt = performance.now();
const until = beganAt + Number(values.minutes) * MINUTE_MS;

const sample = async (): Promise<void> => {
  const [tables] = await postgres.sql<[{ dead: number; live: number; events: number; bytes: number }]>`
    select coalesce(sum(n_dead_tup), 0)::float as dead, coalesce(sum(n_live_tup), 0)::float as live,
      (select count(*) from runtime.event)::float as events, pg_database_size(current_database())::float as bytes
    from pg_stat_user_tables where n_live_tup + n_dead_tup > 10000`;
  const seen: Record<string, number> = {
    ...(await processes()),
    broker_log_mb: (await bytesOf(home)) / 2 ** 20,
    dead_share: tables.dead / Math.max(1, tables.dead + tables.live),
    event_rows: tables.events,
    database_mb: tables.bytes / 2 ** 20,
  };
  const hours = (performance.now() - beganAt) / HOUR_MS;
  for (const [name, value] of Object.entries(seen))
    measured.set(name, [...(measured.get(name) ?? []), { hours, value }]);
};

const cluster = await startCluster({ home: join(home, 'cluster'), databaseUrl: server.url, hosts: 2, edges: 2, nats });
const ticker = setInterval(() => {
  // The database may be what a fault befalls.
  sample().catch(() => {});
}, Number(values.every) * 1_000);
try {
  for (let round = 0; round === 0 || performance.now() < until; round++)
    await runTrial(cluster, {
      shoppers: Number(values.shoppers),
      holders: HOLDERS,
      buyers: BUYERS,
      first: round,
      patienceMs: PATIENCE_MS,
      faults: FAULTS.filter((fault) => fault.nats === 'any' || fault.nats === nats),
      // A write that was lost ends the run: `lost` are requests whose edge went away.
      hear: (report) => process.stdout.write(`${JSON.stringify({ round, ...report })}\n`),
    });
} finally {
  clearInterval(ticker);
  await cluster.stop();
  await postgres.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
}

let broken = 0;
for (const [name, samples] of measured) {
  const { first, last, max, slopeAnHour, within } = growthOf(samples, BOUNDS[name] ?? {});
  if (!within) broken++;
  const shown = Object.entries({ first, last, max, slope_an_hour: slopeAnHour }).map(
    ([label, value]) => [label, Number(value.toFixed(2))] as const,
  );
  process.stdout.write(
    `${JSON.stringify({ soak: name, samples: samples.length, ...Object.fromEntries(shown), within })}\n`,
  );
}
process.exit(broken > 0 ? 1 : 0);
