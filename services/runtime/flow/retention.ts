// Forgets what is older than it has to be kept, in slices so small that none is in another's way.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';

export interface Kept {
  /** As the log names it. */
  readonly what: string;
  readonly days: number;
  /** Deletes at most so many of before then; how many. */
  readonly forget: (sql: Sql, before: Date, limit: number) => Promise<number>;
}

export interface RetentionParts {
  readonly postgres: Pick<Postgres, 'sql' | 'available'>;
  /** The real time: that of a sandbox is never behind it. */
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Pick<Log, 'warn'>;
}

const DAY_MS = 86_400_000;
const SLICE = 1_000;
/** Others write between two slices. */
const PAUSE_MS = 20;
const EVERY_MS = 600_000;

/** Until nothing is left that is too old; how many were. */
export const forgetOld = async (
  { postgres, clock }: Pick<RetentionParts, 'postgres' | 'clock'>,
  { days, forget }: Kept,
): Promise<number> => {
  const before = new Date(clock.real() - days * DAY_MS);
  let count = 0;
  for (;;) {
    const gone = await forget(postgres.sql, before, SLICE);
    count += gone;
    if (gone < SLICE) return count;
    await Bun.sleep(PAUSE_MS);
  }
};

/** Looks every ten minutes. Returns how to stop. */
export const startRetention = (parts: RetentionParts, all: readonly Kept[]): (() => void) => {
  let busy = false;
  const round = async (): Promise<void> => {
    for (const kept of all)
      await forgetOld(parts, kept).catch((problem: unknown) =>
        parts.log.warn({ err: problem, what: kept.what }, 'what is too old was not forgotten'),
      );
  };
  const timer = setInterval(() => {
    if (busy || !parts.postgres.available) return;
    busy = true;
    void round().finally(() => {
      busy = false;
    });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};
