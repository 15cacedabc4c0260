// Forgets views that are too old to be asked for.
import type { Foundation } from '#runtime/door/foundation.ts';
import { sweepViews } from './table/view.ts';

const LOOK_MS = 600_000;
const KEPT_MS = 800 * 86_400_000;
const ROWS_AT_ONCE = 5_000;

/** Returns how to stop. */
export const startSweep = ({ postgres, clock, log }: Pick<Foundation, 'postgres' | 'clock' | 'log'>): (() => void) => {
  let sweeping = false;
  const round = async (): Promise<void> => {
    const before = new Date(clock.real() - KEPT_MS);
    while ((await sweepViews(postgres.sql, before, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
  };
  const timer = setInterval(() => {
    if (sweeping || !postgres.available) return;
    sweeping = true;
    round()
      .catch((problem) => log.warn({ err: problem }, 'old views were not forgotten'))
      .finally(() => {
        sweeping = false;
      });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
};
