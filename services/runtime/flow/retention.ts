// Forgets what is older than it has to be rule, in slices so small that none is in another's way.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { repeatedly } from './repetition.ts';
import { inSlices } from './slice.ts';

export interface RetentionRule {
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
const EVERY_MS = 600_000;

/** Until nothing is left that is too old; how many were. */
export const forgetOld = (
  { postgres, clock }: Pick<RetentionParts, 'postgres' | 'clock'>,
  { days, forget }: RetentionRule,
): Promise<number> => {
  const before = new Date(clock.real() - days * DAY_MS);
  return inSlices((limit) => forget(postgres.sql, before, limit), SLICE);
};

/** Looks every ten minutes. Returns how to stop. */
export const startRetention = (parts: RetentionParts, all: readonly RetentionRule[]): (() => void) => {
  const failed = (problem: unknown, what?: string): void =>
    parts.log.warn({ err: problem, what }, 'what is too old was not forgotten');
  return repeatedly({
    everyMs: EVERY_MS,
    able: () => parts.postgres.available,
    work: async () => {
      for (const rule of all) await forgetOld(parts, rule).catch((problem) => failed(problem, rule.what));
    },
    failed,
  });
};
