// SQL of the last reported state of each feature.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { FeatureState } from '#services/store/feature.ts';

export const listFeatures = (sql: Sql, tenant: Tenant): Promise<FeatureState[]> => sql<FeatureState[]>`
  select feature, has_data as "hasData", status, previous_status as "previousStatus"
  from store.feature where store = ${tenant.store} and environment = ${tenant.environment}`;

export const saveFeatures = async (
  sql: Sql,
  tenant: Tenant,
  states: readonly FeatureState[],
  at: Date,
): Promise<void> => {
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
