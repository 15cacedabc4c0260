// Deletes rows after their retention period, in batches that are too small to block other writers.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { repeatedly } from './repetition.ts';
import { inSlices } from './slice.ts';

export interface RetentionRule {
  readonly what: string;
  /** Null: rows are only deleted for a store that sets how long it retains them. */
  readonly days: number | null;
  /** Names the setting by which a store retains its rows for another number of days. */
  readonly setting?: string;
  /** Deletes rows of all stores, or of the one. */
  readonly forget: (sql: Sql, before: Date, limit: number, store: string | null) => Promise<number>;
}

export interface StoreDays {
  readonly store: string;
  /** Days by the name of the setting. */
  readonly days: Readonly<Record<string, number>>;
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

export const forgetOld = async (
  { postgres, clock }: Pick<RetentionParts, 'postgres' | 'clock'>,
  { days, setting, forget }: RetentionRule,
  stores: readonly StoreDays[] = [],
): Promise<number> => {
  const forgetOf = (store: string | null, retained: number): Promise<number> => {
    const before = new Date(clock.real() - retained * DAY_MS);
    return inSlices((limit) => forget(postgres.sql, before, limit, store), SLICE);
  };
  let gone = days === null ? 0 : await forgetOf(null, days);
  for (const { store, days: own } of stores) {
    const retained = setting === undefined ? undefined : own[setting];
    if (retained !== undefined) gone += await forgetOf(store, retained);
  }
  return gone;
};

export const startRetention = (
  parts: RetentionParts,
  all: readonly RetentionRule[],
  storesOf: () => Promise<readonly StoreDays[]>,
): (() => void) => {
  const failed = (problem: unknown, what?: string): void =>
    parts.log.warn({ err: problem, what }, 'failed to delete rows past their retention');
  return repeatedly({
    everyMs: EVERY_MS,
    able: () => parts.postgres.available,
    work: async () => {
      const stores = await storesOf();
      for (const rule of all) await forgetOld(parts, rule, stores).catch((problem) => failed(problem, rule.what));
    },
    failed,
  });
};
