// Updates a tenant's features and emits an event for each changed status, in one transaction.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { type Ability, type DataChange, type FeatureState, featureChanges, featureStates } from './feature.ts';

export const listFeatures = (sql: Sql, tenant: Tenant): Promise<FeatureState[]> => sql<FeatureState[]>`
  select feature, has_data as "hasData", status, previous_status as "previousStatus"
  from store.feature where store = ${tenant.store} and environment = ${tenant.environment}`;

const saveFeatures = async (sql: Sql, tenant: Tenant, states: readonly FeatureState[], at: Date): Promise<void> => {
  for (const state of states) {
    await sql`
      insert into store.feature (store, environment, feature, has_data, status, previous_status, changed_at)
      values (${tenant.store}, ${tenant.environment}, ${state.feature}, ${state.hasData}, ${state.status},
        ${state.previousStatus}, ${at})
      on conflict (store, environment, feature) do update
      set has_data = excluded.has_data, status = excluded.status, previous_status = excluded.previous_status,
        changed_at = excluded.changed_at`;
  }
};

export interface FeatureUpdate {
  readonly before: Ability;
  readonly after: Ability;
  readonly dataChange: DataChange | null;
}

/** The caller must hold the lock of the tenant's environment, so that updates run one after the other. */
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
