// SQL of a tenant's reviews as a whole: their revision, how many are approved, what the store's features know of that.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/**
 * The next revision, which bears what this transaction changes. The last of its locks: the next transaction commits after
 * it, so that revisions appear in order.
 */
export const raiseRevision = async (
  sql: Sql,
  { store, environment }: Tenant,
  approvedBy: 1 | 0 | -1,
): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into review.standing as s (store, environment, revision, approved, told)
    values (${store}, ${environment}, 1, ${Math.max(approvedBy, 0)}, false)
    on conflict (store, environment) do update
    set revision = s.revision + 1, approved = s.approved + ${approvedBy}
    returning revision`;
  return row!.revision;
};

/** 0 for a tenant without any review ever. */
export const currentRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    select revision from review.standing where store = ${store} and environment = ${environment}`;
  return row?.revision ?? 0;
};

/** A sandbox began anew: whatever was kept of its reviews is stale. Null where there never was one. */
export const resetStanding = async (sql: Sql, { store, environment }: Tenant): Promise<number | null> => {
  const [row] = await sql<{ revision: number }[]>`
    update review.standing set revision = revision + 1, approved = 0
    where store = ${store} and environment = ${environment} returning revision`;
  return row?.revision ?? null;
};

/** Whether there are approved reviews, where the features were told otherwise; nothing else changes that meanwhile. */
export const lockUntold = async (sql: Sql, { store, environment }: Tenant): Promise<boolean | null> => {
  const [row] = await sql<{ available: boolean }[]>`
    select approved > 0 as available from review.standing
    where store = ${store} and environment = ${environment} and told <> (approved > 0) for no key update`;
  return row?.available ?? null;
};

export const noteFeatureTold = async (sql: Sql, { store, environment }: Tenant, available: boolean): Promise<void> => {
  await sql`
    update review.standing set told = ${available} where store = ${store} and environment = ${environment}`;
};

/** Of whose reviews the catalogue or the store's features do not know the latest. */
export const untoldTenants = (sql: Sql, limit: number): Promise<Tenant[]> => sql<Tenant[]>`
  select store, environment from (
    select store, environment from review.rating where told < version
    union
    select store, environment from review.standing where told <> (approved > 0)
  ) as untold limit ${limit}`;
