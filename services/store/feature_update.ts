// Updates a tenant's features and emits an event for each change of status, in one transaction.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { type Ability, type DataChange, featureChanges, featureStates } from './feature.ts';
import { listFeatures, saveFeatures } from './table/feature.ts';

export interface FeatureUpdate {
  readonly before: Ability;
  readonly after: Ability;
  readonly dataChange: DataChange | null;
}

/** The caller holds the lock of the tenant's environment, so that updates follow one another. */
export const updateFeatures = async (
  tx: Transaction,
  clock: Clock,
  tenant: Tenant,
  update: FeatureUpdate,
): Promise<void> => {
  const states = featureStates(await listFeatures(tx.sql, tenant), update.before);
  const { changed, statusChanges } = featureChanges(states, update.after, update.dataChange);
  if (changed.length === 0) return;
  await saveFeatures(tx.sql, tenant, changed, clock.now(tenant));
  await tx.emit(
    tenant,
    statusChanges.map(({ feature, status, previousStatus }) => ({
      type: 'feature.status_changed',
      object: { feature, status, previous_status: previousStatus },
    })),
  );
};
