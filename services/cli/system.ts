// A whole system on one machine: Postgres, NATS, the services and the edge. Starts each with the addresses of the
// others.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RESTORED_MARKER } from './backup.ts';
import { DEMO_PICTURES, prepareDemo } from './demo_store.ts';
import { ownHost, type StartEnvironment, urlHost } from './environment.ts';
import { checkBroker, checkDatabase } from './foreign_server.ts';
import type { LocalServer, LocalServerOptions } from './local/child.ts';
import { readText, rootPath, writePrivate } from './local/home.ts';
import { startNats } from './local/nats.ts';
import { startPostgres } from './local/postgres.ts';
import { inspectDatabase } from './local/postgres_client.ts';
import { httpStatus } from './local/probe.ts';
import { processPart } from './process_part.ts';
import { type Running, writeRunning } from './running.ts';
import { demoFile } from './store_access.ts';
import type { Supervisor } from './supervisor.ts';

export interface SystemOptions {
  readonly environment: StartEnvironment;
  readonly supervisor: Supervisor;
  readonly say: (text: string) => void;
  readonly verbose: boolean;
}

/** Characters of the longest path of a Unix socket, without the library's suffix. */
const SOCKET_PATH_MAX = 100;

export class System {
  readonly #options: SystemOptions;
  readonly #masterKey: Readonly<Record<string, string>>;
  readonly #socket: string;
  readonly #url: { postgres: string; nats: string };
  readonly #internal = { services: 0, edge: 0 };
  #up = false;

  constructor(options: SystemOptions) {
    const { home, databaseUrl, natsUrl } = options.environment;
    this.#options = options;
    this.#masterKey = masterKeyVariable(options.environment);
    this.#socket = socketPath(home);
    this.#url = { postgres: databaseUrl, nats: natsUrl };
  }

  get baseUrl(): string {
    const { host, port } = this.#options.environment;
    return `http://${urlHost(host)}:${port}`;
  }

  async bringUp(): Promise<void> {
    const { environment, supervisor, say } = this.#options;
    const { home, demo } = environment;
    await Promise.all([this.#bringPostgres(), this.#bringNats()]);
    const foreign = await this.#isForeign();
    say('Starting the services.');
    await this.#bringServices();
    if (!environment.single) await this.#bringEdge();
    this.#up = true;
    writeRunning(home, this.#running());
    if (demo) await prepareDemo({ home, running: this.#running(), say, foreign, stopping: () => supervisor.stopping });
  }

  tidy(): void {
    if (!this.#socket.startsWith(this.#options.environment.home))
      rmSync(dirname(this.#socket), { recursive: true, force: true });
  }

  async #isForeign(): Promise<boolean> {
    const { home, databaseUrl } = this.#options.environment;
    if (existsSync(join(home, RESTORED_MARKER))) return true;
    return databaseUrl !== '' && (await inspectDatabase(databaseUrl)).used;
  }

  #running(): Running {
    const { environment } = this.#options;
    return {
      pid: process.pid,
      base_url: this.baseUrl,
      database_url: this.#url.postgres,
      nats_url: this.#url.nats,
      redis_url: environment.redisUrl || null,
      link: `unix:${this.#socket}`,
      internal: { services: this.#internal.services, edge: environment.single ? null : this.#internal.edge },
    };
  }

  async #bringPostgres(): Promise<void> {
    const { databaseUrl } = this.#options.environment;
    if (databaseUrl) await checkDatabase(databaseUrl);
    else await this.#bringServer('postgres', startPostgres);
  }

  async #bringNats(): Promise<void> {
    const { natsUrl } = this.#options.environment;
    if (natsUrl) await checkBroker(natsUrl);
    else await this.#bringServer('nats', startNats);
  }

  async #bringServer(
    name: 'postgres' | 'nats',
    startServer: (options: LocalServerOptions) => Promise<LocalServer>,
  ): Promise<void> {
    const { environment, supervisor, say, verbose } = this.#options;
    await supervisor.start({
      name,
      start: async (signal) => {
        const server = await startServer({ home: environment.home, log: say, verbose, signal });
        // Another program may have taken the server's port while the server was down; the services then need its new
        // address.
        const moved = this.#url[name] !== '' && this.#url[name] !== server.url;
        this.#url[name] = server.url;
        if (moved) void supervisor.restart('services');
        return server;
      },
    });
  }

  #bringServices(): Promise<void> {
    const { environment } = this.#options;
    return this.#bringProcess('services', environment.single ? this.#isServing : undefined, () => {
      // The socket of a killed process remains and would prevent the next one from listening.
      rmSync(this.#socket, { force: true });
      return {
        ...this.#shared(),
        DATABASE_URL: this.#url.postgres,
        NATS_URL: this.#url.nats,
        ...this.#masterKey,
      };
    });
  }

  #bringEdge(): Promise<void> {
    return this.#bringProcess('edge', this.#isServing, () => this.#shared());
  }

  #bringProcess(
    name: 'services' | 'edge',
    serves: (() => Promise<boolean>) | undefined,
    environment: () => Readonly<Record<string, string>>,
  ): Promise<void> {
    const { environment: mine, supervisor, verbose } = this.#options;
    const onPort = (port: number): void => {
      this.#internal[name] = port;
      if (this.#up) writeRunning(mine.home, this.#running());
    };
    const entry = join(rootPath(), name, 'main.ts');
    return supervisor.start(
      processPart({
        name,
        entry,
        home: mine.home,
        verbose,
        environment,
        onPort,
        drainSeconds: mine.drainSeconds,
        ...(serves && { serves }),
      }),
    );
  }

  #shared(): Readonly<Record<string, string>> {
    const { home, host, port, demo, publicUrl, drainSeconds } = this.#options.environment;
    return {
      STOA_HOME: home,
      STOA_DRAIN_SECONDS: String(drainSeconds),
      STOA_LINK_TOKEN: '',
      STOA_LINK: `unix:${this.#socket}`,
      STOA_PUBLIC_URL: publicUrl || `http://${urlHost(ownHost(host))}:${port}`,
      HOST: host,
      PORT: String(port),
      STOA_DEMO_FILE: demo ? demoFile(home) : '',
      STOA_DEMO_PICTURES: demo ? DEMO_PICTURES : '',
    };
  }

  readonly #isServing = async (): Promise<boolean> => {
    const { host, port } = this.#options.environment;
    return (await httpStatus(ownHost(host), port, '/v1/health')) === 200;
  };
}

/**
 * Returns the variables that name the key of secrets at rest: the given ones, else the home's file, which is created once.
 * Without this file the secrets are lost.
 */
const masterKeyVariable = (environment: StartEnvironment): Readonly<Record<string, string>> => {
  const { home, masterKey, masterKeyFile } = environment;
  if (masterKey || masterKeyFile) return { STOA_MASTER_KEY: masterKey, STOA_MASTER_KEY_FILE: masterKeyFile };
  const file = join(home, 'master.key');
  if (!readText(file)?.trim()) writePrivate(file, `${randomBytes(32).toString('base64')}\n`);
  return { STOA_MASTER_KEY: '', STOA_MASTER_KEY_FILE: file };
};

/** Returns a path in the home; one in a temporary folder if the home's path is too long for a socket. */
const socketPath = (home: string): string => {
  const path = join(home, 'run', 'services.sock');
  return Buffer.byteLength(path) <= SOCKET_PATH_MAX
    ? path
    : join(mkdtempSync(join(tmpdir(), 'stoa-')), 'services.sock');
};
