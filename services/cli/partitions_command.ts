// `stoa partitions …`: shows and changes the number of logs that hold a deployment's actors, without interrupting
// service.
import { defineCommand } from 'citty';
import { type Layout, PARTITIONS_MAX } from '#runtime/actor/layout.ts';
import { changeLayout, postgresLayouts } from '#runtime/actor/layout_table.ts';
import { isTransient } from '#runtime/call/fault.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { define, JSON_OPTION, print, say } from './command.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { withPostgres } from './local/postgres_client.ts';
import { currentDatabaseUrl } from './running.ts';

const POLL_MS = 100;
/** Milliseconds after which the change is slow: hosts check every second, and each log takes tens of milliseconds. */
const SLOW_MS = 15_000;
const MISSING = 'The database has no tables of Stoa. Start a services host first.';

const withLayouts = <T>(work: (postgres: Postgres) => Promise<T>): Promise<T> =>
  withPostgres(currentDatabaseUrl(homePath()), async (postgres) => {
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

const layoutSentence = ({ partitions, previous, retiring }: Layout): string => {
  if (!previous) return `Actors are spread over ${logs(partitions)}.`;
  const left = retiring.length;
  const rest = left === 0 ? 'all have moved, and sleeping actors are indexed again' : `${left} logs remain`;
  return `Actors move from ${logs(previous.partitions)} to ${logs(partitions)}: ${rest}.`;
};

/** Prints the progress. Hosts complete the change even if this process ends. */
const followChange = async (postgres: Postgres): Promise<Layout> => {
  const layouts = postgresLayouts(postgres);
  const startedAt = performance.now();
  let printed = '';
  let warned = false;
  for (;;) {
    try {
      const layout = await layouts.read();
      if (!layout.previous) return layout;
      if (printed !== layoutSentence(layout)) say(layoutSentence(layout));
      printed = layoutSentence(layout);
    } catch (problem) {
      if (!isTransient(problem)) throw problem;
    }
    if (!warned && performance.now() - startedAt > SLOW_MS) {
      warned = true;
      say(
        'The change is slow: no log moves while no services host runs, or while one ' +
          'cannot reach Postgres. It continues once that is resolved; Ctrl-C leaves it to the hosts.',
      );
    }
    await Bun.sleep(POLL_MS);
  }
};

const show = define({
  name: 'show',
  description: 'Prints over how many logs actors are spread, and whether that is changing',
  args: { json: JSON_OPTION },
  run: async ({ json }) => {
    const layout = await withLayouts((postgres) => postgresLayouts(postgres).read());
    print(json, summary(layout), () => layoutSentence(layout));
  },
});

const set = define({
  name: 'set',
  description: 'Spreads actors over this many logs while the deployment serves; waits until all have moved',
  args: {
    count: { type: 'positional', description: `From 1 to ${PARTITIONS_MAX}`, valueHint: 'N', required: true },
    wait: { type: 'boolean', description: 'Waits until all have moved', default: true },
    json: JSON_OPTION,
  },
  run: async ({ count, wait, json }) => {
    const partitions = Number(count);
    if (!/^\d{1,3}$/.test(count) || partitions < 1 || partitions > PARTITIONS_MAX)
      throw new SetupError(`The number of logs must be from 1 to ${PARTITIONS_MAX}, not "${count}".`);
    const layout = await withLayouts(async (postgres) => {
      const change = await changeLayout(postgres, partitions);
      if (change.kind === 'busy' && change.layout.partitions !== partitions)
        throw new SetupError(`${layoutSentence(change.layout)} Wait until they have moved: npx stoa partitions show`);
      return wait ? await followChange(postgres) : change.layout;
    });
    print(json, summary(layout), () => layoutSentence(layout));
  },
});

export const partitions = defineCommand({
  meta: { name: 'partitions', description: 'Shows and changes over how many logs actors are spread' },
  subCommands: { show, set },
});
