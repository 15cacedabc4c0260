// Gives up deliveries to deleted endpoints, and measures the backlog.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { hasBacklog, measureBacklog } from './measure.ts';
import { giveUpDeleted } from './table/delivery.ts';

const CHECK_INTERVAL_MS = 5_000;
const BATCH_MAX = 2_000;

type CleanupRuntime = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

/** Starts both. Returns a function that stops them. */
export const startCleanup = (runtime: CleanupRuntime): (() => void) => {
  const { log, postgres } = runtime;
  const able = (): boolean => postgres.available;
  const stopGivingUp = repeatedly({
    everyMs: CHECK_INTERVAL_MS,
    able,
    resting: runtime,
    work: () => inSlices((limit) => giveUpDeleted(postgres.sql, limit), BATCH_MAX),
    failed: (problem) => log.warn({ err: problem }, 'failed to give up deliveries to deleted endpoints'),
  });
  const stopMeasuring = repeatedly({
    everyMs: CHECK_INTERVAL_MS,
    able,
    resting: { ...runtime, nextDue: async () => dueAtOnce(hasBacklog()) },
    work: () => measureBacklog(postgres.sql),
    failed: (problem) => log.warn({ err: problem }, 'failed to measure the backlog of deliveries'),
  });
  return () => {
    stopGivingUp();
    stopMeasuring();
  };
};
