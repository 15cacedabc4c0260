// How many logs there are is changed under load, and a process dies at each step of that.
import { spawn } from 'node:child_process';
import { changeLayout, postgresLayouts } from '#runtime/actor/layout_table.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { withPostgres } from '#services/cli/local/postgres_client.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './fault.ts';

const CHANGED_MS_MAX = 120_000;
const LOOK_MS = 20;
const until = async (holds: () => Promise<boolean> | boolean, what: string): Promise<void> => {
  for (const end = performance.now() + CHANGED_MS_MAX; !(await holds()); await Bun.sleep(LOOK_MS))
    if (performance.now() > end) throw new Error(`Within ${CHANGED_MS_MAX} ms it did not come about that ${what}.`);
};

/** No step when the count is the same. */
const change = (
  { databaseUrl }: Cluster,
  partitions: number,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> =>
  withPostgres(databaseUrl, async (postgres) => {
    const { read } = postgresLayouts(postgres);
    await changeLayout(postgres, partitions);
    await meanwhile();
    await until(async () => (await read()).previous === null, 'the logs had changed');
    if ((await read()).partitions !== partitions) throw new Error('The logs did not change.');
  });

/** From one log, so that one host comes by the place: it dies there, and comes back once the other had time to take over. */
const dying = (name: string, place: Failpoint): Fault => ({
  name: `the logs change, and a host dies ${name}`,
  nats: 'any',
  run: async (cluster) => {
    const { hosts } = cluster;
    await change(cluster, 1);
    for (const host of hosts) host.arm({ place });
    await change(cluster, 8, async () => {
      await until(() => hosts.some(({ alive }) => !alive), `a host died ${name}`);
      for (const host of hosts) host.arm(null);
      await Promise.all(hosts.filter(({ alive }) => !alive).map((host) => host.start()));
    });
  },
});

/** `npx stoa partitions set 3`, killed as soon as the change is known. */
const killedCommand = async (cluster: Cluster): Promise<void> => {
  const command = spawn(process.execPath, ['services/cli/main.ts', 'partitions', 'set', '3'], {
    env: { ...process.env, DATABASE_URL: cluster.databaseUrl },
    stdio: 'ignore',
  });
  await withPostgres(cluster.databaseUrl, async (postgres) => {
    const { read } = postgresLayouts(postgres);
    await until(async () => (await read()).partitions === 3, 'the command changed the logs');
    command.kill('SIGKILL');
    await until(async () => (await read()).previous === null, 'the logs had changed');
  });
};

export const CHANGES: readonly Fault[] = [
  {
    name: 'the logs change',
    nats: 'any',
    run: async (cluster) => {
      for (const partitions of [1, 8, 3]) await change(cluster, partitions);
    },
  },
  dying('before the end of a log', 'end'),
  dying('with the end of a log written', 'drain'),
  dying('with all of a log in Postgres', 'seal'),
  dying('with a log sealed', 'sealed'),
  { name: 'the logs change, and the command dies', nats: 'any', run: killedCommand },
  {
    name: 'the logs change, and a NATS server dies',
    nats: 'any',
    run: async (cluster, turn) => {
      const server = cluster.nats.servers[turn % cluster.nats.servers.length]!;
      await change(cluster, 8, async () => {
        await server.kill();
        await server.start();
      });
    },
  },
];
