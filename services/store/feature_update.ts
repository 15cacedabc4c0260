// Takes a tenant's features over from one state to the next, and tells each change in the same transaction.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { type Ability, cross, type DataNews, featureStates } from './feature.ts';
import { listFeatures, saveFeatures } from './table/feature.ts';

export interface FeatureUpdate {
  /** What a feature of which nothing is stored is judged by. */
  readonly before: Ability;
  readonly after: Ability;
  /** Null where only the plan or a setting changed. */
  readonly news: DataNews | null;
}

/** The tenant's environment is locked by the caller, so that two occasions follow one another. */
export const updateFeatures = async (
  tx: Transaction,
  clock: Clock,
  tenant: Tenant,
  update: FeatureUpdate,
): Promise<void> => {
  const states = featureStates(await listFeatures(tx.sql, tenant), update.before);
  const { changed, crossed } = cross(states, update.after, update.news);
  if (changed.length === 0) return;
  await saveFeatures(tx.sql, tenant, changed, clock.now(tenant));
  await tx.emit(
    tenant,
    crossed.map(({ feature, status, previousStatus }) => ({
      type: 'feature.status_changed',
      object: { feature, status, previous_status: previousStatus },
    })),
  );
};
