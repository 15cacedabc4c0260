// Runs a Postgres for this home on loopback, with a random password. Creates its data on first use, and stops it with
// this process.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { LocalServer, LocalServerOptions } from './child.ts';
import {
  type Child,
  commandLine,
  endStray,
  lastLines,
  privileged,
  SetupError,
  type SystemUser,
  startChild,
} from './child.ts';
import { openHome, readJson, sync, writePrivate } from './home.ts';
import { choosePort, rememberedPort } from './port.ts';
import { canReach, findPostgres, type PostgresBinaries, postgresAccount } from './postgres_binary.ts';
import { exchange } from './probe.ts';
import { variables } from './variable.ts';

interface SavedPostgres {
  readonly data: string;
  readonly password: string;
}

const USER = 'stoa';
const READY_LIMIT_MS = 120_000;
const ATTEMPTS_MAX = 20;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Statements may contain personal data, so the log shows errors without the statement.
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
};

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface PostgresServerOptions extends LocalServerOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export const startPostgres = async ({
  home,
  log,
  verbose = false,
  durable = true,
  signal,
  settings = {},
  env = {},
}: PostgresServerOptions): Promise<LocalServer> => {
  openHome(home);
  const account = postgresAccount();
  const known = readJson<SavedPostgres>(join(home, 'postgres.json'));
  const exists = known !== null && existsSync(join(known.data, 'PG_VERSION'));
  const place = exists ? join(known.data, '..') : placeFor(home, account, log);
  const major = exists ? Number(readFileSync(join(known.data, 'PG_VERSION'), 'utf8')) : null;
  const binaries = findPostgres(account, place, major);
  const ledger = exists ? known : makeData(home, place, account, binaries, log);
  await clearStray(ledger.data);
  const { child, port } = await run({
    home,
    data: ledger.data,
    account,
    binaries,
    verbose,
    durable,
    signal,
    settings,
    env,
  });
  return {
    url: `postgres://${USER}:${ledger.password}@127.0.0.1:${port}/${USER}`,
    child,
    answers: () => postgresAnswers('127.0.0.1', port),
    stop: () =>
      child.stop([
        { signal: 'SIGINT', graceMs: 5000 },
        { signal: 'SIGQUIT', graceMs: 2000 },
      ]),
  };
};

/** Returns the folder for the data: the home, or a new folder of root's if Postgres' account cannot reach the home. */
const placeFor = (home: string, account: SystemUser | null, log: (text: string) => void): string => {
  if (canReach(account, home)) return home;
  const place = mkdtempSync('/var/lib/stoa-');
  chmodSync(place, 0o711);
  log(`The user ${account?.name} cannot enter ${home}: this home keeps its database in ${place}.`);
  return place;
};

const makeData = (
  home: string,
  place: string,
  account: SystemUser | null,
  binaries: PostgresBinaries,
  log: (text: string) => void,
): SavedPostgres => {
  const data = join(place, 'postgres');
  if (existsSync(data))
    throw new SetupError(
      `${data} is there but its password (${join(home, 'postgres.json')}) is lost: restore that file, or move the folder away.`,
    );
  log(`Making a database with Postgres ${binaries.major}.`);
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (account) chownSync(draft, account.uid, account.gid);
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  finish(binaries, 'initdb', account, '', [
    ...['-D', draft, '-U', USER, '--encoding=UTF8', '--lc-collate=C', `--lc-ctype=${locale}`, '--lc-messages=C'],
    ...['--auth=reject', '--data-checksums', '--no-instructions'],
  ]);
  const access = join(draft, 'pg_hba.conf');
  writeFileSync(access, 'host all all 127.0.0.1/32 scram-sha-256\n');
  sync(access);
  const password = randomBytes(24).toString('hex');
  const statements = `create database ${USER};\nalter role ${USER} password '${password}';\n`;
  finish(binaries, 'postgres', account, statements, ['--single', '-D', draft, 'postgres']);
  const ledger = { data, password };
  writePrivate(join(home, 'postgres.json'), JSON.stringify(ledger));
  renameSync(draft, data);
  sync(place);
  return ledger;
};

const finish = (
  binaries: PostgresBinaries,
  program: string,
  account: SystemUser | null,
  input: string,
  args: string[],
): void => {
  const [command, all] = privileged(join(binaries.folder, program), args, account, 'SIGKILL');
  const done = spawnSync(command, all, { input, encoding: 'utf8', env: environment(), cwd: '/' });
  if (done.status !== 0)
    throw new SetupError(
      `Postgres could not make its data folder: ${(done.stderr || done.error?.message || '').trim().split('\n').at(-1)}`,
    );
};

const environment = (): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: 'C',
});

/**
 * Stops a server that has outlived its killed supervisor. Removes a pid file whose process is gone or is another
 * program, because it would prevent Postgres from starting.
 */
const clearStray = async (data: string): Promise<void> => {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const command = commandLine(pid);
  if (command.includes('postgres') && command.includes(data)) await endStray(pid, 'SIGINT', 10_000);
  else rmSync(file, { force: true });
};

interface Run {
  readonly home: string;
  readonly data: string;
  readonly account: SystemUser | null;
  readonly binaries: PostgresBinaries;
  readonly verbose: boolean;
  readonly durable: boolean;
  readonly signal: AbortSignal | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

const run = async ({
  home,
  data,
  account,
  binaries,
  verbose,
  durable,
  signal,
  settings: own,
  env,
}: Run): Promise<{ child: Child; port: number }> => {
  const logFile = join(home, 'log', 'postgres.log');
  let port = await rememberedPort(home, 'postgres');
  for (let attempt = 1; ; attempt += 1) {
    const settings = Object.entries({ ...SETTINGS, ...(durable ? DURABLE : NOT_DURABLE), ...own, port: String(port) });
    const child = startChild({
      command: join(binaries.folder, 'postgres'),
      args: ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      env: { ...environment(), ...env },
      cwd: '/',
      account,
      logFile: verbose ? null : logFile,
      deathSignal: 'SIGINT',
      signal,
    });
    if (await becomesReady(child, data, port)) return { child, port };
    const said = verbose ? '' : lastLines(logFile, 6);
    if (attempt === ATTEMPTS_MAX)
      throw new SetupError(`Postgres does not start (${verbose ? 'see above' : logFile}): ${said}`);
    if (/could not (bind|create any TCP)/.test(said) || verbose) port = await choosePort(home, 'postgres');
    // Processes of a killed server may take a moment to end.
    else if (/is still in use|postmaster\.pid/.test(said)) await new Promise((resolve) => setTimeout(resolve, 500));
    else throw new SetupError(`Postgres does not start (${logFile}):\n${said}`);
  }
};

/** Compares the port with the server's own pid file, so that another server is not mistaken for this home's. */
const becomesReady = async (child: Child, data: string, port: number): Promise<boolean> => {
  const until = performance.now() + READY_LIMIT_MS;
  while (child.running()) {
    if (performance.now() > until) {
      await child.stop([{ signal: 'SIGQUIT', graceMs: 2000 }]);
      return false;
    }
    const lines = readLines(join(data, 'postmaster.pid'));
    if (Number(lines[0]) === child.pid && Number(lines[3]) === port && lines[7]?.trim() === 'ready') return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

/** Sends an SSLRequest, which every Postgres answers with one letter before authentication. */
export const postgresAnswers = async (host: string, port: number): Promise<boolean> =>
  /^[NS]/.test(await exchange(host, port, Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));

const readLines = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};
