// Starts a host's periodic jobs: sweeps, retention, resealing, statistics and metrics.
import { sweepExpired } from '#runtime/actor/snapshot.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { sealedColumnsOf } from '#runtime/domain/rpc.ts';
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
const REFRESH_MS = 1_000;
const DEAD_DAYS = 90;

/** Returns how long stores retain their records, where they say so. */
const retentionOfStores = async (ask: Runtime['ask']): Promise<readonly StoreDays[]> => {
  const reply = await ask('StoreDirectory/ListRetention', NO_TENANT, {});
  if (reply instanceof Refusal) throw new Unavailable(reply.message);
  return reply.stores.map(({ store_id: store, days }) => ({ store, days }));
};

/** Reads the master key again and seals stored secrets under it: soon after a change, then once a minute. */
const startResealing = ({ domains, log, postgres, seal }: Runtime): (() => void) => {
  const held = (): string => `${seal.currentKeyId} ${seal.isRotating}`;
  let known = held();
  let restsUntilMs = 0;
  const stopRefreshing = repeatedly({
    everyMs: REFRESH_MS,
    able: () => true,
    work: async () => {
      seal.refresh();
      if (held() === known) return;
      known = held();
      restsUntilMs = 0;
      log.info({ key_id: seal.currentKeyId, rotating: seal.isRotating }, 'read a changed master key');
    },
    failed: (problem) => log.error({ err: problem }, 'failed to read the master key again'),
  });
  const stopResealing = repeatedly({
    everyMs: REFRESH_MS,
    able: () => seal.isRotating && postgres.available && performance.now() >= restsUntilMs,
    work: async () => {
      restsUntilMs = performance.now() + RESEAL_MS;
      const { changed } = await resealAll(postgres.sql, seal, sealedColumnsOf(domains), log);
      // A row that was written meanwhile waits for the next run.
      if (changed > 0) restsUntilMs = 0;
    },
    failed: (problem) => log.warn({ err: problem }, 'failed to reseal secrets'),
  });
  return () => {
    stopRefreshing();
    stopResealing();
  };
};

export const startMaintenanceJobs = (runtime: Runtime): (() => void) => {
  const { ask, clock, domains, log, postgres } = runtime;
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
  const stopResealing = startResealing(runtime);
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
