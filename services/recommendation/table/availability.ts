// SQL of the availability of recommendations, one row per tenant.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface AvailabilityRecord {
  readonly available: boolean;
  readonly one: string | null;
  readonly other: string | null;
  readonly published: boolean;
}

export const findAvailability = async (sql: Sql, tenant: Tenant): Promise<AvailabilityRecord | null> => {
  const [state] = await sql<AvailabilityRecord[]>`
    select available, one, other, published from recommendation.availability
    where store = ${tenant.store} and environment = ${tenant.environment}`;
  return state ?? null;
};

/** Locks the tenant's row (created if missing), so that checks run one after another. */
export const lockAvailability = async (sql: Sql, tenant: Tenant): Promise<AvailabilityRecord> => {
  await sql`
    insert into recommendation.availability (store, environment, available, published)
    values (${tenant.store}, ${tenant.environment}, false, true)
    on conflict (store, environment) do nothing`;
  const [state] = await sql<AvailabilityRecord[]>`
    select available, one, other, published from recommendation.availability
    where store = ${tenant.store} and environment = ${tenant.environment} for update`;
  return state as AvailabilityRecord;
};

export const saveAvailability = async (
  sql: Sql,
  tenant: Tenant,
  pair: { readonly one: string; readonly other: string } | null,
  published: boolean,
): Promise<void> => {
  await sql`
    update recommendation.availability
    set available = ${pair !== null}, one = ${pair?.one ?? null}, other = ${pair?.other ?? null}, published = ${published}
    where store = ${tenant.store} and environment = ${tenant.environment}`;
};

export const resetAvailability = async (sql: Sql, tenant: Tenant): Promise<void> => {
  await sql`
    update recommendation.availability set available = false, one = null, other = null, published = false
    where store = ${tenant.store} and environment = ${tenant.environment}`;
};

export const markPublished = async (sql: Sql, tenant: Tenant, available: boolean): Promise<void> => {
  await sql`
    update recommendation.availability set published = true
    where store = ${tenant.store} and environment = ${tenant.environment} and available = ${available}`;
};

export const unpublishedTenants = (sql: Sql, limit: number): Promise<Tenant[]> => sql<Tenant[]>`
  select store, environment from recommendation.availability where not published limit ${limit}`;

export const tenantsAfter = (sql: Sql, after: Tenant | null, limit: number): Promise<Tenant[]> => sql<Tenant[]>`
  select store, environment from recommendation.availability
  where ${after === null ? sql`true` : sql`(store, environment) > (${after.store}::uuid, ${after.environment})`}
  order by store, environment limit ${limit}`;
