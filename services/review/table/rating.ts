// SQL of products' ratings, and of the rating's version that was last sent to the catalogue.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { NO_STARS, type Stars } from '#services/review/review.ts';

export const countRating = async (
  sql: Sql,
  { store, environment }: Tenant,
  product: string,
  rating: number,
  by: 1 | -1,
): Promise<void> => {
  const first = NO_STARS.map((none, at) => (at + 1 === rating ? 1 : none));
  if (by === 1) {
    await sql`
      insert into review.rating as r (store, environment, product_id, stars, version, published_version)
      values (${store}, ${environment}, ${product}, ${first}::integer[], 1, 0)
      on conflict (store, environment, product_id) do update
      set stars[${rating}::integer] = r.stars[${rating}::integer] + 1, version = r.version + 1`;
    return;
  }
  await sql`
    update review.rating set stars[${rating}::integer] = stars[${rating}::integer] - 1, version = version + 1
    where store = ${store} and environment = ${environment} and product_id = ${product}`;
};

export const findStars = async (
  sql: Sql,
  { store, environment }: Tenant,
  products: readonly string[],
): Promise<ReadonlyMap<string, Stars>> => {
  const rows = await sql<{ product_id: string; stars: number[] }[]>`
    select product_id, stars from review.rating
    where store = ${store} and environment = ${environment} and product_id = any(${products as string[]}::uuid[])`;
  return new Map(rows.map(({ product_id, stars }) => [product_id, stars]));
};

export interface UnpublishedRating {
  readonly product_id: string;
  readonly version: number;
}

export const unpublishedRatings = (
  sql: Sql,
  { store, environment }: Tenant,
  limit: number,
): Promise<UnpublishedRating[]> =>
  sql<UnpublishedRating[]>`
    select product_id, version from review.rating
    where store = ${store} and environment = ${environment} and published_version < version limit ${limit}`;

export const markRatingsPublished = async (
  sql: Sql,
  { store, environment }: Tenant,
  ratings: readonly UnpublishedRating[],
): Promise<void> => {
  await sql`
    update review.rating as r set published_version = t.version
    from unnest(${ratings.map(({ product_id }) => product_id)}::uuid[],
      ${ratings.map(({ version }) => version)}::bigint[]) as t (product_id, version)
    where r.store = ${store} and r.environment = ${environment} and r.product_id = t.product_id
      and r.published_version < t.version`;
};
