// Creates jobs for inbound feeds at their scheduled times, by their tenant's clock.

import type { DueItem, ListedDue } from '#runtime/domain/due.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { dueFeeds, lockFeed, rescheduleFeed } from './feed_table.ts';
import { hasQueuedJob, hasUnfinishedJobs, insertJob } from './job_table.ts';
import { syncJob } from './rpc.ts';

/** How long an advance of a sandbox's clock waits for one pull. */
const PULL_MS_MAX = 5_000;
const PULL_POLL_MS = 10;

export interface ScheduleOptions {
  readonly postgres: Pick<Postgres, 'sql'>;
  readonly clock: Clock;
  readonly wake: () => void;
}

/** Creates a job, unless the feed's last job is still queued. */
const pull = async (
  tx: Transaction,
  { clock, wake }: Pick<ScheduleOptions, 'clock' | 'wake'>,
  { tenant, id, at }: DueItem,
): Promise<number> => {
  const feed = await lockFeed(tx.sql, tenant, id);
  if (feed?.next_sync_at?.getTime() !== at) return 0;
  const now = clock.now(tenant);
  await rescheduleFeed(tx.sql, tenant, feed, now);
  if (await hasQueuedJob(tx.sql, tenant, id)) return 0;
  await insertJob(tx, tenant, syncJob(feed, now));
  tx.afterCommit(wake);
  return 1;
};

/** During an advance of a sandbox's clock, waits until the pulled rows are written, for at most PULL_MS_MAX. */
export const feedsDue = (options: ScheduleOptions): ListedDue => {
  const { postgres, clock } = options;
  return {
    name: 'scheduled feeds',
    list: dueFeeds,
    fire: async (tx, item) => ({ types: (await pull(tx, options, item)) > 0 ? ['feed'] : [] }),
    separate: {
      settled: async (tenant) => {
        const until = clock.real() + PULL_MS_MAX;
        while (clock.real() < until && (await hasUnfinishedJobs(postgres.sql, tenant))) await Bun.sleep(PULL_POLL_MS);
      },
    },
  };
};
