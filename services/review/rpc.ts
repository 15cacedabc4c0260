// Handlers of reviews.

import { createHash } from 'node:crypto';
import { randomUUIDv7 } from 'bun';
import type {
  CreateReviewRequest,
  ModerateReviewRequest,
  ReviewDirectoryRpcs,
  ReviewResponse,
  ReviewRpcs,
  VoteHelpfulRequest,
} from '#proto/gen/review.ts';
import { type Call, notFound, Refusal, Rendered, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { madeFrom, shownOf } from '#services/commerce/dependency.ts';
import type { RecordReviewChange } from './change.ts';
import type { ReviewClients } from './client.ts';
import { readListRequest, readPage } from './listing.ts';
import {
  applyDecision,
  averageOf,
  countOf,
  NO_STARS,
  newReview,
  type ReviewRecord,
  reviewDocument,
  seesEverything,
  summaryOf,
} from './review.ts';
import { findStars } from './table/rating.ts';
import {
  deleteReview,
  findReview,
  findReviewAndRevision,
  insertReview,
  lockReview,
  saveDecision,
  vote,
} from './table/review.ts';
import { currentRevision } from './table/state.ts';

const BYTES = 16;

/**
 * Digests the voter's session, or the network without a session. Includes the kind, so that no session can equal a
 * network.
 */
const voterOf = (session: string | null, network: string): Uint8Array =>
  createHash('sha256')
    .update(session ? `session/${session}` : `network/${network}`)
    .digest()
    .subarray(0, BYTES);

const encoder = new TextEncoder();
const NOTHING_TO_UNDO = async (): Promise<void> => {};
const NOT_FOUND = notFound('review');
const REASON_REQUIRED = refuse(
  'invalid_request',
  'A rejection needs a reason. Send `rejection_reason` with 1 to 500 characters.',
  { param: 'rejection_reason' },
);
const ALREADY_REVIEWED = refuse('conflict', 'This customer has already reviewed the product.', {
  param: 'product_id',
  hint: 'Delete the earlier review first.',
});

/** Reviews are shown with a part of their product, of which the catalogue gives notice. */
const rendered = (answer: object, revision: number, product: string | null): Rendered => {
  const shown = shownOf('catalog', new Set(product === null ? [] : [product]));
  return new Rendered(encoder.encode(JSON.stringify(answer)), madeFrom('review', revision, product, [shown]));
};

export const reviewHandlers = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  clients: ReviewClients,
  recordChange: RecordReviewChange,
): Handlers<ReviewRpcs> => {
  const isVisible = async (call: Call, review: ReviewRecord): Promise<boolean> => {
    if (seesEverything(call)) return true;
    if (review.status !== 'approved') return false;
    return (await clients.activeProducts(call, [review.product_id])).has(review.product_id);
  };

  return {
    ListReviews: query(async (sql, call, input) => {
      const request = readListRequest(call, input);
      if (request instanceof Refusal) return request;
      const { product } = request.filter;
      // Reads the revision before the rows, so that a concurrent write has a later revision.
      const revision = await currentRevision(sql, call.tenant);
      const { reviews, limit, nextCursor } = await readPage(sql, call, request, clients);
      const answer = {
        reviews: reviews.map((review) => reviewDocument(review, call)),
        pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
      };
      if (product === null) return rendered(answer, revision, null);
      const open = seesEverything(call) || (await clients.activeProducts(call, [product])).has(product);
      const stars = open ? (await findStars(sql, call.tenant, [product])).get(product) : undefined;
      return rendered({ ...answer, summary: summaryOf(stars ?? NO_STARS) }, revision, product);
    }),

    GetReview: query(async (sql, call, { id }) => {
      const found = await findReviewAndRevision(sql, call.tenant, id);
      if (found === null || !(await isVisible(call, found.review))) return NOT_FOUND;
      const { review, revision } = found;
      return rendered({ review: reviewDocument(review, call) }, revision, review.product_id);
    }),

    CreateReview: staged<CreateReviewRequest, ReviewResponse, ReviewRecord>({
      prepare: async (call, input) => {
        const { customer } = call;
        if (customer === null) return refuse('unauthorized', 'A customer session is required.');
        const [product, variant] = [input.product_id.toLowerCase(), input.variant_id?.toLowerCase() ?? null];
        const missing = await clients.refuseMissing(call, product, variant);
        if (missing) return missing;
        const { paid, named } = await clients.purchase(call, customer, product, input.order_id ?? null);
        if (input.order_id && !named) return notFound('order', 'order_id');
        const [customerName, approval] = await Promise.all([
          clients.publicNameOf(call, customer),
          clients.approval(call),
        ]);
        if (customerName instanceof Refusal) return customerName;
        const now = clock.now(call.tenant);
        return newReview(input, { id: randomUUIDv7(), now, customer, customerName, verified: paid, approval });
      },
      run: async (tx, call, _input, review) => {
        const { tenant } = call;
        if (!(await insertReview(tx.sql, tenant, review))) return ALREADY_REVIEWED;
        await recordChange(tx, tenant, null, review);
        return { review: reviewDocument(review, call) };
      },
      undo: NOTHING_TO_UNDO,
    }),

    ModerateReview: staged<ModerateReviewRequest, ReviewResponse, { readonly verified: boolean }>({
      prepare: async (call, { id, status, rejection_reason }) => {
        if (status === 'rejected' && !rejection_reason?.trim()) return REASON_REQUIRED;
        const review = await findReview(postgres.sql, call.tenant, id);
        if (review === null) return NOT_FOUND;
        if (review.verified_purchase) return { verified: true };
        const { paid } = await clients.purchase(call, review.customer_id, review.product_id, null);
        return { verified: paid };
      },
      run: async (tx, call, { id, status, rejection_reason: reason }, { verified }) => {
        const { tenant } = call;
        const before = await lockReview(tx.sql, tenant, id);
        if (before === null) return NOT_FOUND;
        const after = applyDecision(before, { status, reason: reason ?? null, verified, now: clock.now(tenant) });
        if (after === before) return { review: reviewDocument(before, call) };
        await saveDecision(tx.sql, tenant, after);
        await recordChange(tx, tenant, before, after);
        return { review: reviewDocument(after, call) };
      },
      undo: NOTHING_TO_UNDO,
    }),

    DeleteReview: transaction(async (tx, { tenant, customer }, { id }) => {
      const review = await lockReview(tx.sql, tenant, id);
      if (review === null || (customer !== null && customer !== review.customer_id)) return NOT_FOUND;
      await deleteReview(tx.sql, tenant, review.id, clock.now(tenant));
      await recordChange(tx, tenant, review, null);
      return { deleted: true, id: review.id };
    }),

    VoteHelpful: staged<VoteHelpfulRequest, ReviewResponse, { readonly voter: Uint8Array }>({
      prepare: async (call, { id, network = '' }) => {
        const review = await findReview(postgres.sql, call.tenant, id);
        if (review === null || !(await isVisible(call, review))) return NOT_FOUND;
        return { voter: voterOf(call.session, network) };
      },
      run: async (tx, call, { id }, { voter }) => {
        const { tenant } = call;
        const review = await lockReview(tx.sql, tenant, id);
        if (review === null || (review.status !== 'approved' && !seesEverything(call))) return NOT_FOUND;
        if (!(await vote(tx.sql, tenant, review.id, voter))) return { review: reviewDocument(review, call) };
        const found = { ...review, helpful_count: review.helpful_count + 1 };
        await recordChange(tx, tenant, review, found);
        return { review: reviewDocument(found, call) };
      },
      undo: NOTHING_TO_UNDO,
    }),
  };
};

export const reviewDirectoryHandlers: Handlers<ReviewDirectoryRpcs> = {
  GetRatings: query(async (sql, { tenant }, { product_ids }) => {
    const stars = await findStars(sql, tenant, product_ids);
    return {
      ratings: product_ids.map((product_id) => {
        const given = stars.get(product_id) ?? NO_STARS;
        return { product_id, average_rating: averageOf(given), review_count: countOf(given) };
      }),
    };
  }),
};
