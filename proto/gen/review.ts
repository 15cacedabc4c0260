// Generated from stoa/v1/review.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A review of a product. */
export type ProductReview = {
  id: string;
  product_id: string;
  /** Variant that was bought, if the shopper named it. */
  variant_id: string | null;
  order_id: string | null;
  /** Null to publishable keys once the customer is deleted. */
  customer_id: string | null;
  /** First name and initial; `Customer` where no first name is known, and to publishable keys once the customer is deleted. */
  customer_name: string;
  /** 1 to 5. */
  rating: number;
  title: string;
  body: string;
  media_urls: readonly string[];
  status: "pending" | "approved" | "rejected";
  /** Null unless it is rejected. */
  rejection_reason: string | null;
  helpful_count: number;
  /** A paid order of this customer holds the product. */
  verified_purchase: boolean;
  created_at: string;
  updated_at: string;
};

/** Summary of a product's approved reviews. */
export type ReviewSummary = {
  /** Mean rating, 1 to 5, with one decimal; null without reviews. */
  average_rating: number | null;
  review_count: number;
  /** How many of them gave each rating. */
  distribution: Record<string, number>;
};

export type ListReviewsRequest = {
  product_id?: string;
  /** With a secret key only. */
  customer_id?: string;
  rating?: number;
  /** With a secret key only; all of them where left out. */
  status?: "pending" | "approved" | "rejected";
  /** Only those with this `verified_purchase`. */
  verified?: boolean;
  sort?: "newest" | "oldest" | "rating_desc" | "rating_asc" | "helpful";
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a review's fields to return. */
  fields?: string;
};

export type ListReviewsResponse = {
  reviews: readonly ProductReview[];
  pagination: Pagination;
  /** Only with `product_id`. */
  summary?: ReviewSummary;
};

export type GetReviewRequest = {
  id: string;
  /** Comma-separated names of the review's fields to return. */
  fields?: string;
};

export type ReviewResponse = {
  review: ProductReview;
};

export type CreateReviewRequest = {
  product_id: string;
  /** One of this product's. */
  variant_id?: string | null;
  /** One of the shopper's own that holds the product. */
  order_id?: string | null;
  rating: number;
  title: string;
  body: string;
  media_urls?: readonly string[] | null;
};

export type ModerateReviewRequest = {
  id: string;
  status: "approved" | "rejected";
  /** Required with `rejected`, without effect otherwise. */
  rejection_reason?: string | null;
};

export type DeleteReviewRequest = {
  id: string;
};

export type VoteHelpfulRequest = {
  id: string;
  network?: string;
};

/** @internal */
export type GetRatingsRequest = {
  product_ids: readonly string[];
};

/** @internal */
export type ProductRating = {
  product_id: string;
  /** Null without a review. */
  average_rating: number | null;
  review_count: number;
};

/** @internal */
export type GetRatingsResponse = {
  ratings: readonly ProductRating[];
};

/**
 * Reviews of products. A publishable key sees approved ones of active products; a secret key sees all.
 * @internal
 */
export interface ReviewRpcs {
  ListReviews: { request: ListReviewsRequest; response: ListReviewsResponse };
  GetReview: { request: GetReviewRequest; response: ReviewResponse };
  CreateReview: { request: CreateReviewRequest; response: ReviewResponse };
  ModerateReview: { request: ModerateReviewRequest; response: ReviewResponse };
  DeleteReview: { request: DeleteReviewRequest; response: Deleted };
  VoteHelpful: { request: VoteHelpfulRequest; response: ReviewResponse };
}

/**
 * Reviews, as other domains read them.
 * @internal
 */
export interface ReviewDirectoryRpcs {
  GetRatings: { request: GetRatingsRequest; response: GetRatingsResponse };
}
