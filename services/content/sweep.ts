// Forgets views that are too old to be asked for.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { sweepViews } from './table/view.ts';

const LOOK_MS = 600_000;
const KEPT_MS = 800 * 86_400_000;

/** Returns how to stop. */
export const startSweep = ({ postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>): (() => void) => {
  const round = (): Promise<number> => {
    const before = new Date(clock.real() - KEPT_MS);
    return inSlices((limit) => sweepViews(postgres.sql, before, limit));
  };
  return repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'old views were not forgotten'),
  });
};
