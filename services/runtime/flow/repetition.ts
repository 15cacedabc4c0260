// Repeats work at an interval, one run at a time. Work that only a commit or a due time can cause rests in between.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';

export interface Resting {
  readonly postgres: Pick<Postgres, 'commits'>;
  readonly clock: Pick<Clock, 'real' | 'moved'>;
  /** Returns the earliest real time up to `until` at which work falls due, or null. Left out: only a commit causes work. */
  readonly nextDue?: (until: Date) => Promise<Date | null>;
}

export interface Repeated {
  readonly everyMs: number;
  /** No run starts while this returns false, for example while Postgres is away. */
  readonly able: () => boolean;
  readonly work: () => Promise<unknown>;
  readonly failed: (problem: unknown) => void;
  readonly resting?: Resting;
}

const REST_MS_MAX = 60_000;

/** `nextDue` of work that is due at once where there is any. */
export const dueAtOnce = (any: boolean): Date | null => (any ? new Date(0) : null);

/** Returns a function that stops the repetition; a run in progress still completes. */
export const repeatedly = ({ everyMs, able, work, failed, resting }: Repeated): (() => void) => {
  let busy = false;
  let ranAt = Number.NEGATIVE_INFINITY;
  let restsUntil = 0;
  let restsAtCount = -1;

  const rest = async ({ postgres, clock, nextDue }: Resting, count: number): Promise<void> => {
    const until = clock.real() + REST_MS_MAX;
    // Due times of sandboxes follow clocks that may be ahead of the real one.
    if (postgres.commits.count !== count || (nextDue && clock.moved().length > 0)) return;
    const due = await nextDue?.(new Date(until));
    restsAtCount = count;
    restsUntil = Math.min(until, due?.getTime() ?? until);
  };

  const tick = async (): Promise<void> => {
    if (busy || !able()) return;
    const count = resting?.postgres.commits.count ?? 0;
    if (resting && restsAtCount === count && resting.clock.real() < restsUntil) return;
    busy = true;
    ranAt = performance.now();
    restsAtCount = -1;
    try {
      await work();
      if (resting) await rest(resting, count);
    } catch (problem) {
      failed(problem);
    } finally {
      busy = false;
    }
  };

  const timer = setInterval(tick, everyMs);
  timer.unref();
  // A commit ends a rest at once; commits that follow each other wait for the interval.
  const stopListening = resting?.postgres.commits.listen(() => {
    if (performance.now() - ranAt >= everyMs) void tick();
  });
  return () => {
    clearInterval(timer);
    stopListening?.();
  };
};
