// NATS servers of a test's own, one or a cluster of three, each a process that can be killed, frozen and started again.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '#services/cli/local/child.ts';
import { natsGreeting } from '#services/cli/local/nats.ts';
import { findNats, isAtLeast, parseVersion } from '#services/cli/local/nats_binary.ts';
import { ownPort } from '#test/support/port.ts';

export interface NatsServer {
  readonly name: string;
  readonly pid: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export interface NatsServers {
  /** URL of all servers for clients. */
  readonly url: string;
  readonly servers: readonly NatsServer[];
  stop(): Promise<void>;
}

const CLUSTER = 'faults';

interface Place {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly routePort: number;
}

const configuration = ({ name, folder, port, routePort }: Place, places: readonly Place[], synced: boolean): string => `
server_name: ${name}
listen: "127.0.0.1:${port}"
${
  places.length === 1
    ? ''
    : `cluster {
  name: ${CLUSTER}
  listen: "127.0.0.1:${routePort}"
  routes: [${places.map((place) => `"nats-route://127.0.0.1:${place.routePort}"`).join(', ')}]
}`
}
jetstream {
  store_dir: ${JSON.stringify(join(folder, 'store'))}
  ${synced ? 'sync_interval: always' : ''}
  max_memory_store: 64MB
  max_file_store: 5GB
}
`;

class Server implements NatsServer {
  readonly name: string;
  readonly #place: Place;
  readonly #program: string;
  #child: Child | null = null;

  constructor(program: string, place: Place) {
    this.name = place.name;
    this.#place = place;
    this.#program = program;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const { folder, port, name } = this.#place;
    this.#child = startChild({
      command: this.#program,
      args: ['-c', join(folder, 'server.conf')],
      logFile: join(folder, 'server.log'),
      deathSignal: 'SIGKILL',
    });
    while (!(await natsGreeting('127.0.0.1', port)).includes(`"server_name":"${name}"`)) {
      if (!this.#child.running()) throw new Error(`nats-server ${name} ended at its start: see ${folder}/server.log`);
      await Bun.sleep(20);
    }
  }

  async kill(): Promise<void> {
    await this.#child?.stop([{ signal: 'SIGKILL', graceMs: 2_000 }]);
  }

  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }
}

export interface NatsOptions {
  readonly home: string;
  readonly count: 1 | 3;
  /** Whether acknowledged messages are synced. */
  readonly durable: boolean;
  /** Another program than the one that the tests use. */
  readonly program?: string;
}

/** Earlier servers know no such setting: what they acknowledge is on disk a moment later. */
const SYNCED_FROM = '2.10.0';

const versionOf = (program: string): string => {
  const { stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return parseVersion(`${stdout}${stderr}`) ?? '0.0.0';
};

export const startNatsServers = async ({ home, count, ...options }: NatsOptions): Promise<NatsServers> => {
  const program = options.program ?? (await findNats(home, () => {}));
  const synced = options.durable && isAtLeast(versionOf(program), SYNCED_FROM);
  const places: Place[] = [];
  for (let at = 1; at <= count; at++) {
    const folder = join(home, `nats-${at}`);
    mkdirSync(folder, { recursive: true });
    places.push({ name: `n${at}`, folder, port: await ownPort(), routePort: await ownPort() });
  }
  for (const place of places) writeFileSync(join(place.folder, 'server.conf'), configuration(place, places, synced));
  const servers = places.map((place) => new Server(program, place));
  await Promise.all(servers.map((server) => server.start()));
  return {
    url: places.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    servers,
    async stop() {
      for (const server of servers) await server.kill();
    },
  };
};
