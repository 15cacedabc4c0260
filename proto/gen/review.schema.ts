// Generated from stoa/v1/review.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const ProductReview: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  customer_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  customer_name: Type.String(),
  rating: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  title: Type.String(),
  body: Type.String(),
  media_urls: Type.Array(Type.String()),
  status: Type.Union([Type.Literal("pending"), Type.Literal("approved"), Type.Literal("rejected")]),
  rejection_reason: Type.Union([Type.String(), Type.Null()]),
  helpful_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  verified_purchase: Type.Boolean(),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const ReviewSummary: TSchema = Type.Object({
  average_rating: Type.Union([Type.Number(), Type.Null()]),
  review_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  distribution: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), { additionalProperties: false }),
});

export const ListReviewsRequest: TSchema = Type.Object({
  product_id: Type.Optional(Text({ format: "uuid" })),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  status: Type.Optional(Type.Union([Type.Literal("pending"), Type.Literal("approved"), Type.Literal("rejected")])),
  verified: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Type.Union([Type.Literal("newest"), Type.Literal("oldest"), Type.Literal("rating_desc"), Type.Literal("rating_asc"), Type.Literal("helpful")])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListReviewsResponse: TSchema = Type.Object({
  reviews: Type.Array(ProductReview),
  pagination: Pagination,
  summary: Type.Optional(ReviewSummary),
});

export const GetReviewRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const ReviewResponse: TSchema = Type.Object({
  review: ProductReview,
});

export const CreateReviewRequest: TSchema = Type.Object({
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  order_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  title: Text({ minLength: 1, maxLength: 200, format: "words" }),
  body: Text({ minLength: 1, maxLength: 5000, format: "words" }),
  media_urls: Type.Optional(Type.Union([Type.Array(Text({ maxLength: 2048, format: "http-url" }), { maxItems: 10 }), Type.Null()])),
});

export const ModerateReviewRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("approved"), Type.Literal("rejected")]),
  rejection_reason: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500 }), Type.Null()])),
});

export const DeleteReviewRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const VoteHelpfulRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  network: Type.Optional(Type.String()),
});

export const GetRatingsRequest: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
});

export const ProductRating: TSchema = Type.Object({
  product_id: Text({ format: "uuid" }),
  average_rating: Type.Union([Type.Number(), Type.Null()]),
  review_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const GetRatingsResponse: TSchema = Type.Object({
  ratings: Type.Array(ProductRating),
});
