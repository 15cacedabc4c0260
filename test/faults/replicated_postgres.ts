// A Postgres and its standby, which streams from it: commits wait for the standby. The standby can be promoted.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, privileged, startChild } from '#services/cli/local/child.ts';
import { findPostgres, postgresAccount } from '#services/cli/local/postgres_binary.ts';
import { ownPort } from '#test/support/port.ts';
import { eventually, openPostgres } from '#test/support/server.ts';

export interface ReplicatedPostgres {
  /** Names the standby and then the primary. */
  readonly url: string;
  killPrimary(): Promise<void>;
  promote(): void;
  stop(): Promise<void>;
}

const USER = 'stoa';
const READY_MS = 60_000;

export const startReplicatedPostgres = async (): Promise<ReplicatedPostgres> => {
  const home = await mkdtemp(join(tmpdir(), 'stoa-standby-'));
  const account = postgresAccount();
  const { folder } = findPostgres(account, home, null);
  const run = (program: string, ...args: string[]): void => {
    const [command, all] = privileged(join(folder, program), args, account, null);
    const { status, stderr } = spawnSync(command, all, { encoding: 'utf8', cwd: home });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  };
  const start = (name: string, port: number): Child =>
    startChild({
      command: join(folder, 'postgres'),
      args: [
        ...['-D', join(home, name), '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1'],
        ...['-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
      ],
      cwd: home,
      account,
      logFile: join(home, `${name}.log`),
      deathSignal: 'SIGKILL',
    });
  const addressOf = (port: number): string => `postgres://${USER}@127.0.0.1:${port}/postgres`;
  const ask = async (port: number, text: string) => {
    const postgres = openPostgres(addressOf(port));
    try {
      return await postgres.sql.unsafe(text);
    } finally {
      await postgres.close();
    }
  };

  if (account) chownSync(home, account.uid, account.gid);
  const [port, standbyPort] = [await ownPort(), await ownPort()];
  const primaryData = join(home, 'primary');
  run('initdb', '-D', primaryData, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions');
  const primary = start('primary', port);
  await eventually(() => ask(port, 'select 1'), READY_MS);
  mkdirSync(join(home, 'standby'), { mode: 0o700 });
  if (account) chownSync(join(home, 'standby'), account.uid, account.gid);
  const standbyData = join(home, 'standby');
  run('pg_basebackup', '-D', standbyData, '-h', '127.0.0.1', '-p', `${port}`, '-U', USER, '-R', '-c', 'fast');
  const standby = start('standby', standbyPort);
  // Follows the copy: the promoted standby must commit alone.
  await ask(port, "alter system set synchronous_standby_names = '*'");
  await ask(port, 'select pg_reload_conf()');
  await eventually(async () => {
    const rows = await ask(port, 'select sync_state from pg_stat_replication');
    if (rows[0]?.sync_state !== 'sync') throw new Error('The standby does not stream yet.');
  }, READY_MS);
  return {
    url: `postgres://${USER}@127.0.0.1:${standbyPort},127.0.0.1:${port}/postgres`,
    killPrimary: () => primary.stop([{ signal: 'SIGKILL', graceMs: 2_000 }]),
    promote: () => run('pg_ctl', 'promote', '-D', standbyData, '-w'),
    stop: async () => {
      await Promise.all([primary, standby].map((server) => server.stop([{ signal: 'SIGQUIT', graceMs: 5_000 }])));
      await rm(home, { recursive: true, force: true });
    },
  };
};
