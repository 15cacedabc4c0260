// What is forgotten with time: events that are too old, and what waits for endpoints that are gone.

import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { anyWaits, measureWaiting } from './measure.ts';
import { giveUpDeleted } from './table/delivery.ts';
import { forgetEvents } from './table/event.ts';

const SWEEP_MS = 60_000;
const MEASURE_MS = 5_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const AT_ONCE = 2_000;

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

export const sweep = async ({ postgres, clock }: Parts): Promise<void> => {
  await inSlices((limit) => giveUpDeleted(postgres.sql, limit), AT_ONCE);
  const before = new Date(clock.real() - KEPT_MS);
  await inSlices((limit) => forgetEvents(postgres.sql, before, limit), AT_ONCE);
};

/** Sweeps every minute, and when told to. */
export const startSweep = (parts: Parts): { now(): void; stop(): void } => {
  let sweeping = false;
  const now = (): void => {
    if (sweeping || !parts.postgres.available) return;
    sweeping = true;
    sweep(parts)
      .catch((problem) => parts.log.warn({ err: problem }, 'the log of events was not swept'))
      .finally(() => {
        sweeping = false;
      });
  };
  const timer = setInterval(now, SWEEP_MS);
  timer.unref();
  const stopMeasuring = repeatedly({
    everyMs: MEASURE_MS,
    able: () => parts.postgres.available,
    resting: { ...parts, nextDue: async () => dueAtOnce(anyWaits()) },
    work: () => measureWaiting(parts.postgres.sql),
    failed: (problem) => parts.log.warn({ err: problem }, 'failed to count the deliveries that wait'),
  });
  const stop = (): void => {
    clearInterval(timer);
    stopMeasuring();
  };
  return { now, stop };
};
