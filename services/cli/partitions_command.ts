// `stoa partitions …`: over how many logs a deployment spreads its actors, and the change of that while it serves.
import { defineCommand } from 'citty';
import { type Layout, PARTITIONS_MAX } from '#runtime/actor/layout.ts';
import { changeLayout, postgresLayouts } from '#runtime/actor/layout_table.ts';
import { isTransient } from '#runtime/call/fault.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { define, JSON_OPTION, print, say } from './command.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { withPostgres } from './local/postgres_client.ts';
import { databaseNow } from './running.ts';

const LOOK_MS = 100;
/** Hosts look once a second, and each log takes some tens of milliseconds. */
const SLOW_MS = 15_000;
const MISSING = 'This database has no tables of Stoa: start a services host first.';

const withLayouts = <T>(work: (postgres: Postgres) => Promise<T>): Promise<T> =>
  withPostgres(databaseNow(homePath()), async (postgres) => {
    const [found] = await postgres.sql<{ made: boolean }[]>`
      select to_regclass('runtime.layout') is not null as made`;
    if (!found?.made) throw new SetupError(MISSING);
    const [{ count }] = await postgres.sql<[{ count: number }]>`select count(*)::integer as count from runtime.layout`;
    if (count === 0) throw new SetupError(MISSING);
    return await work(postgres);
  });

const summary = ({ epoch, partitions, previous, retiring }: Layout) => ({
  epoch,
  partitions,
  changing: previous !== null,
  former_partitions_left: retiring.length,
});

const logs = (count: number): string => `${count} ${count === 1 ? 'log' : 'logs'}`;

const inWords = ({ partitions, previous, retiring }: Layout): string => {
  if (!previous) return `Actors are spread over ${logs(partitions)}.`;
  const left = retiring.length;
  const rest = left === 0 ? 'all of them have moved, and sleepers are filed anew' : `${left} still to be left`;
  return `Actors move from ${logs(previous.partitions)} to ${logs(partitions)}: ${rest}.`;
};

/** Whatever becomes of this process, hosts go on by themselves. */
const followChange = async (postgres: Postgres): Promise<Layout> => {
  const layouts = postgresLayouts(postgres);
  const startedAt = performance.now();
  let told = '';
  let warned = false;
  for (;;) {
    try {
      const layout = await layouts.read();
      if (!layout.previous) return layout;
      if (told !== inWords(layout)) say(inWords(layout));
      told = inWords(layout);
    } catch (problem) {
      if (!isTransient(problem)) throw problem;
    }
    if (!warned && performance.now() - startedAt > SLOW_MS) {
      warned = true;
      say(
        'This takes long: no log moves while no services host runs, or while one ' +
          'does not reach Postgres. It goes on by itself once that is over; Ctrl-C leaves it to the hosts.',
      );
    }
    await Bun.sleep(LOOK_MS);
  }
};

const show = define({
  name: 'show',
  description: 'Say over how many logs actors are spread, and whether that is being changed',
  args: { json: JSON_OPTION },
  run: async ({ json }) => {
    const layout = await withLayouts((postgres) => postgresLayouts(postgres).read());
    print(json, summary(layout), () => inWords(layout));
  },
});

const set = define({
  name: 'set',
  description: 'Spread actors over so many logs while the deployment serves; waits until all have moved',
  args: {
    count: { type: 'positional', description: `From 1 to ${PARTITIONS_MAX}`, valueHint: 'N', required: true },
    wait: { type: 'boolean', description: 'Wait until all have moved', default: true },
    json: JSON_OPTION,
  },
  run: async ({ count, wait, json }) => {
    const partitions = Number(count);
    if (!/^\d{1,3}$/.test(count) || partitions < 1 || partitions > PARTITIONS_MAX)
      throw new SetupError(`The number of logs must be from 1 to ${PARTITIONS_MAX}, not "${count}".`);
    const layout = await withLayouts(async (postgres) => {
      const change = await changeLayout(postgres, partitions);
      if (change.kind === 'busy' && change.layout.partitions !== partitions)
        throw new SetupError(`${inWords(change.layout)} Wait until they have moved: npx stoa partitions show`);
      return wait ? await followChange(postgres) : change.layout;
    });
    print(json, summary(layout), () => inWords(layout));
  },
});

export const partitions = defineCommand({
  meta: { name: 'partitions', description: 'Say and change over how many logs actors are spread' },
  subCommands: { show, set },
});
