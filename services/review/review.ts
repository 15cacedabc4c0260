// A review: the record, the document for callers, moderation, and a product's rating.
import type { CreateReviewRequest, ProductReview, ReviewSummary } from '#proto/gen/review.ts';
import type { KeyType } from '#runtime/call/call.ts';

/** Numbers of reviews with 1, 2, 3, 4 and 5 stars. */
export type Stars = readonly number[];

export const NO_STARS: Stars = [0, 0, 0, 0, 0];

export const countOf = (stars: Stars): number => stars.reduce((sum, count) => sum + count, 0);

/**
 * Returns the average rounded half up to one decimal. Calculates in integers, because binary fractions round some
 * halves down.
 */
export const averageOf = (stars: Stars): number | null => {
  const count = countOf(stars);
  if (count === 0) return null;
  const sum = stars.reduce((total, each, at) => total + each * (at + 1), 0);
  return Math.floor((sum * 20 + count) / (count * 2)) / 10;
};

export const summaryOf = (stars: Stars): ReviewSummary => ({
  average_rating: averageOf(stars),
  review_count: countOf(stars),
  distribution: Object.fromEntries(stars.map((count, at) => [String(at + 1), count])),
});

export type ReviewStatus = ProductReview['status'];
export type Approval = 'manual' | 'verified' | 'all';

export interface ReviewRecord extends Omit<ProductReview, 'customer_id' | 'created_at' | 'updated_at'> {
  readonly customer_id: string;
  readonly customer_deleted: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const seesEverything = ({ keyType }: { readonly keyType: KeyType }): boolean =>
  keyType === 'secret' || keyType === 'internal';

export const ANONYMOUS_NAME = 'Customer';

/** Renders a review. Publishable keys do not see who wrote it once the customer is deleted. */
export const reviewDocument = (review: ReviewRecord, caller: { readonly keyType: KeyType }): ProductReview => {
  const { created_at, updated_at, customer_deleted, ...rest } = review;
  return {
    ...rest,
    ...(customer_deleted && !seesEverything(caller) ? { customer_id: null, customer_name: ANONYMOUS_NAME } : {}),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
};

export const publicName = (first: string | null, last: string | null): string => {
  const name = first?.trim() ?? '';
  if (name === '') return ANONYMOUS_NAME;
  const [initial = ''] = [...(last?.trim() ?? '')];
  return initial === '' ? name : `${name} ${initial.toUpperCase()}.`;
};

export const firstStatus = (approval: Approval, verified: boolean): ReviewStatus =>
  approval === 'all' || (approval === 'verified' && verified) ? 'approved' : 'pending';

export interface ReviewContext {
  readonly id: string;
  readonly now: Date;
  readonly customer: string;
  readonly customerName: string;
  readonly verified: boolean;
  readonly approval: Approval;
}

export const newReview = (input: CreateReviewRequest, around: ReviewContext): ReviewRecord => {
  const { id, now, customer, customerName, verified, approval } = around;
  return {
    id,
    product_id: input.product_id.toLowerCase(),
    variant_id: input.variant_id?.toLowerCase() ?? null,
    order_id: input.order_id?.toLowerCase() ?? null,
    customer_id: customer,
    customer_name: customerName,
    customer_deleted: false,
    rating: input.rating,
    title: input.title,
    body: input.body,
    media_urls: input.media_urls ?? [],
    status: firstStatus(approval, verified),
    rejection_reason: null,
    helpful_count: 0,
    verified_purchase: verified,
    created_at: now,
    updated_at: now,
  };
};

export interface ModerationDecision {
  readonly status: 'approved' | 'rejected';
  readonly reason: string | null;
  readonly verified: boolean;
  readonly now: Date;
}

/** Returns the same object if the decision changes nothing. A verified purchase stays verified. */
export const applyDecision = (
  review: ReviewRecord,
  { status, reason, verified, now }: ModerationDecision,
): ReviewRecord => {
  const verified_purchase = review.verified_purchase || verified;
  const rejection_reason = status === 'rejected' ? reason : null;
  const same =
    status === review.status &&
    rejection_reason === review.rejection_reason &&
    verified_purchase === review.verified_purchase;
  return same ? review : { ...review, status, rejection_reason, verified_purchase, updated_at: now };
};
