// Gives up deliveries to deleted endpoints, and measures the backlog.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { hasBacklog, measureBacklog } from './measure.ts';
import { giveUpDeleted } from './table/delivery.ts';

const CLEANUP_MS = 60_000;
const MEASURE_MS = 5_000;
const BATCH_MAX = 2_000;

type CleanupRuntime = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

const cleanUp = async ({ postgres }: CleanupRuntime): Promise<void> => {
  await inSlices((limit) => giveUpDeleted(postgres.sql, limit), BATCH_MAX);
};

export const startCleanup = (runtime: CleanupRuntime): { now(): void; stop(): void } => {
  let running = false;
  const now = (): void => {
    if (running || !runtime.postgres.available) return;
    running = true;
    cleanUp(runtime)
      .catch((problem) => runtime.log.warn({ err: problem }, 'failed to give up deliveries to deleted endpoints'))
      .finally(() => {
        running = false;
      });
  };
  const timer = setInterval(now, CLEANUP_MS);
  timer.unref();
  const stopMeasuring = repeatedly({
    everyMs: MEASURE_MS,
    able: () => runtime.postgres.available,
    resting: { ...runtime, nextDue: async () => dueAtOnce(hasBacklog()) },
    work: () => measureBacklog(runtime.postgres.sql),
    failed: (problem) => runtime.log.warn({ err: problem }, 'failed to measure the backlog of deliveries'),
  });
  const stop = (): void => {
    clearInterval(timer);
    stopMeasuring();
  };
  return { now, stop };
};
