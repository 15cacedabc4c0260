// SQL of a tenant's review state: the revision, the number of approved reviews, and the published availability.
import type { Tenant } from '#runtime/call/call.ts';
import type { JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/**
 * Raises the revision. Call this last in a transaction that takes other locks, so that revisions appear in the order of
 * commits.
 */
export const raiseRevision = async (
  sql: Sql,
  { store, environment }: Tenant,
  approvedBy: 1 | 0 | -1,
): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into review.state as s (store, environment, revision, approved, published_availability)
    values (${store}, ${environment}, 1, ${Math.max(approvedBy, 0)}, false)
    on conflict (store, environment) do update
    set revision = s.revision + 1, approved = s.approved + ${approvedBy}
    returning revision`;
  return row!.revision;
};

export const currentRevision = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    select revision from review.state where store = ${store} and environment = ${environment}`;
  return row?.revision ?? 0;
};

/** Raises the revision so that caches drop a sandbox's reviews. Returns null if the tenant never had one. */
export const resetState = async (sql: Sql, { store, environment }: Tenant): Promise<number | null> => {
  const [row] = await sql<{ revision: number }[]>`
    update review.state set revision = revision + 1, approved = 0
    where store = ${store} and environment = ${environment} returning revision`;
  return row?.revision ?? null;
};

/**
 * Returns the availability to publish and locks the row until the transaction ends; null if the store's features
 * already show it.
 */
export const lockUnpublishedAvailability = async (
  sql: Sql,
  { store, environment }: Tenant,
): Promise<boolean | null> => {
  const [row] = await sql<{ available: boolean }[]>`
    select approved > 0 as available from review.state
    where store = ${store} and environment = ${environment} and published_availability <> (approved > 0) for no key update`;
  return row?.available ?? null;
};

export const markAvailabilityPublished = async (
  sql: Sql,
  { store, environment }: Tenant,
  available: boolean,
): Promise<void> => {
  await sql`
    update review.state set published_availability = ${available} where store = ${store} and environment = ${environment}`;
};

/** Tenants whose ratings or availability are to be published. A publication ends by `endPublication`. */
export const unpublishedTenants: JobTable = {
  table: 'review.state',
  due: 'publish_at',
  lease: 'publish_at',
  only: (sql) => sql`(job.store, job.environment) in (
    select store, environment from review.rating where published_version < version
    union
    select store, environment from review.state where published_availability <> (approved > 0))`,
  columns: (sql) => sql`1 as attempts`,
};

/** Ends the claim of a publication: a change since then is published at once. */
export const endPublication = async (sql: Sql, { store, environment }: Tenant): Promise<void> => {
  await sql`
    update review.state set publish_at = '-infinity'
    where store = ${store} and environment = ${environment} and publish_at <> '-infinity'`;
};
