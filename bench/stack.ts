// The stack a bench measures: real Postgres and NATS in a folder of their own, services and edges as processes.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { descriptors } from '#proto/descriptor.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary, type UnaryClient } from '#runtime/grpc/unary.ts';
import { startNats } from '#services/cli/local/nats.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';

export interface BenchStore {
  readonly store_id: string;
  readonly code: string;
  readonly secret_key: string;
  readonly publishable_key: string;
  readonly hmac_secret: string;
  readonly secret_test_key: string;
  readonly hmac_test_secret: string;
}

export interface BenchProcess {
  readonly pid: number;
  readonly url: string;
}

export interface Stack {
  readonly services: BenchProcess;
  readonly natsUrl: string;
  readonly databaseUrl: string;
  /** A folder that goes with the stack. */
  readonly home: string;
  readonly client: UnaryClient;
  /** Starts an edge; a cache of 0 MB makes every read a miss. In one process: the one that there is. */
  startEdge(cacheMb: number): Promise<BenchProcess>;
  createStore(): Promise<BenchStore>;
  /** Kills the services process of a split stack and starts another in its place, which answers when this resolves. */
  restartServices(): Promise<BenchProcess>;
  stop(): Promise<void>;
}

const MASTER_KEY = Buffer.alloc(32, 3).toString('base64');
const CLOCK_TICKS_PER_S = 100;
/** PROFILE=folder: where services and edges leave a profile of their processor time, as a page to read. */
const PROFILED = process.env.PROFILE ? ['--cpu-prof-md', `--cpu-prof-dir=${process.env.PROFILE}`] : [];

/** Processor time that a process has used, in ms. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_S;
}

/** Memory that a process holds, in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** `single`: edge and services in one process. */
export type Topology = 'split' | 'single';

export const isTopology = (text: string): text is Topology => text === 'split' || text === 'single';

export interface StackOptions {
  readonly topology?: Topology;
  /** Settings of the database server. */
  readonly postgres?: Readonly<Record<string, string>>;
}

const firstLine = async (process: Bun.Subprocess<'ignore', 'pipe', 'inherit'>): Promise<string> => {
  const { value } = await process.stdout.getReader().read();
  return new TextDecoder().decode(value).trim();
};

export async function startStack({ topology = 'split', postgres: settings = {} }: StackOptions = {}): Promise<Stack> {
  const home = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
  const log = (): void => {};
  const [postgres, nats] = await Promise.all([startPostgres({ home, log, settings }), startNats({ home, log })]);
  const link = `unix:${home}/services.sock`;
  const environment = {
    ...process.env,
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    STOA_MASTER_KEY: MASTER_KEY,
    STOA_LINK: link,
    STOA_LOG_LEVEL: 'warn',
    STOA_DRAIN_SECONDS: '0',
    REDIS_URL: '',
  };
  const children: Bun.Subprocess[] = [];
  const spawn = (file: string, own: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, ...PROFILED, file], {
      env: { ...environment, ...own },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    children.push(child);
    return child;
  };
  const single = topology === 'single';
  let services = single
    ? spawn('bench/edge_process.ts', { PORT: '0', STOA_TOPOLOGY: 'single' })
    : spawn('services/main.ts', {});
  const client = connectUnary(link, '', new ServiceRegistry(descriptors));
  const untilServing = async (): Promise<void> => {
    for (;;) {
      const answer = await client.call('Host/GetHealth', NO_TENANT, {}, 1_000).catch(() => null);
      if (answer !== null && !(answer instanceof Refusal)) return;
      if (services.exitCode !== null) throw new Error('The services process ended at its start.');
      await Bun.sleep(50);
    }
  };
  await untilServing();
  let edges: Promise<string> | null = null;
  return {
    services: { pid: services.pid, url: link },
    natsUrl: nats.url,
    databaseUrl: postgres.url,
    home,
    client,
    async startEdge(cacheMb) {
      edges ??= single ? firstLine(services) : null;
      if (edges) return { pid: services.pid, url: await edges };
      const edge = spawn('bench/edge_process.ts', { PORT: '0', STOA_CACHE_MB: String(cacheMb) });
      const url = await firstLine(edge);
      while ((await fetch(`${url}/v1/health`)).status !== 200) await Bun.sleep(20);
      return { pid: edge.pid, url };
    },
    async createStore() {
      const made = await client.call<BenchStore>('StoreAdmin/CreateStore', NO_TENANT, {
        name: `Bench ${crypto.randomUUID().slice(0, 8)}`,
        currency: 'USD',
        plan: 'enterprise',
      });
      if (made instanceof Refusal) throw new Error(made.message);
      return made;
    },
    async restartServices() {
      services.kill('SIGKILL');
      await services.exited;
      // A killed process leaves its socket behind.
      await rm(link.slice('unix:'.length), { force: true });
      services = spawn('services/main.ts', {});
      await untilServing();
      return { pid: services.pid, url: link };
    },
    async stop() {
      client.close();
      for (const child of children.reverse()) {
        child.kill('SIGTERM');
        await child.exited;
      }
      await Promise.all([postgres.stop(), nats.stop()]);
      await rm(home, { recursive: true, force: true });
    },
  };
}
