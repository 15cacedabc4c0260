// Generated from stoa/v1/value.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { PinnedRateInput } from './pricing_directory.schema.ts';
import { Pagination } from './shared.schema.ts';

export const GiftCard: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  code: Type.String(),
  status: Type.Union([Type.Literal("active"), Type.Literal("redeemed"), Type.Literal("expired"), Type.Literal("disabled")]),
  currency: Type.String(),
  initial_amount: Type.Number(),
  balance: Type.Number(),
  expires_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  customer_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const StoreCreditEntry: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  amount: Type.Number(),
  reason: Type.Union([Type.String(), Type.Null()]),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const StoreCredit: TSchema = Type.Object({
  balance: Type.Number(),
  currency: Type.String(),
  entries: Type.Array(StoreCreditEntry),
});

export const ReadGiftCardsRequest: TSchema = Type.Object({
  code: Type.Optional(Text({ minLength: 1, maxLength: 50 })),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ReadGiftCardsResponse: TSchema = Type.Object({
  gift_card: Type.Optional(GiftCard),
  gift_cards: Type.Optional(Type.Array(GiftCard)),
  pagination: Type.Optional(Pagination),
});

export const ListIssuedCardsRequest: TSchema = Type.Object({
  search: Type.Optional(Text({ minLength: 1, maxLength: 50 })),
  status: Type.Optional(Type.Union([Type.Literal("active"), Type.Literal("redeemed"), Type.Literal("expired"), Type.Literal("disabled")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const IssuedGiftCard: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  code_last4: Type.String(),
  status: Type.Union([Type.Literal("active"), Type.Literal("redeemed"), Type.Literal("expired"), Type.Literal("disabled")]),
  currency: Type.String(),
  initial_amount: Type.Number(),
  balance: Type.Number(),
  expires_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  customer_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const ListIssuedCardsResponse: TSchema = Type.Object({
  gift_cards: Type.Array(IssuedGiftCard),
  pagination: Pagination,
});

export const CreateGiftCardRequest: TSchema = Type.Object({
  amount: Type.Number({ maximum: 99999999.99, exclusiveMinimum: 0 }),
  currency: Type.Optional(Text({ pattern: "^[A-Za-z]{3}$" })),
  expires_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const GiftCardResponse: TSchema = Type.Object({
  gift_card: GiftCard,
});

export const UpdateGiftCardRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("disabled")]),
});

export const GetStoreCreditRequest: TSchema = Type.Object({
  customer_id: Type.Optional(Text({ format: "uuid" })),
  fields: Type.Optional(Type.String()),
});

export const GrantStoreCreditRequest: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
  amount: Type.Number({ maximum: 99999999.99, exclusiveMinimum: 0 }),
  reason: Type.Optional(Text({ maxLength: 500 })),
});

export const StoreCreditResponse: TSchema = Type.Object({
  store_credit: StoreCredit,
});

export const FindSpendableRequest: TSchema = Type.Object({
  codes: Type.Array(Type.String(), { maxItems: 20 }),
  currency: Type.String(),
  exchange: Type.Optional(Type.Union([PinnedRateInput, Type.Null()])),
});

export const SpendableCard: TSchema = Type.Object({
  code: Type.String(),
  code_last4: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  balance_minor: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const FindSpendableResponse: TSchema = Type.Object({
  cards: Type.Array(SpendableCard),
});

export const GetTrialBalanceRequest: TSchema = Type.Object({
  store: Type.Optional(Text({ format: "uuid" })),
});

export const TrialBalanceLine: TSchema = Type.Object({
  store: Type.String(),
  environment: Type.String(),
  currency: Type.String(),
  postings: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  entries: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  sum: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  turnover: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  uneven: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  astray: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  accounts: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), { additionalProperties: false }),
});

export const GetTrialBalanceResponse: TSchema = Type.Object({
  balanced: Type.Boolean(),
  lines: Type.Array(TrialBalanceLine),
});
