// Deletes rows after their retention period, in batches that are too small to block other writers.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { repeatedly } from './repetition.ts';
import { inSlices } from './slice.ts';

export interface RetentionRule {
  readonly what: string;
  readonly days: number;
  readonly forget: (sql: Sql, before: Date, limit: number) => Promise<number>;
}

export interface RetentionParts {
  readonly postgres: Pick<Postgres, 'sql' | 'available'>;
  /** Real time is used, since a sandbox's clock is never behind it. */
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Pick<Log, 'warn'>;
}

const DAY_MS = 86_400_000;
const SLICE = 1_000;
const EVERY_MS = 600_000;

export const forgetOld = (
  { postgres, clock }: Pick<RetentionParts, 'postgres' | 'clock'>,
  { days, forget }: RetentionRule,
): Promise<number> => {
  const before = new Date(clock.real() - days * DAY_MS);
  return inSlices((limit) => forget(postgres.sql, before, limit), SLICE);
};

export const startRetention = (parts: RetentionParts, all: readonly RetentionRule[]): (() => void) => {
  const failed = (problem: unknown, what?: string): void =>
    parts.log.warn({ err: problem, what }, 'failed to delete rows past their retention');
  return repeatedly({
    everyMs: EVERY_MS,
    able: () => parts.postgres.available,
    work: async () => {
      for (const rule of all) await forgetOld(parts, rule).catch((problem) => failed(problem, rule.what));
    },
    failed,
  });
};
