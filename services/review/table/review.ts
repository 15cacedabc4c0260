// SQL of reviews, of the sessions that voted on them, and of deleted customers.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ReviewRecord } from '#services/review/review.ts';

export const noteDeletedCustomers = async (
  sql: Sql,
  { store, environment }: Tenant,
  customers: readonly string[],
): Promise<boolean> => {
  await sql`
    insert into review.deleted_customer (store, environment, customer_id)
    select ${store}::uuid, ${environment}, id from unnest(${customers as string[]}::uuid[]) as id
    on conflict do nothing`;
  const [row] = await sql<{ wrote: boolean }[]>`
    select exists (
      select from review.review
      where store = ${store} and environment = ${environment} and customer_id = any(${customers as string[]}::uuid[])
        and deleted_at is null
    ) as wrote`;
  return row!.wrote;
};

export const reviewColumns = (sql: Sql) => sql`
  r.id, r.product_id, r.variant_id, r.order_id, r.customer_id, r.customer_name, r.rating, r.title, r.body,
  r.media_urls, r.status, r.rejection_reason, r.helpful_count, r.verified_purchase, r.created_at, r.updated_at,
  exists (
    select from review.deleted_customer d
    where d.store = r.store and d.environment = r.environment and d.customer_id = r.customer_id
  ) as customer_deleted`;

export const findReview = async (sql: Sql, tenant: Tenant, id: string): Promise<ReviewRecord | null> => {
  const [review] = await sql<ReviewRecord[]>`
    select ${reviewColumns(sql)} from review.review r
    where r.store = ${tenant.store} and r.environment = ${tenant.environment} and r.id = ${id}
      and r.deleted_at is null`;
  return review ?? null;
};

export const findReviewAndRevision = async (
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<{ readonly review: ReviewRecord; readonly revision: number } | null> => {
  const [found] = await sql<(ReviewRecord & { revision: number })[]>`
    select ${reviewColumns(sql)}, s.revision
    from review.review r
    join review.state s on s.store = r.store and s.environment = r.environment
    where r.store = ${tenant.store} and r.environment = ${tenant.environment} and r.id = ${id}
      and r.deleted_at is null`;
  if (!found) return null;
  const { revision, ...review } = found;
  return { review, revision };
};

export const lockReview = async (sql: Sql, tenant: Tenant, id: string): Promise<ReviewRecord | null> => {
  const [review] = await sql<ReviewRecord[]>`
    select ${reviewColumns(sql)} from review.review r
    where r.store = ${tenant.store} and r.environment = ${tenant.environment} and r.id = ${id}
      and r.deleted_at is null
    for no key update`;
  return review ?? null;
};

export const insertReview = async (
  sql: Sql,
  { store, environment }: Tenant,
  review: ReviewRecord,
): Promise<boolean> => {
  const { count } = await sql`
    insert into review.review (store, environment, id, product_id, variant_id, order_id, customer_id, customer_name,
      rating, title, body, media_urls, status, rejection_reason, helpful_count, verified_purchase, created_at,
      updated_at)
    values (${store}, ${environment}, ${review.id}, ${review.product_id}, ${review.variant_id}, ${review.order_id},
      ${review.customer_id}, ${review.customer_name}, ${review.rating}, ${review.title}, ${review.body},
      ${sql.json(review.media_urls)}, ${review.status}, ${review.rejection_reason}, ${review.helpful_count},
      ${review.verified_purchase}, ${review.created_at}, ${review.updated_at})
    on conflict (store, environment, customer_id, product_id) where deleted_at is null do nothing`;
  return count === 1;
};

export const saveDecision = async (sql: Sql, tenant: Tenant, review: ReviewRecord): Promise<void> => {
  await sql`
    update review.review set status = ${review.status}, rejection_reason = ${review.rejection_reason},
      verified_purchase = ${review.verified_purchase}, updated_at = ${review.updated_at}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${review.id}`;
};

export const deleteReview = async (sql: Sql, { store, environment }: Tenant, id: string, at: Date): Promise<void> => {
  await sql`
    update review.review set deleted_at = ${at} where store = ${store} and environment = ${environment} and id = ${id}`;
  await sql`delete from review.vote where store = ${store} and environment = ${environment} and review_id = ${id}`;
};

export const vote = async (
  sql: Sql,
  { store, environment }: Tenant,
  review: string,
  voter: Uint8Array,
): Promise<boolean> => {
  const { count } = await sql`
    insert into review.vote (store, environment, review_id, voter)
    values (${store}, ${environment}, ${review}, ${voter}) on conflict do nothing`;
  if (count === 0) return false;
  await sql`
    update review.review set helpful_count = helpful_count + 1
    where store = ${store} and environment = ${environment} and id = ${review}`;
  return true;
};
