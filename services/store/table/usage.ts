// SQL of usage: counters of fixed windows, added to in one statement.
import type { Sql } from '#runtime/postgres.ts';
import type { UsageEntry } from '#services/store/usage.ts';

/** Adds the counts; answers what now stands in the same windows, other edges' counts included. */
export const addUsage = (sql: Sql, entries: readonly UsageEntry[]): Promise<UsageEntry[]> =>
  // Summed, because one statement may not touch a row twice; in order, so that two edges never wait for each other.
  sql<UsageEntry[]>`
    insert into store.usage_window as w (store, scope, subject, window_start, count)
    select store, scope, subject, to_timestamp(window_start), sum(count)
    from jsonb_to_recordset(${sql.json(entries as never)})
      as e(store uuid, scope text, subject text, window_start float8, count bigint)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (store, scope, subject, window_start) do update set count = w.count + excluded.count
    returning scope, subject, extract(epoch from window_start)::float8 as window_start, count, store`;

/** What stands in the windows named; windows in which nothing was counted are left out. */
export const readUsage = (sql: Sql, windows: readonly Omit<UsageEntry, 'count'>[]): Promise<UsageEntry[]> =>
  sql<UsageEntry[]>`
    select w.scope, w.subject, extract(epoch from w.window_start)::float8 as window_start, w.count, w.store
    from jsonb_to_recordset(${sql.json(windows as never)})
      as e(store uuid, scope text, subject text, window_start float8)
    join store.usage_window w on w.store = e.store and w.scope = e.scope and w.subject = e.subject
      and w.window_start = to_timestamp(e.window_start)`;

/** Months stay; shorter windows are of no use to anybody once they are over. */
export const dropUsage = async (sql: Sql, before: Date): Promise<void> => {
  await sql`delete from store.usage_window where scope <> 'month' and window_start < ${before}`;
};
