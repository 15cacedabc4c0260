// Lists of reviews: the filters and sort orders that a caller may use, and the cursor of the next page.
import type { ListReviewsRequest } from '#proto/gen/review.ts';
import { type Call, foreignCursor, type Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type CursorKind, decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { ReviewClients } from './client.ts';
import { type ReviewRecord, type ReviewStatus, seesEverything } from './review.ts';
import { pageOfReviews, type ReviewCursor, type ReviewFilter, type ReviewSort, sortValueOf } from './table/list.ts';

const LIMIT_DEFAULT = 20;
const EVERY_STATUS: readonly ReviewStatus[] = ['pending', 'approved', 'rejected'];
const KINDS: readonly CursorKind[] = ['place', 'time', 'id'];

const SECRET_ONLY = ['status', 'customer_id'] as const;

export interface ReviewPage {
  readonly reviews: readonly ReviewRecord[];
  readonly limit: number;
  readonly nextCursor: string | null;
}

export interface ReviewListRequest {
  readonly filter: ReviewFilter;
  readonly scope: string;
}

export const readListRequest = (call: Call, input: ListReviewsRequest): ReviewListRequest | Refusal => {
  const everything = seesEverything(call);
  const { product_id, customer_id, rating, status, verified, limit = LIMIT_DEFAULT, cursor } = input;
  const sort: ReviewSort = input.sort ?? 'newest';
  const secret = everything ? undefined : SECRET_ONLY.find((name) => input[name] !== undefined);
  if (secret !== undefined) {
    return refuse('forbidden', `A secret key is required to filter by ${secret}.`, {
      param: secret,
      hint: 'Call this endpoint from your server with a secret key (svc_sk_…).',
    });
  }
  const product = product_id?.toLowerCase() ?? null;
  const customer = customer_id?.toLowerCase() ?? null;
  const statuses = status !== undefined ? [status] : everything ? EVERY_STATUS : (['approved'] as const);
  const asked = [product, customer, rating ?? null, verified ?? null, statuses, sort];
  const scope = JSON.stringify(['reviews', tenantKey(call.tenant), everything, ...asked]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, KINDS);
  if (cursor !== undefined && keys === null) {
    return foreignCursor(cursor);
  }
  const after: ReviewCursor | null = keys && {
    sortValue: Number(keys[0]),
    createdAt: new Date(Number(keys[1])),
    id: String(keys[2]),
  };
  const filter: ReviewFilter = {
    product,
    customer,
    rating: rating ?? null,
    verified: verified ?? null,
    statuses,
    hidden: [],
    sort,
    after,
    limit,
  };
  return { filter, scope };
};

const productsOf = (reviews: readonly ReviewRecord[]): string[] => [
  ...new Set(reviews.map(({ product_id }) => product_id)),
];

/**
 * Returns a page without reviews of inactive products: repeats the query, each time excluding the inactive products
 * found, until the page has none.
 */
const visibleReviews = async (
  sql: Sql,
  call: Call,
  filter: ReviewFilter,
  clients: ReviewClients,
): Promise<ReviewRecord[]> => {
  if (filter.product !== null) {
    const active = await clients.activeProducts(call, [filter.product]);
    return active.has(filter.product) ? pageOfReviews(sql, call.tenant, filter) : [];
  }
  for (const hidden: string[] = []; ; ) {
    const rows = await pageOfReviews(sql, call.tenant, { ...filter, hidden });
    const active = await clients.activeProducts(call, productsOf(rows));
    const gone = productsOf(rows).filter((id) => !active.has(id));
    if (gone.length === 0) return rows;
    hidden.push(...gone);
  }
};

export const readPage = async (
  sql: Sql,
  call: Call,
  { filter, scope }: ReviewListRequest,
  clients: ReviewClients,
): Promise<ReviewPage> => {
  const { limit, sort } = filter;
  const one = { ...filter, limit: limit + 1 };
  const rows = seesEverything(call)
    ? await pageOfReviews(sql, call.tenant, one)
    : await visibleReviews(sql, call, one, clients);
  const reviews = rows.slice(0, limit);
  const last = rows.length > limit ? reviews.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(scope, [sortValueOf(sort, last), last.created_at.getTime(), last.id]) : null;
  return { reviews, limit, nextCursor };
};
