// Analyzes tables that have doubled in size. Without statistics Postgres assumes that an index by tenant is as
// selective as one by row, and connections keep plans made on that basis. The server's own daemon comes once a minute,
// in which a new store's orders may grow from none to thousands.
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Postgres } from './database.ts';

const LOOK_MS = 2_000;
/**
 * Same minimum as Postgres' own daemon. Above the maximum a table doubles so slowly that the daemon's interval of a
 * minute is short enough.
 */
const ROWS_MIN = 50;
const ROWS_MAX = 1_000_000;
const TABLES_MAX = 20;

export const refreshStatistics = async ({ sql }: Postgres): Promise<string[]> => {
  const grown = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname !~ '^(pg_|information_schema$)'
      and c.reltuples < ${ROWS_MAX}
      and pg_stat_get_mod_since_analyze(c.oid) >= greatest(${ROWS_MIN}::real, c.reltuples)
    limit ${TABLES_MAX}`;
  for (const { name } of grown) await sql.unsafe(`analyze ${name}`);
  return grown.map(({ name }) => name);
};

export const startStatistics = (postgres: Postgres, clock: Clock, log: Log): (() => void) =>
  repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    resting: { postgres, clock },
    work: () => refreshStatistics(postgres),
    failed: (problem) => log.debug({ err: problem }, 'failed to analyze tables'),
  });
