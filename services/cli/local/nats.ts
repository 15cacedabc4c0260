// Runs a nats-server for this home on loopback, with a random password. JetStream acknowledges only after fsync.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalServer, LocalServerOptions } from './child.ts';
import { type Child, commandLine, endStray, lastLines, SetupError, startChild } from './child.ts';
import { openHome, readJson, writePrivate } from './home.ts';
import { findNats } from './nats_binary.ts';
import { choosePort, rememberedPort } from './port.ts';
import { exchange } from './probe.ts';

interface SavedNats {
  readonly name: string;
  readonly password: string;
}

const USER = 'stoa';
const READY_LIMIT_MS = 60_000;
const ATTEMPTS_MAX = 5;

export interface LocalNatsOptions extends LocalServerOptions {
  /** GB of all streams together; each stream reserves its maximum size. */
  readonly storeGb?: number;
}

export const startNats = async (options: LocalNatsOptions): Promise<LocalServer> => {
  const { home, log, verbose = false, durable = true, signal, storeGb = 20 } = options;
  openHome(home);
  const program = await findNats(home, log);
  const folder = join(home, 'nats');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ledger = readSavedNats(home);
  await clearStray(folder);
  const logFile = join(home, 'log', 'nats.log');
  let port = await rememberedPort(home, 'nats');
  for (let attempt = 1; ; attempt += 1) {
    writePrivate(join(folder, 'server.conf'), configuration(folder, port, ledger, storeGb, durable));
    const child = startChild({
      command: program,
      args: ['-c', join(folder, 'server.conf')],
      logFile: verbose ? null : logFile,
      deathSignal: 'SIGTERM',
      signal,
    });
    if (await becomesReady(child, port, ledger.name)) {
      return {
        url: `nats://${USER}:${ledger.password}@127.0.0.1:${port}`,
        child,
        answers: async () => (await natsGreeting('127.0.0.1', port)) !== '',
        stop: () => child.stop([{ signal: 'SIGTERM', graceMs: 5000 }]),
      };
    }
    const said = verbose ? '(see above)' : `(${logFile}):\n${lastLines(logFile, 6)}`;
    if (attempt === ATTEMPTS_MAX || !(verbose || /address already in use/.test(said)))
      throw new SetupError(`nats-server does not start ${said}`);
    port = await choosePort(home, 'nats');
  }
};

const readSavedNats = (home: string): SavedNats => {
  const file = join(home, 'nats.json');
  const known = readJson<SavedNats>(file);
  if (known) return known;
  // The password starts with a letter, because clients take the first colon before a digit as the start of the port.
  const ledger = { name: `stoa_${randomBytes(8).toString('hex')}`, password: `p${randomBytes(24).toString('hex')}` };
  writePrivate(file, JSON.stringify(ledger));
  return ledger;
};

const configuration = (
  folder: string,
  port: number,
  { name, password }: SavedNats,
  storeGb: number,
  durable: boolean,
): string => `
server_name: ${name}
listen: "127.0.0.1:${port}"
pid_file: ${JSON.stringify(join(folder, 'server.pid'))}
authorization { user: ${USER}, password: ${password} }
max_connections: 1000
jetstream {
  store_dir: ${JSON.stringify(join(folder, 'store'))}
  ${durable ? 'sync_interval: always' : ''}
  max_memory_store: 256MB
  max_file_store: ${storeGb}GB
}
`;

const clearStray = async (folder: string): Promise<void> => {
  try {
    const pid = Number(readFileSync(join(folder, 'server.pid'), 'utf8'));
    const command = commandLine(pid);
    if (command.includes('nats-server') && command.includes(folder)) await endStray(pid, 'SIGTERM', 5000);
  } catch {
    // Without a pid file there is no former server to stop.
  }
};

/** Checks the server's name, so that another server on the port is not mistaken for this home's. */
const becomesReady = async (child: Child, port: number, name: string): Promise<boolean> => {
  const until = performance.now() + READY_LIMIT_MS;
  while (child.running()) {
    if ((await natsGreeting('127.0.0.1', port)).includes(`"server_name":"${name}"`)) return true;
    if (performance.now() > until) await child.stop([{ signal: 'SIGTERM', graceMs: 2000 }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

export const natsGreeting = (host: string, port: number): Promise<string> => exchange(host, port, null);
