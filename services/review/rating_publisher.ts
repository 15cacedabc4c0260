// Sends ratings to the catalogue, and the availability of reviews to the store's features. The rows record each
// successful publication, so that a failed one is repeated.
import type { Tenant } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { JobRow } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { markRatingsPublished, unpublishedRatings } from './table/rating.ts';
import {
  endPublication,
  lockUnpublishedAvailability,
  markAvailabilityPublished,
  unpublishedTenants,
} from './table/state.ts';

export const RATING_JOB = 'rating';

export interface RatingPublisher {
  /** Returns false if the sandbox is being reset. */
  publish(tenant: Tenant): Promise<boolean>;
  readonly job: DeclaredJob;
}

/** Products sent in one call. Each call creates a catalogue revision. */
const PRODUCTS_AT_ONCE = 500;
/** Each tenant's publication holds a database connection while another domain responds. */
const TENANTS_AT_ONCE = 4;

export const openRatingPublisher = (
  { postgres }: Pick<Runtime, 'postgres'>,
  { askDetached }: Pick<DomainClient, 'askDetached'>,
): RatingPublisher => {
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
  const publishAvailability = (tenant: Tenant): Promise<boolean> =>
    postgres.transaction(async ({ sql }) => {
      if ((await enterSandboxes(sql, [tenant]))(tenant).shut) return false;
      const available = await lockUnpublishedAvailability(sql, tenant);
      if (available !== null) {
        await askDetached('StoreDirectory/ReportFeature', { tenant }, { feature: 'reviews', has_data: available });
        await markAvailabilityPublished(sql, tenant, available);
      }
      await endPublication(sql, tenant);
      return true;
    });

  const publish: RatingPublisher['publish'] = async (tenant) => {
    await publishRatings(tenant);
    return publishAvailability(tenant);
  };

  return {
    publish,
    job: job<JobRow>({
      name: RATING_JOB,
      rows: unpublishedTenants,
      clock: 'real',
      leaseMs: 15_000,
      atOnce: TENANTS_AT_ONCE,
      perTenant: 1,
      retryMs: [1_000],
      run: async (tenant) => ((await publish(tenant)) ? 'ended' : 'again'),
    }),
  };
};
