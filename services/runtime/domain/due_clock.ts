// Performs listed due work in real time: every tenant's by the real clock, and a sandbox's by its own clock where that is
// ahead.
import { repeatedly } from '#runtime/flow/repetition.ts';
import { type Due, fireAlone, isListed, type ListedDue } from './due.ts';
import type { Runtime } from './runtime.ts';

const CHECK_INTERVAL_MS = 500;
const BATCH_MAX = 200;

type DueClockRuntime = Pick<Runtime, 'clock' | 'log' | 'postgres'>;

/** Performs the items that are due now, each in its own transaction. Returns how many of them had an effect. */
export const performDue = async ({ clock, log, postgres }: DueClockRuntime, due: ListedDue): Promise<number> => {
  const items = [...(await due.list(postgres.sql, { tenant: null, until: new Date(clock.real()), max: BATCH_MAX }))];
  for (const tenant of clock.moved())
    items.push(...(await due.list(postgres.sql, { tenant, until: clock.now(tenant), max: BATCH_MAX })));
  let performed = 0;
  for (const item of items) {
    // The process that advances a sandbox's clock performs its work.
    if (clock.isFrozen(item.tenant)) continue;
    try {
      const { types } = await fireAlone(postgres, due, item);
      if (types.length > 0) performed++;
    } catch (problem) {
      log.warn({ err: problem, due: due.name, id: item.id }, 'failed to perform due work');
    }
  }
  return performed;
};

/** Starts the clock. Returns a function that stops it; a run in progress still completes. */
export const startDueClock = (runtime: DueClockRuntime, dues: readonly Due[]): (() => void) => {
  const { log, postgres } = runtime;
  const stops = dues.filter(isListed).map((due) =>
    repeatedly({
      everyMs: CHECK_INTERVAL_MS,
      able: () => postgres.available,
      resting: {
        ...runtime,
        nextDue: async (until) => {
          const [first] = await due.list(postgres.sql, { tenant: null, until, max: 1 });
          return first ? new Date(first.at) : null;
        },
      },
      work: () => performDue(runtime, due),
      failed: (problem) => log.warn({ err: problem, due: due.name }, 'failed to list due work'),
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
};
