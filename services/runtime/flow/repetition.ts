// Repeats work at an interval, one run at a time. Work that only a commit or a due time can cause is skipped in
// between.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';

export interface Resting {
  readonly postgres: Pick<Postgres, 'commits'>;
  readonly clock: Pick<Clock, 'real' | 'moved'>;
  /** Returns the earliest real time up to `until` at which work falls due, or null. Absent: only commits cause work. */
  readonly nextDue?: (until: Date) => Promise<Date | null>;
}

export interface Repeated {
  readonly everyMs: number;
  /** Returns false while no run may start, for example while Postgres is unavailable. */
  readonly able: () => boolean;
  readonly work: () => Promise<unknown>;
  readonly failed: (problem: unknown) => void;
  readonly resting?: Resting;
}

const REST_MS_MAX = 5 * 60_000;

/** Result of `nextDue` for work that is due at once if there is any. */
export const dueAtOnce = (any: boolean): Date | null => (any ? new Date(0) : null);

/** Starts the repetition. Returns a function that stops it; a run in progress still completes. */
export const repeatedly = ({ everyMs, able, work, failed, resting }: Repeated): (() => void) => {
  let busy = false;
  let ranAt = Number.NEGATIVE_INFINITY;
  let restsUntil = 0;
  let restsAtCount = -1;

  const rest = async ({ postgres, clock, nextDue }: Resting, count: number): Promise<void> => {
    const until = clock.real() + REST_MS_MAX;
    if (postgres.commits.count !== count) return;
    const due = await nextDue?.(new Date(until));
    restsAtCount = count;
    restsUntil = Math.min(until, due?.getTime() ?? until);
  };

  const rests = ({ clock, nextDue }: Resting, count: number): boolean =>
    restsAtCount === count &&
    clock.real() < restsUntil &&
    // Due times of a sandbox whose clock is advanced do not follow real time.
    (nextDue === undefined || clock.moved().length === 0);

  const tick = async (): Promise<void> => {
    if (busy || !able()) return;
    const count = resting?.postgres.commits.count ?? 0;
    if (resting && rests(resting, count)) return;
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
  // A commit ends a rest at once; further commits wait for the interval.
  const stopListening = resting?.postgres.commits.listen(() => {
    return performance.now() - ranAt >= everyMs ? tick() : undefined;
  });
  return () => {
    clearInterval(timer);
    stopListening?.();
  };
};
