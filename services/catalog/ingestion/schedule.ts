// Pulls feeds when their time has come, by the clock of their tenant.
import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import type { Postgres } from '#runtime/postgres.ts';
import { type DueFeed, lockFeed, rescheduleFeed, scheduledFeeds } from './feed_table.ts';
import { feedIsQueued, insertJob } from './job_table.ts';
import { syncJob } from './rpc.ts';

const LOOK_MS = 5_000;
const FEEDS_AT_ONCE = 500;

export interface ScheduleOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: () => void;
}

/** Makes a job of every feed that is due; how many. A feed whose last job still waits is passed over this once. */
export const pullDue = async ({ postgres, clock, wake }: ScheduleOptions): Promise<number> => {
  const scheduled = await scheduledFeeds(postgres.sql, new Date(clock.real()), FEEDS_AT_ONCE);
  const pull = ({ tenant, id, at }: DueFeed): Promise<number> =>
    postgres.transaction(async (tx) => {
      const feed = await lockFeed(tx.sql, tenant, id);
      // Another host was faster, or its owner changed it.
      if (feed?.next_sync_at?.getTime() !== at.getTime()) return 0;
      const now = clock.now(tenant);
      await rescheduleFeed(tx.sql, tenant, feed, now);
      if (await feedIsQueued(tx.sql, tenant, id)) return 0;
      await insertJob(tx.sql, tenant, syncJob(feed, now));
      tx.afterCommit(wake);
      return 1;
    });
  let pulled = 0;
  for (const feed of scheduled) if (feed.at <= clock.now(feed.tenant)) pulled += await pull(feed);
  return pulled;
};

/** Looks every few seconds. Returns how to stop. */
export const startSchedule = (options: ScheduleOptions): (() => void) => {
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking || !options.postgres.available) return;
    looking = true;
    try {
      await pullDue(options);
    } catch (problem) {
      options.log.warn({ err: problem }, 'scheduled feeds were not pulled');
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
};
