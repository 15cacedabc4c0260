// SQL of review lists: scans the index once per status and merges the results.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ReviewRecord, ReviewStatus } from '#services/review/review.ts';
import { reviewColumns } from './review.ts';

export type ReviewSort = 'newest' | 'oldest' | 'rating_desc' | 'rating_asc' | 'helpful';

export interface ReviewCursor {
  readonly sortValue: number;
  readonly createdAt: Date;
  readonly id: string;
}

export interface ReviewFilter {
  readonly product: string | null;
  readonly customer: string | null;
  readonly rating: number | null;
  readonly verified: boolean | null;
  readonly statuses: readonly ReviewStatus[];
  readonly hidden: readonly string[];
  readonly sort: ReviewSort;
  readonly after: ReviewCursor | null;
  readonly limit: number;
}

const SORT_COLUMNS = {
  newest: null,
  oldest: null,
  rating_desc: 'rating',
  rating_asc: 'rating',
  helpful: 'helpful',
} as const;

export const sortValueOf = (sort: ReviewSort, review: ReviewRecord): number => {
  const figure = SORT_COLUMNS[sort];
  return figure === null ? 0 : figure === 'rating' ? review.rating : review.helpful_count;
};

const ASCENDING: readonly ReviewSort[] = ['oldest', 'rating_asc'];

export const pageOfReviews = (
  sql: Sql,
  { store, environment }: Tenant,
  filter: ReviewFilter,
): Promise<ReviewRecord[]> => {
  const { product, customer, rating, verified, hidden, sort, after, limit } = filter;
  const figure = SORT_COLUMNS[sort];
  const column = figure === null ? null : figure === 'rating' ? sql`r.rating` : sql`r.helpful_count`;
  const up = ASCENDING.includes(sort);
  const direction = up ? sql`asc` : sql`desc`;
  const order = sql`
    order by ${column === null ? sql`` : sql`${column} ${direction},`} r.created_at ${direction}, r.id ${direction}`;
  const keys = column === null ? sql`(r.created_at, r.id)` : sql`(${column}, r.created_at, r.id)`;
  const place =
    after &&
    (column === null
      ? sql`(${after.createdAt}, ${after.id}::uuid)`
      : sql`(${after.sortValue}::bigint, ${after.createdAt}, ${after.id}::uuid)`);

  const walk = (status: ReviewStatus) => sql`
    (select ${reviewColumns(sql)} from review.review r
    where r.store = ${store} and r.environment = ${environment} and r.status = ${status} and r.deleted_at is null
      ${product === null ? sql`` : sql`and r.product_id = ${product}`}
      ${customer === null ? sql`` : sql`and r.customer_id = ${customer}`}
      ${rating === null ? sql`` : sql`and r.rating = ${rating}`}
      ${verified === null ? sql`` : sql`and r.verified_purchase = ${verified}`}
      ${hidden.length === 0 ? sql`` : sql`and r.product_id <> all(${hidden as string[]}::uuid[])`}
      ${place === null ? sql`` : sql`and ${keys} ${up ? sql`>` : sql`<`} ${place}`}
    ${order} limit ${limit})`;

  const [first, ...others] = filter.statuses.map(walk);
  const walks = others.reduce((all, each) => sql`${all} union all ${each}`, first ?? sql``);
  return sql<ReviewRecord[]>`select * from (${walks}) as r ${order} limit ${limit}`;
};
