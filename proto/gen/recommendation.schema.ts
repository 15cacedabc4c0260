// Generated from stoa/v1/recommendation.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { ListedProduct } from './product.schema.ts';

export const RecordEventRequest: TSchema = Type.Object({
  event_type: Type.Union([Type.Literal("view"), Type.Literal("add_to_cart"), Type.Literal("add_to_wishlist")]),
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  product_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  session_id: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 128 }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  channel: Type.Optional(Type.Union([Type.Union([Type.Literal("storefront"), Type.Literal("marketplace")]), Type.Null()])),
  channel_header: Type.Optional(Type.String()),
});

export const RecordEventResponse: TSchema = Type.Object({
  recorded: Type.Boolean(),
});

export const RecommendRequest: TSchema = Type.Object({
  intent: Type.Optional(Type.Union([Type.Literal("next_likely"), Type.Literal("similar"), Type.Literal("trending")])),
  product_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  session_id: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 128 }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});

export const RecommendedProduct: TSchema = Type.Object({
  product_id: Text({ format: "uuid" }),
  score: Type.Number(),
  reason: Type.Union([Type.Literal("bought_together"), Type.Literal("viewed_together"), Type.Literal("similar"), Type.Literal("trending")]),
  product: ListedProduct,
  merchant_store_id: Type.Optional(Text({ format: "uuid" })),
  merchant_name: Type.Optional(Type.String()),
});

export const RecommendResponse: TSchema = Type.Object({
  recommendations: Type.Array(RecommendedProduct),
  status: Type.Union([Type.Literal("available"), Type.Literal("awaiting_data")]),
});
