// What Postgres knows of a table when it plans: looked at anew whenever the table has doubled.
//
// Of a table that it never looked at Postgres takes every column for equally telling, so that any index that begins with
// the tenant seems as good as the one that finds the row; and a connection keeps such a plan. Its own daemon comes once a
// minute, in which a new shop's orders may have grown from none to thousands.
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Postgres } from './database.ts';

const LOOK_MS = 2_000;
/** As many as Postgres' own daemon waits for. */
const ROWS_MIN = 50;
/** From here on the daemon's minute is short beside the time in which a table doubles. */
const ROWS_MAX = 1_000_000;
const TABLES_MAX = 20;

/** The tables that were looked at, each `schema.name`. */
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

/** Returns how to stop. */
export const startStatistics = (postgres: Postgres, clock: Clock, log: Log): (() => void) =>
  repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    resting: { postgres, clock },
    work: () => refreshStatistics(postgres),
    failed: (problem) => log.debug({ err: problem }, 'no table was looked at'),
  });
