// Creates jobs for inbound feeds at their scheduled times, by their tenant's clock.

import { type Due, sequentialDue } from '#runtime/domain/due.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { type DueFeed, firstDueFeed, lockFeed, rescheduleFeed, scheduledFeeds } from './feed_table.ts';
import { hasQueuedJob, hasUnfinishedJobs, insertJob } from './job_table.ts';
import { syncJob } from './rpc.ts';

const POLL_MS = 5_000;
/** How long an advance of a sandbox's clock waits for one pull. */
const PULL_MS_MAX = 5_000;
const PULL_POLL_MS = 10;
const FEEDS_PER_ROUND = 500;

export interface ScheduleOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: () => void;
}

const pull = ({ postgres, clock, wake }: ScheduleOptions, { tenant, id, at }: DueFeed): Promise<number> =>
  postgres.transaction(async (tx) => {
    const feed = await lockFeed(tx.sql, tenant, id);
    if (feed?.next_sync_at?.getTime() !== at.getTime()) return 0;
    const now = clock.now(tenant);
    await rescheduleFeed(tx.sql, tenant, feed, now);
    if (await hasQueuedJob(tx.sql, tenant, id)) return 0;
    await insertJob(tx.sql, tenant, syncJob(feed, now));
    tx.afterCommit(wake);
    return 1;
  });

/** Creates a job for each due feed and returns the number created. Skips feeds whose last job is still queued. */
export const pullDue = async (options: ScheduleOptions): Promise<number> => {
  const { postgres, clock } = options;
  const scheduled = await scheduledFeeds(postgres.sql, new Date(clock.real()), FEEDS_PER_ROUND);
  let pulled = 0;
  for (const feed of scheduled)
    if (!clock.isFrozen(feed.tenant) && feed.at <= clock.now(feed.tenant)) pulled += await pull(options, feed);
  return pulled;
};

/** During an advance of a sandbox's clock, waits until the pulled rows are written, for at most PULL_MS_MAX. */
export const feedsDue = (options: ScheduleOptions): Due => {
  const { postgres, clock } = options;
  return sequentialDue(clock, {
    first: async (tenant, { target }) => {
      const feed = await firstDueFeed(postgres.sql, tenant, new Date(target));
      return feed && { id: feed.id, at: feed.at.getTime() };
    },
    fire: async (tenant, { id, at }) => {
      const pulled = await pull(options, { tenant, id, at: new Date(at) });
      const until = clock.real() + PULL_MS_MAX;
      while (clock.real() < until && (await hasUnfinishedJobs(postgres.sql, tenant))) await Bun.sleep(PULL_POLL_MS);
      return pulled > 0 ? ['feed'] : [];
    },
  });
};

export const startSchedule = (options: ScheduleOptions): (() => void) =>
  repeatedly({
    everyMs: POLL_MS,
    able: () => options.postgres.available,
    resting: {
      ...options,
      nextDue: async (until) => (await scheduledFeeds(options.postgres.sql, until, 1))[0]?.at ?? null,
    },
    work: () => pullDue(options),
    failed: (problem) => options.log.warn({ err: problem }, 'failed to pull scheduled feeds'),
  });
