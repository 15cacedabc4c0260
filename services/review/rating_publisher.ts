// Sends ratings to the catalogue, and the availability of reviews to the store's features. The rows record each
// successful publication, so that a failed one is repeated.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { markRatingsPublished, unpublishedRatings } from './table/rating.ts';
import { lockUnpublishedAvailability, markAvailabilityPublished, unpublishedTenants } from './table/state.ts';

export interface RatingPublisher {
  publishSoon(tenant: Tenant): void;
  publishAll(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Products sent in one call. Each call creates a catalogue revision. */
const PRODUCTS_AT_ONCE = 500;
const GATHER_MS = 20;
const LOOK_MS = 1_000;
const TENANTS_MAX = 100;
/** Each tenant's publication holds a database connection while another domain responds. */
const TENANTS_AT_ONCE = 4;

interface OngoingPublication {
  changedMeanwhile: boolean;
  readonly done: Promise<void>;
}

export const openRatingPublisher = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  { askDetached }: DomainClient,
): RatingPublisher => {
  const scheduled = new Map<TenantKey, ReturnType<typeof setTimeout>>();
  const running = new Map<TenantKey, OngoingPublication>();
  const semaphore = new Semaphore(TENANTS_AT_ONCE);
  let stopPolling = (): void => {};
  let stopped = false;

  const publishRatings = async (tenant: Tenant): Promise<void> => {
    for (;;) {
      const unpublished = await unpublishedRatings(postgres.sql, tenant, PRODUCTS_AT_ONCE);
      if (unpublished.length === 0) return;
      await askDetached(
        'CatalogDirectory/RefreshRatings',
        { tenant },
        { product_ids: unpublished.map(({ product_id }) => product_id) },
      );
      const noted = await postgres.transaction(async ({ sql }) => {
        const { shut } = (await enterSandboxes(sql, [tenant]))(tenant);
        if (!shut) await markRatingsPublished(sql, tenant, unpublished);
        return !shut;
      });
      if (!noted || unpublished.length < PRODUCTS_AT_ONCE) return;
    }
  };

  /**
   * Reports a change of availability to the store. Locks the tenant's row during the call, so that two changes are
   * reported in order.
   */
  const publishAvailability = (tenant: Tenant): Promise<void> =>
    postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      const available = stateOf(tenant).shut ? null : await lockUnpublishedAvailability(sql, tenant);
      if (available === null) return;
      await askDetached('StoreDirectory/ReportFeature', { tenant }, { feature: 'reviews', has_data: available });
      await markAvailabilityPublished(sql, tenant, available);
    });

  const round = async (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    let publication: OngoingPublication;
    do {
      publication = running.get(key)!;
      publication.changedMeanwhile = false;
      await semaphore.run(async () => {
        await publishRatings(tenant);
        await publishAvailability(tenant);
      });
    } while (publication.changedMeanwhile && !stopped);
  };

  /** Publishes a tenant's changes, one run at a time. A change during a run causes another run. */
  const publish = (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    const known = running.get(key);
    if (known) {
      known.changedMeanwhile = true;
      return known.done;
    }
    const done = Promise.resolve()
      .then(() => round(tenant))
      .finally(() => running.delete(key));
    running.set(key, { changedMeanwhile: false, done });
    return done;
  };

  const publishInBackground = (tenant: Tenant): void => {
    publish(tenant).catch((problem) =>
      log.debug({ err: problem, tenant: tenantKey(tenant) }, 'failed to publish ratings, will retry'),
    );
  };

  const unpublished = (): Promise<Tenant[]> => unpublishedTenants(postgres.sql, TENANTS_MAX);

  return {
    publishSoon: (tenant) => {
      const key = tenantKey(tenant);
      if (stopped || scheduled.has(key)) return;
      const timer = setTimeout(() => {
        scheduled.delete(key);
        publishInBackground(tenant);
      }, GATHER_MS);
      scheduled.set(key, timer);
    },
    publishAll: async () => {
      for (const tenant of await unpublished()) await publish(tenant);
    },
    start: () => {
      stopPolling = repeatedly({
        everyMs: LOOK_MS,
        able: () => postgres.available,
        resting: { postgres, clock, nextDue: async () => dueAtOnce((await unpublished()).length > 0) },
        work: async () => (await unpublished()).forEach(publishInBackground),
        failed: (problem) => log.debug({ err: problem }, 'failed to find unpublished ratings'),
      });
    },
    stop: async () => {
      stopped = true;
      stopPolling();
      for (const timer of scheduled.values()) clearTimeout(timer);
      scheduled.clear();
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
};
