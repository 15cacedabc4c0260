// What a host does by the clock for all of its domains: sweeps, retention, the planner's statistics.
import { sweepLapsed } from '#runtime/actor/lapse.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { startRetention } from '#runtime/flow/retention.ts';
import { sweepIdempotency } from '#runtime/postgres/idempotency.ts';
import { forgetDead, sweepInbox } from '#runtime/postgres/inbox.ts';
import { startPostgresMeasures } from '#runtime/postgres/measure.ts';
import { sweepSignatures } from '#runtime/postgres/signature.ts';
import { startStatistics } from '#runtime/postgres/statistic.ts';

const SWEEP_MS = 60_000;
const DEAD_DAYS = 90;

/** Ends it. */
export const startUpkeep = ({ clock, domains, log, postgres }: Foundation): (() => void) => {
  const sweeper = setInterval(() => {
    const swept = [
      sweepIdempotency(postgres, clock.real()),
      sweepInbox(postgres),
      sweepSignatures(postgres, clock.real()),
      sweepLapsed(postgres, clock.real()),
    ];
    for (const sweep of swept) sweep.catch((problem) => log.warn({ err: problem }, 'sweep failed'));
  }, SWEEP_MS);
  const stopRetention = startRetention({ postgres, clock, log }, [
    ...domains.flatMap(({ retention }) => retention ?? []),
    { what: 'events that were given up', days: DEAD_DAYS, forget: forgetDead },
  ]);
  const stopStatistics = startStatistics(postgres, log);
  const stopMeasures = startPostgresMeasures(postgres);
  return () => {
    clearInterval(sweeper);
    stopRetention();
    stopStatistics();
    stopMeasures();
  };
};
