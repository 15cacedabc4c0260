// A whole Stoa of processes, each of which can be killed, frozen, told to stop and started again: services hosts and
// edges on a NATS of their own and a database of their own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@bufbuild/protobuf';
import { descriptors } from '#proto/descriptor.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary } from '#runtime/grpc/unary.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { type Child, startChild } from '#services/cli/local/child.ts';
import { ownPort } from '#test/support/port.ts';
import { CONNECT_MS } from '#test/support/server.ts';
import type { Keys } from '#test/support/stoa.ts';
import { type NatsServers, startNatsServers } from './nats.ts';

/** A process of ours. */
export interface Member {
  readonly name: string;
  /** `http://host:port` of an edge, the link of a host. */
  readonly address: string;
  readonly alive: boolean;
  /** Runs and is not frozen, for longer than any request may take. */
  readonly answering: boolean;
  /** With more in its environment, this time. */
  start(env?: Readonly<Record<string, string>>): Promise<void>;
  /** From here on it is started from another folder, as another release is. */
  moveTo(folder: string): void;
  /** Has it die where it comes by this place for this store; null: nowhere. */
  arm(death: { readonly place: Failpoint; readonly store_id?: string } | null): void;
  /** Holds back its loads of the store's catalogue into memory; null: of none. */
  holdLoads(store_id: string | null): void;
  /** Kills it like a power cut. */
  kill(): Promise<void>;
  /** Sends SIGTERM: it finishes started work. */
  stop(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export interface Cluster {
  readonly hosts: readonly Member[];
  readonly edges: readonly Member[];
  readonly nats: NatsServers;
  readonly databaseUrl: string;
  /** Token of a host's internal calls. */
  readonly token: string;
  createStore(): Promise<Keys>;
  createOperator(stores: readonly string[]): Promise<Operator>;
  stop(): Promise<void>;
}

export interface Operator {
  readonly operator_id: string;
  readonly operator_key: string;
  readonly operator_test_key: string;
}

export interface ClusterOptions {
  readonly home: string;
  readonly databaseUrl: string;
  readonly hosts: number;
  readonly edges: number;
  readonly nats: 1 | 3;
  /** Folder of the brokers' files: `home` by default. */
  readonly natsHome?: string;
  readonly natsProgram?: string;
  /** Whether brokers acknowledge synced messages only; true by default. */
  readonly natsDurable?: boolean;
  readonly partitions?: number;
  /** Seconds between a member's notice of its end and the end; 0 by default. */
  readonly drainSeconds?: number;
  /** Folder of the program: this checkout by default. */
  readonly folder?: string;
}

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const TOKEN = 'faults';
const READY_MS = 60_000;
const LOG_LINES = 12;
const STOP_MS = 30_000;

class OwnProcess implements Member {
  readonly name: string;
  readonly address: string;
  readonly #file: string;
  readonly #env: Record<string, string>;
  readonly #logFile: string;
  readonly #failpoint: string;
  #folder: string;
  readonly #ready: () => Promise<boolean>;
  #child: Child | null = null;
  #frozen = false;
  #thawedAt = 0;

  constructor(
    name: string,
    address: string,
    file: string,
    logFile: string,
    env: Record<string, string>,
    ready: () => Promise<boolean>,
    folder: string,
  ) {
    this.name = name;
    this.address = address;
    this.#file = file;
    this.#logFile = logFile;
    this.#failpoint = logFile.replace(/log$/, 'failpoint');
    this.#env = { ...env, STOA_FAILPOINT: this.#failpoint };
    this.#folder = folder;
    this.arm(null);
    this.#ready = ready;
  }

  get alive(): boolean {
    return this.#child?.running() ?? false;
  }

  get answering(): boolean {
    return this.alive && !this.#frozen && performance.now() - this.#thawedAt > READY_MS;
  }

  moveTo(folder: string): void {
    this.#folder = folder;
  }

  arm(death: Parameters<Member['arm']>[0]): void {
    writeFileSync(this.#failpoint, death ? `${death.place}@${death.store_id ?? ''}` : '');
  }

  holdLoads(store_id: string | null): void {
    writeFileSync(this.#failpoint, store_id === null ? '' : `hold load@${store_id}`);
  }

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#child = startChild({
      command: process.execPath,
      args: [this.#file],
      cwd: this.#folder,
      env: { ...process.env, ...this.#env, ...env } as Record<string, string>,
      logFile: this.#logFile,
      deathSignal: 'SIGKILL',
    });
    const until = performance.now() + READY_MS;
    while (!(await this.#ready())) {
      if (!this.alive || performance.now() > until)
        throw new Error(`${this.name} does not start. The end of its log:\n${this.#logEnd()}`);
      await Bun.sleep(20);
    }
  }

  /** The log file is deleted with the test's home. */
  #logEnd(): string {
    return readFileSync(this.#logFile, 'utf8').split('\n').slice(-LOG_LINES).join('\n');
  }

  async kill(): Promise<void> {
    await this.#child?.stop([{ signal: 'SIGKILL', graceMs: 2_000 }]);
  }

  async stop(): Promise<void> {
    await this.#child?.stop([{ signal: 'SIGTERM', graceMs: STOP_MS }]);
  }

  freeze(): void {
    this.#frozen = true;
    process.kill(this.#child?.pid ?? 0, 'SIGSTOP');
  }

  thaw(): void {
    this.#frozen = false;
    this.#thawedAt = performance.now();
    process.kill(this.#child?.pid ?? 0, 'SIGCONT');
  }
}

export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { home } = options;
  mkdirSync(home, { recursive: true });
  const nats = await startNatsServers({
    home: options.natsHome ?? home,
    count: options.nats,
    durable: options.natsDurable ?? true,
    ...(options.natsProgram ? { program: options.natsProgram } : {}),
  });
  const folder = options.folder ?? process.cwd();
  const contract = new ServiceRegistry(descriptors);
  const links: string[] = [];
  for (let at = 0; at < options.hosts; at++) links.push(`127.0.0.1:${await ownPort()}`);
  const shared = {
    STOA_LINK_TOKEN: TOKEN,
    STOA_LOG_LEVEL: process.env.STOA_LOG_LEVEL ?? 'info',
    STOA_INTERNAL_PORT: '0',
    STOA_DRAIN_SECONDS: String(options.drainSeconds ?? 0),
    REDIS_URL: '',
  };
  const hosts = links.map((link, at) => {
    const env = {
      ...shared,
      DATABASE_URL: options.databaseUrl,
      STOA_DATABASE_CONNECT_MS: String(CONNECT_MS),
      NATS_URL: nats.url,
      STOA_NATS_REPLICAS: String(options.nats),
      STOA_MASTER_KEY: MASTER_KEY,
      STOA_LINK: link,
      STOA_PARTITIONS: String(options.partitions ?? 4),
    };
    const ready = async (): Promise<boolean> => {
      const client = connectUnary(link, TOKEN, contract);
      try {
        return !((await client.call('Host/GetHealth', NO_TENANT, {}, 1_000)) instanceof Refusal);
      } finally {
        client.close();
      }
    };
    const name = `host-${at + 1}`;
    return new OwnProcess(name, link, 'services/main.ts', join(home, `${name}.log`), env, ready, folder);
  });
  const edges: OwnProcess[] = [];
  for (let at = 0; at < options.edges; at++) {
    const port = await ownPort();
    const url = `http://127.0.0.1:${port}`;
    const env = { ...shared, STOA_LINK: links.join(','), HOST: '127.0.0.1', PORT: String(port) };
    const ready = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/v1/health`).catch(() => null);
      return answer?.status === 200;
    };
    const name = `edge-${at + 1}`;
    edges.push(new OwnProcess(name, url, 'edge/main.ts', join(home, `${name}.log`), env, ready, folder));
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...edges, ...hosts].map((each) => each.kill()));
    await nats.stop();
  };
  try {
    await Promise.all(hosts.map((host) => host.start()));
    await Promise.all(edges.map((edge) => edge.start()));
  } catch (problem) {
    await stop();
    throw problem;
  }
  const administer = async <T>(method: string, input: JsonObject): Promise<T> => {
    const client = connectUnary(links[0] as string, TOKEN, contract);
    try {
      const made = await client.call<T>(`StoreAdmin/${method}`, NO_TENANT, input);
      if (made instanceof Refusal) throw new Error(made.message);
      return made;
    } finally {
      client.close();
    }
  };
  return {
    hosts,
    edges,
    nats,
    databaseUrl: options.databaseUrl,
    token: TOKEN,
    createStore: () => administer<Keys>('CreateStore', { name: 'Faults', currency: 'USD', plan: 'enterprise' }),
    createOperator: (stores) => administer<Operator>('CreateOperator', { name: 'Mall', stores: [...stores] }),
    stop,
  };
};
