// SQL of what reviews come to, as products show it.
import type { ProductRating } from '#proto/gen/review.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export const saveRatings = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  ratings: readonly ProductRating[],
): Promise<string[]> => {
  const changed = await sql<{ id: string }[]>`
    update catalog.product as p
    set average_rating = given.average::numeric, review_count = given.reviews, revision = ${revision}
    from unnest(${ratings.map(({ product_id }) => product_id)}::uuid[],
      ${ratings.map(({ average_rating }) => average_rating?.toFixed(1) ?? null)}::text[],
      ${ratings.map(({ review_count }) => review_count)}::integer[]) as given (id, average, reviews)
    where p.store = ${store} and p.environment = ${environment} and p.id = given.id and p.deleted_at is null
      and (p.average_rating, p.review_count) is distinct from (given.average::numeric, given.reviews)
    returning p.id`;
  return changed.map(({ id }) => id);
};
