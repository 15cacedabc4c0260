// Syncs channels as jobs, and makes those of changed catalogues due. A slow channel delays no other.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import type { ChannelAttempt } from './attempt.ts';
import { channelsToSync, type FoundChannel, markChannelsDue } from './table/channel.ts';

export const CHANNEL_JOB = 'channel';
export const LEASE_MS = 45_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
/** Interval in which changes are pushed together. */
const COALESCE_MS = 500;

/** A sync that waits for a channel's response occupies no place. */
export const syncJob = (attempt: ChannelAttempt): DeclaredJob =>
  job<FoundChannel>({
    name: CHANNEL_JOB,
    rows: channelsToSync,
    clock: 'tenant',
    leaseMs: LEASE_MS,
    atOnce: 8,
    perTenant: 4,
    retryMs: [LEASE_MS],
    run: async (channel, { whileWaiting }) => {
      await attempt(channel, ATTEMPT_TIMEOUT_MS, whileWaiting);
      return 'ended';
    },
  });

interface CatalogueFollower {
  noteChange(tenant: Tenant): void;
  /** Returns a function that stops the follower. */
  start(): () => void;
}

/** Makes channels of changed catalogues due. */
export const openCatalogueFollower = ({
  clock,
  jobs,
  log,
  postgres,
}: Pick<Runtime, 'clock' | 'jobs' | 'log' | 'postgres'>): CatalogueFollower => {
  const changed = new Map<TenantKey, Tenant>();

  const markDue = async (): Promise<void> => {
    // Leaves out tenants whose clock is being moved: clock_advance.ts syncs their channels.
    const tenants = [...changed.values()].filter((tenant) => !clock.isFrozen(tenant));
    for (const tenant of tenants) changed.delete(tenantKey(tenant));
    const changes = tenants.map((tenant) => ({ tenant, now: clock.now(tenant) }));
    try {
      if (changes.length > 0 && (await markChannelsDue(postgres.sql, changes))) jobs.wake(CHANNEL_JOB);
    } catch (error) {
      for (const tenant of tenants) changed.set(tenantKey(tenant), tenant);
      throw error;
    }
  };

  return {
    noteChange: (tenant) => changed.set(tenantKey(tenant), tenant),
    start: () =>
      repeatedly({
        everyMs: COALESCE_MS,
        able: () => changed.size > 0 && postgres.available,
        work: markDue,
        failed: (error) => log.warn({ err: error }, 'failed to make channels of changed catalogues due; will retry'),
      }),
  };
};
