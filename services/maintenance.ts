// Starts a host's periodic jobs: sweeps, retention, resealing, statistics and metrics.
import { sweepExpired } from '#runtime/actor/snapshot.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { type RetentionRule, type StoreDays, startRetention } from '#runtime/flow/retention.ts';
import { sweepIdempotency } from '#runtime/postgres/idempotency.ts';
import { deleteDeadEvents, sweepInbox } from '#runtime/postgres/inbox.ts';
import { startPostgresMeasures } from '#runtime/postgres/measure.ts';
import { resealAll } from '#runtime/postgres/reseal.ts';
import { startStatistics } from '#runtime/postgres/statistic.ts';

const SWEEP_MS = 60_000;
const RESEAL_MS = 60_000;
const DEAD_DAYS = 90;

/** Returns how long stores retain their records, where they say so. */
const retentionOfStores = async (ask: Runtime['ask']): Promise<readonly StoreDays[]> => {
  const reply = await ask('StoreDirectory/ListRetention', NO_TENANT, {});
  if (reply instanceof Refusal) throw new Unavailable(reply.message);
  return reply.stores.map(({ store_id: store, days }) => ({ store, days }));
};

export const startMaintenanceJobs = ({ ask, clock, domains, log, postgres, seal }: Runtime): (() => void) => {
  const sweeps = [
    () => sweepIdempotency(postgres, clock.real()),
    () => sweepInbox(postgres),
    () => sweepExpired(postgres, clock.real()),
  ];
  const stopSweeps = sweeps.map((work) =>
    repeatedly({
      everyMs: SWEEP_MS,
      able: () => postgres.available,
      work,
      failed: (problem) => log.warn({ err: problem }, 'failed to sweep rows'),
    }),
  );
  const rules: readonly RetentionRule[] = [
    ...domains.flatMap(({ retention }) => retention ?? []),
    { what: 'events that were given up', days: DEAD_DAYS, forget: deleteDeadEvents },
  ];
  const stopRetention = startRetention({ postgres, clock, log }, rules, () => retentionOfStores(ask));
  const stopResealing = repeatedly({
    everyMs: RESEAL_MS,
    able: () => seal.isRotating && postgres.available,
    work: () =>
      resealAll(
        postgres.sql,
        seal,
        domains.flatMap(({ sealedColumns }) => sealedColumns ?? []),
        log,
      ),
    failed: (problem) => log.warn({ err: problem }, 'failed to reseal secrets'),
  });
  const stopStatistics = startStatistics(postgres, clock, log);
  const stopMeasures = startPostgresMeasures(postgres, clock, log);
  return () => {
    for (const stop of stopSweeps) stop();
    stopRetention();
    stopResealing();
    stopStatistics();
    stopMeasures();
  };
};
