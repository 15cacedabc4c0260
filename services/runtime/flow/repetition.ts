// Work that is done again and again, never twice at once; it rests while there can be none.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';

/** Work that only a commit or the time can bring about. */
export interface Resting {
  readonly postgres: Pick<Postgres, 'commits'>;
  readonly clock: Pick<Clock, 'real' | 'moved'>;
  /** Whether any work will be due until then by the real clock; left out: only a commit brings it about. */
  readonly isDue?: (until: Date) => Promise<boolean>;
}

export interface Repeated {
  readonly everyMs: number;
  /** Not begun while this is false: the database is away. */
  readonly able: () => boolean;
  readonly work: () => Promise<unknown>;
  readonly failed: (problem: unknown) => void;
  /** Left out: the work is done each time. */
  readonly resting?: Resting;
}

/** The longest rest: work that becomes due within it is found before the rest begins. */
const REST_MS = 60_000;

/** Returns how to stop. What is under way then ends by itself. */
export const repeatedly = ({ everyMs, able, work, failed, resting }: Repeated): (() => void) => {
  let busy = false;
  let restsUntil = 0;
  let seen = -1;

  const rest = async ({ postgres, clock, isDue }: Resting, count: number): Promise<void> => {
    const until = clock.real() + REST_MS;
    // Sandboxes with clocks of their own have due times of their own.
    const moved = isDue !== undefined && clock.moved().length > 0;
    if (moved || postgres.commits.count !== count || (await isDue?.(new Date(until + everyMs)))) return;
    seen = count;
    restsUntil = until;
  };

  const tick = async (): Promise<void> => {
    if (busy || !able()) return;
    if (resting && seen === resting.postgres.commits.count && resting.clock.real() < restsUntil) return;
    busy = true;
    restsUntil = 0;
    const count = resting?.postgres.commits.count ?? 0;
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
  const stopListening = resting?.postgres.commits.listen(() => void tick());
  return () => {
    clearInterval(timer);
    stopListening?.();
  };
};
