// Reads a database's use from Postgres' own statistics: its transactions, and its statements with their texts.
import type { Sql } from '#runtime/postgres/sql.ts';

/** Settings of a server that counts, without its own background work. */
export const STATISTICS_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  'pg_stat_statements.track_utility': 'on',
  autovacuum: 'off',
} as const;

export interface CountedStatement {
  readonly text: string;
  readonly calls: number;
}

export interface DatabaseUse {
  /** Transactions that began or that wrote, the larger count of the two. A single statement that writes is a transaction. */
  readonly transactions: number;
  /** All of them: to begin a transaction is one, to end it another. */
  readonly statements: number;
  /** The most frequent first. */
  readonly calls: readonly CountedStatement[];
}

interface Count {
  readonly started: number;
  /** Transaction ids taken: each transaction that writes takes one, from one sequence for the whole server. */
  readonly wrote: number;
  readonly calls: readonly CountedStatement[];
}

export interface UseCounter {
  read(): Promise<Count>;
}

/** `sql` is of another database of the server than the one that is counted: to ask does not count. */
export const openCounter = async (sql: Sql, database: string): Promise<UseCounter> => {
  await sql`create extension if not exists pg_stat_statements`;
  return {
    async read() {
      const [ids] = await sql<{ wrote: number }[]>`
        select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as wrote`;
      const calls = await sql<CountedStatement[]>`
        select query as text, sum(calls)::bigint as calls from pg_stat_statements as counted
        join pg_database as base on base.oid = counted.dbid
        where datname = ${database} group by query`;
      return { started: calls.find(({ text }) => text === 'begin')?.calls ?? 0, wrote: ids!.wrote, calls };
    },
  };
};

const ofCalls = (before: Count, after: Count): Map<string, number> => {
  const known = new Map(before.calls.map(({ text, calls }) => [text, calls]));
  return new Map(after.calls.map(({ text, calls }) => [text, calls - (known.get(text) ?? 0)]));
};

export interface Measured {
  /** Number of repetitions of the work. */
  readonly times: number;
  /** How long the work took, and how long the server was watched while it did nothing. */
  readonly workMs: number;
  readonly idleMs: number;
}

/** Difference of two counts, less the work of an idle system in the same time. */
export const useBetween = (
  [idle, before, after]: readonly [Count, Count, Count],
  { times, workMs, idleMs }: Measured,
): DatabaseUse => {
  const share = workMs / idleMs;
  const resting = ofCalls(idle, before);
  const calls = Array.from(ofCalls(before, after), ([text, count]) => ({
    text: text.replace(/\s+/g, ' '),
    calls: Math.max(0, count - (resting.get(text) ?? 0) * share) / times,
  }))
    .filter((each) => each.calls > 0)
    .toSorted((a, b) => b.calls - a.calls);
  const started = after.started - before.started - (before.started - idle.started) * share;
  const wrote = after.wrote - before.wrote - (before.wrote - idle.wrote) * share;
  return {
    transactions: Math.max(started, wrote) / times,
    statements: calls.reduce((sum, each) => sum + each.calls, 0),
    calls,
  };
};
