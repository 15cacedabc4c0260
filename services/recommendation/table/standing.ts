// SQL of standings: whether a tenant's sightings say what is likely next, and whether that was told.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface RecommendationState {
  readonly available: boolean;
  /** The pair of products that proves it. */
  readonly one: string | null;
  readonly other: string | null;
  readonly told: boolean;
}

export const findStanding = async (sql: Sql, tenant: Tenant): Promise<RecommendationState | null> => {
  const [standing] = await sql<RecommendationState[]>`
    select available, one, other, told from recommendation.standing
    where store = ${tenant.store} and environment = ${tenant.environment}`;
  return standing ?? null;
};

/** Locked: one judgement comes after the other. Made where there was none. */
export const lockStanding = async (sql: Sql, tenant: Tenant): Promise<RecommendationState> => {
  await sql`
    insert into recommendation.standing (store, environment, available, told)
    values (${tenant.store}, ${tenant.environment}, false, true)
    on conflict (store, environment) do nothing`;
  const [standing] = await sql<RecommendationState[]>`
    select available, one, other, told from recommendation.standing
    where store = ${tenant.store} and environment = ${tenant.environment} for update`;
  return standing as RecommendationState;
};

export const saveStanding = async (
  sql: Sql,
  tenant: Tenant,
  pair: { readonly one: string; readonly other: string } | null,
  told: boolean,
): Promise<void> => {
  await sql`
    update recommendation.standing
    set available = ${pair !== null}, one = ${pair?.one ?? null}, other = ${pair?.other ?? null}, told = ${told}
    where store = ${tenant.store} and environment = ${tenant.environment}`;
};

export const forgetStanding = async (sql: Sql, tenant: Tenant): Promise<void> => {
  await sql`
    update recommendation.standing set available = false, one = null, other = null, told = false
    where store = ${tenant.store} and environment = ${tenant.environment}`;
};

/** Where it still says so. */
export const noteTold = async (sql: Sql, tenant: Tenant, available: boolean): Promise<void> => {
  await sql`
    update recommendation.standing set told = true
    where store = ${tenant.store} and environment = ${tenant.environment} and available = ${available}`;
};

export const untoldStandings = (sql: Sql, limit: number): Promise<Tenant[]> => sql<Tenant[]>`
  select store, environment from recommendation.standing where not told limit ${limit}`;

/** Every tenant that has ever had a sighting, in order, behind one of them. */
export const standingsAfter = (sql: Sql, after: Tenant | null, limit: number): Promise<Tenant[]> => sql<Tenant[]>`
  select store, environment from recommendation.standing
  where ${after === null ? sql`true` : sql`(store, environment) > (${after.store}::uuid, ${after.environment})`}
  order by store, environment limit ${limit}`;
