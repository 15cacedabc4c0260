// Generated from stoa/v1/promotion.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const PromotionTargets: TSchema = Type.Object({
  product_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 1000 }),
  category_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 1000 }),
  collection_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 1000 }),
});

export const PromotionTargetsInput: TSchema = Type.Object({
  product_ids: Type.Optional(Type.Array(Text({ format: "uuid" }), { maxItems: 1000 })),
  category_ids: Type.Optional(Type.Array(Text({ format: "uuid" }), { maxItems: 1000 })),
  collection_ids: Type.Optional(Type.Array(Text({ format: "uuid" }), { maxItems: 1000 })),
});

export const PromotionBuy: TSchema = Type.Object({
  quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
});

export const PromotionBuyInput: TSchema = Type.Object({
  quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
});

export const PromotionGet: TSchema = Type.Object({
  quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
  discount_percent: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
});

export const PromotionGetInput: TSchema = Type.Object({
  quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
  discount_percent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
});

export const PromotionTranslation: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
});

export const PromotionTranslationInput: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
});

export const StorePromotion: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  code: Type.Union([Type.String(), Type.Null()]),
  type: Type.Union([Type.Literal("percentage"), Type.Literal("fixed_amount"), Type.Literal("free_shipping"), Type.Literal("buy_x_get_y")]),
  value: Type.Union([Type.Number(), Type.Null()]),
  currency: Type.String(),
  applies_to: PromotionTargets,
  buy: Type.Union([PromotionBuy, Type.Null()]),
  get: Type.Union([PromotionGet, Type.Null()]),
  minimum_subtotal: Type.Union([Type.Number(), Type.Null()]),
  usage_limit: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  usage_limit_per_customer: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  times_used: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  stackable: Type.Boolean(),
  public: Type.Boolean(),
  status: Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("active"), Type.Literal("paused"), Type.Literal("ended"), Type.Literal("expired")]),
  starts_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  ends_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), PromotionTranslation, { additionalProperties: false })),
});

export const ListPromotionsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
  search: Type.Optional(Text({ minLength: 1, maxLength: 300 })),
  status: Type.Optional(Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("active"), Type.Literal("paused"), Type.Literal("ended"), Type.Literal("expired")])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListPromotionsResponse: TSchema = Type.Object({
  promotions: Type.Array(StorePromotion),
  pagination: Pagination,
});

export const GetPromotionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const PromotionResponse: TSchema = Type.Object({
  promotion: StorePromotion,
});

export const CreatePromotionRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  code: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 50 }), Type.Null()])),
  type: Type.Union([Type.Literal("percentage"), Type.Literal("fixed_amount"), Type.Literal("free_shipping"), Type.Literal("buy_x_get_y")]),
  value: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 99999999.99 }), Type.Null()])),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  applies_to: Type.Optional(Type.Union([PromotionTargetsInput, Type.Null()])),
  buy: Type.Optional(Type.Union([PromotionBuyInput, Type.Null()])),
  get: Type.Optional(Type.Union([PromotionGetInput, Type.Null()])),
  minimum_subtotal: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  usage_limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1000000000 }), Type.Null()])),
  usage_limit_per_customer: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1000000000 }), Type.Null()])),
  stackable: Type.Optional(Type.Boolean()),
  public: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("active"), Type.Literal("paused"), Type.Literal("ended"), Type.Literal("expired")])),
  starts_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([PromotionTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const UpdatePromotionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  code: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 50 }), Type.Null()])),
  type: Type.Optional(Type.Union([Type.Literal("percentage"), Type.Literal("fixed_amount"), Type.Literal("free_shipping"), Type.Literal("buy_x_get_y")])),
  value: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 99999999.99 }), Type.Null()])),
  currency: Type.Optional(Text({ format: "currency" })),
  applies_to: Type.Optional(Type.Union([PromotionTargetsInput, Type.Null()])),
  buy: Type.Optional(Type.Union([PromotionBuyInput, Type.Null()])),
  get: Type.Optional(Type.Union([PromotionGetInput, Type.Null()])),
  minimum_subtotal: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  usage_limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1000000000 }), Type.Null()])),
  usage_limit_per_customer: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1000000000 }), Type.Null()])),
  stackable: Type.Optional(Type.Boolean()),
  public: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("active"), Type.Literal("paused"), Type.Literal("ended"), Type.Literal("expired")])),
  starts_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  ends_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  version: Type.Optional(Text({ format: "date-time" })),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([PromotionTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const DeletePromotionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
