// The door of reviews.
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
import type { Follow } from './change.ts';
import { readPage, readWish } from './listing.ts';
import type { ReviewNeighbours } from './neighbour.ts';
import { averageOf, countOf, NO_STARS, summaryOf } from './rating.ts';
import { decided, type ReviewRecord, seesEverything, shown, writtenReview } from './review.ts';
import { findStars } from './table/rating.ts';
import {
  deleteReview,
  findReview,
  findReviewed,
  insertReview,
  lockReview,
  saveDecision,
  vote,
} from './table/review.ts';
import { currentRevision } from './table/standing.ts';
import { voterOf } from './voter.ts';

const encoder = new TextEncoder();
const NOTHING_TAKEN = async (): Promise<void> => {};
const NOT_FOUND = notFound('review');
const NO_REASON = refuse('invalid_request', 'A rejection needs a reason.', { param: 'rejection_reason' });
const REVIEWED = refuse('conflict', 'This customer has reviewed the product.', {
  param: 'product_id',
  hint: 'A review can be written anew once the one before is deleted.',
});

const rendered = (answer: object, revision: number, product: string): Rendered =>
  new Rendered(encoder.encode(JSON.stringify(answer)), revision, product);

export const reviewHandlers = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  neighbours: ReviewNeighbours,
  follow: Follow,
): Handlers<ReviewRpcs> => {
  /** "Secret sees all statuses"; a publishable key what is approved, of products that it can see. */
  const isVisible = async (call: Call, review: ReviewRecord): Promise<boolean> => {
    if (seesEverything(call)) return true;
    if (review.status !== 'approved') return false;
    return (await neighbours.active(call, [review.product_id])).has(review.product_id);
  };

  return {
    ListReviews: query(async (sql, call, input) => {
      const wish = readWish(call, input);
      if (wish instanceof Refusal) return wish;
      const { product } = wish.filter;
      // Read first: what is written while the rest is read bears a later one.
      const revision = await currentRevision(sql, call.tenant);
      const { reviews, limit, nextCursor } = await readPage(sql, call, wish, neighbours);
      const answer = {
        reviews: reviews.map((review) => shown(review, call)),
        pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
      };
      if (product === null) return rendered(answer, revision, '');
      const open = seesEverything(call) || (await neighbours.active(call, [product])).has(product);
      const stars = open ? (await findStars(sql, call.tenant, [product])).get(product) : undefined;
      return rendered({ ...answer, summary: summaryOf(stars ?? NO_STARS) }, revision, product);
    }),

    GetReview: query(async (sql, call, { id }) => {
      const found = await findReviewed(sql, call.tenant, id);
      if (found === null || !(await isVisible(call, found.review))) return NOT_FOUND;
      const { review, revision } = found;
      return rendered({ review: shown(review, call) }, revision, review.product_id);
    }),

    CreateReview: staged<CreateReviewRequest, ReviewResponse, ReviewRecord>({
      prepare: async (call, input) => {
        const { customer } = call;
        // A caller from inside the house may have no shopper behind it.
        if (customer === null) return refuse('unauthorized', 'A customer session is required.');
        const [product, variant] = [input.product_id.toLowerCase(), input.variant_id?.toLowerCase() ?? null];
        const missing = await neighbours.missing(call, product, variant);
        if (missing) return missing;
        const { paid, named } = await neighbours.purchase(call, customer, product, input.order_id ?? null);
        if (input.order_id && !named) return notFound('order', 'order_id');
        const [customerName, approval] = await Promise.all([
          neighbours.nameOf(call, customer),
          neighbours.approval(call),
        ]);
        if (customerName instanceof Refusal) return customerName;
        const now = clock.now(call.tenant);
        return writtenReview(input, { id: randomUUIDv7(), now, customer, customerName, verified: paid, approval });
      },
      run: async (tx, call, _input, review) => {
        const { tenant } = call;
        if (!(await insertReview(tx.sql, tenant, review))) return REVIEWED;
        await follow(tx, tenant, null, review);
        return { review: shown(review, call) };
      },
      undo: NOTHING_TAKEN,
    }),

    ModerateReview: staged<ModerateReviewRequest, ReviewResponse, { readonly verified: boolean }>({
      prepare: async (call, { id, status, rejection_reason }) => {
        if (status === 'rejected' && !rejection_reason?.trim()) return NO_REASON;
        const review = await findReview(postgres.sql, call.tenant, id);
        if (review === null) return NOT_FOUND;
        if (review.verified_purchase) return { verified: true };
        const { paid } = await neighbours.purchase(call, review.customer_id, review.product_id, null);
        return { verified: paid };
      },
      run: async (tx, call, { id, status, rejection_reason: reason }, { verified }) => {
        const { tenant } = call;
        const before = await lockReview(tx.sql, tenant, id);
        if (before === null) return NOT_FOUND;
        const after = decided(before, { status, reason: reason ?? null, verified, now: clock.now(tenant) });
        if (after === before) return { review: shown(before, call) };
        await saveDecision(tx.sql, tenant, after);
        await follow(tx, tenant, before, after);
        return { review: shown(after, call) };
      },
      undo: NOTHING_TAKEN,
    }),

    DeleteReview: transaction(async (tx, { tenant, customer }, { id }) => {
      const review = await lockReview(tx.sql, tenant, id);
      if (review === null || (customer !== null && customer !== review.customer_id)) return NOT_FOUND;
      await deleteReview(tx.sql, tenant, review.id, clock.now(tenant));
      await follow(tx, tenant, review, null);
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
        if (!(await vote(tx.sql, tenant, review.id, voter))) return { review: shown(review, call) };
        const found = { ...review, helpful_count: review.helpful_count + 1 };
        await follow(tx, tenant, review, found);
        return { review: shown(found, call) };
      },
      undo: NOTHING_TAKEN,
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
