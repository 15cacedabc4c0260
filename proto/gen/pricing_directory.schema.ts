// Generated from stoa/v1/pricing_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { TaxAddress, TaxShare } from './pricing.schema.ts';
import { AppliedPromotion } from './shared.schema.ts';

export const BasketItem: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  unit_price: Type.Optional(Type.Number({ minimum: 0, maximum: 99999999.99 })),
});

export const PriceBasketRequest: TSchema = Type.Object({
  items: Type.Array(BasketItem, { maxItems: 500 }),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_group: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
  shipping_fee: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 99999999.99 }), Type.Null()])),
  address: Type.Optional(Type.Union([TaxAddress, Type.Null()])),
  leave_out_unpriced: Type.Optional(Type.Boolean()),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  language: Type.Optional(Type.String()),
});

export const BasketLine: TSchema = Type.Object({
  variant_id: Type.String(),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  subtotal: Type.Number(),
  discount: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  price_list_id: Type.Union([Type.String(), Type.Null()]),
});

export const BasketCode: TSchema = Type.Object({
  code: Type.String(),
  reason: Type.String(),
  cause: Type.Union([Type.Literal("unknown"), Type.Literal("inactive"), Type.Literal("expired"), Type.Literal("used_up"), Type.Literal("used_by_customer"), Type.Literal("minimum_not_met"), Type.Literal("not_applicable"), Type.Literal("not_combinable")]),
});

export const PinnedRate: TSchema = Type.Object({
  base_currency: Type.String(),
  rate: Type.String(),
});

export const PinnedRateInput: TSchema = Type.Object({
  base_currency: Type.String(),
  rate: Type.String(),
});

export const PriceBasketResponse: TSchema = Type.Object({
  currency: Type.String(),
  tax_inclusive: Type.Boolean(),
  lines: Type.Array(BasketLine),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  shipping_total: Type.Number(),
  shipping_tax: Type.Number(),
  tax_total: Type.Number(),
  total: Type.Number(),
  applied_promotions: Type.Array(AppliedPromotion),
  rejected_codes: Type.Array(BasketCode),
  expired_codes: Type.Array(Type.String()),
  unusable_codes: Type.Array(Type.String()),
  exchange: Type.Optional(PinnedRate),
});

export const PriceLaddersRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 1000 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
});

export const PriceRung: TSchema = Type.Object({
  from_quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
});

export const PriceLadder: TSchema = Type.Object({
  variant_id: Type.String(),
  rungs: Type.Array(PriceRung),
});

export const PriceLaddersResponse: TSchema = Type.Object({
  ladders: Type.Array(PriceLadder),
  currency: Type.String(),
});

export const FrozenLine: TSchema = Type.Object({
  variant_id: Type.Optional(Type.String()),
  total: Type.Optional(Type.Number({ minimum: 0, maximum: 99999999.99 })),
});

export const TaxLinesRequest: TSchema = Type.Object({
  lines: Type.Optional(Type.Array(FrozenLine, { maxItems: 500 })),
  shipping_fee: Type.Optional(Type.Number({ minimum: 0, maximum: 99999999.99 })),
  address: Type.Optional(Type.Union([TaxAddress, Type.Null()])),
  currency: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const TaxedLine: TSchema = Type.Object({
  variant_id: Type.String(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  rates: Type.Array(TaxShare),
});

export const TaxLinesResponse: TSchema = Type.Object({
  tax_inclusive: Type.Boolean(),
  lines: Type.Array(TaxedLine),
  shipping_tax: Type.Number(),
  tax_total: Type.Number(),
  total: Type.Number(),
});
