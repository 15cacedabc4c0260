// Generated from stoa/v1/pricing.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AppliedPromotion, Pagination, RejectedCode } from './shared.schema.ts';

export const PricedItem: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const QueryPricesRequest: TSchema = Type.Object({
  items: Type.Array(PricedItem, { minItems: 1, maxItems: 500 }),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 64 }), { maxItems: 20 })),
});

export const PriceStep: TSchema = Type.Object({
  step: Type.Union([Type.Literal("base"), Type.Literal("sale"), Type.Literal("price_list")]),
  amount: Type.Number(),
});

export const PriceLine: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  price: Type.Union([Type.Number(), Type.Null()]),
  sale_price: Type.Union([Type.Number(), Type.Null()]),
  unit_price: Type.Number(),
  subtotal: Type.Number(),
  discount: Type.Number(),
  total: Type.Number(),
  price_list_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  trace: Type.Array(PriceStep),
});

export const QueryPricesResponse: TSchema = Type.Object({
  currency: Type.String(),
  lines: Type.Array(PriceLine),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  total: Type.Number(),
  applied_promotions: Type.Array(AppliedPromotion),
  rejected_codes: Type.Array(RejectedCode),
});

export const TaxAddress: TSchema = Type.Object({
  country: Text({ pattern: "^[A-Za-z]{2}$" }),
  state: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  postal_code: Type.Optional(Type.Union([Text({ maxLength: 16 }), Type.Null()])),
});

export const PreviewTaxRequest: TSchema = Type.Object({
  items: Type.Array(PricedItem, { minItems: 1, maxItems: 500 }),
  shipping_fee: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  address: TaxAddress,
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 64 }), { maxItems: 20 })),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
});

export const TaxShare: TSchema = Type.Object({
  name: Type.String(),
  rate: Type.Number(),
  amount: Type.Number(),
});

export const TaxLine: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  taxable_amount: Type.Number(),
  tax_amount: Type.Number(),
  rates: Type.Array(TaxShare),
});

export const PreviewTaxResponse: TSchema = Type.Object({
  currency: Type.String(),
  tax_inclusive: Type.Boolean(),
  taxable_amount: Type.Number(),
  tax_amount: Type.Number(),
  shipping_tax: Type.Number(),
  lines: Type.Array(TaxLine),
});

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
});

export const ListPromotionsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListPromotionsResponse: TSchema = Type.Object({
  promotions: Type.Array(StorePromotion),
  pagination: Pagination,
});

export const GetPromotionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const PromotionResponse: TSchema = Type.Object({
  promotion: StorePromotion,
});

export const CreatePromotionRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 200 }),
  code: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 64 }), Type.Null()])),
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
});

export const UpdatePromotionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  code: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 64 }), Type.Null()])),
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
});

export const StoreTaxRate: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  country: Type.String(),
  state: Type.Union([Type.String(), Type.Null()]),
  postal_prefix: Type.Union([Type.String(), Type.Null()]),
  rate: Type.Number(),
  category_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  applies_to_shipping: Type.Boolean(),
  priority: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  compound: Type.Boolean(),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const ListTaxRatesRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListTaxRatesResponse: TSchema = Type.Object({
  tax_rates: Type.Array(StoreTaxRate),
  pagination: Pagination,
});

export const TaxRateResponse: TSchema = Type.Object({
  tax_rate: StoreTaxRate,
});

export const CreateTaxRateRequest: TSchema = Type.Object({
  name: Text({ minLength: 1, maxLength: 100 }),
  country: Text({ pattern: "^[A-Za-z]{2}$" }),
  state: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  postal_prefix: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 16 }), Type.Null()])),
  rate: Type.Number({ minimum: 0, maximum: 1 }),
  category_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  applies_to_shipping: Type.Optional(Type.Boolean()),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  compound: Type.Optional(Type.Boolean()),
});

export const UpdateTaxRateRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  state: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  postal_prefix: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 16 }), Type.Null()])),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  category_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  applies_to_shipping: Type.Optional(Type.Boolean()),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  compound: Type.Optional(Type.Boolean()),
});

export const DeleteTaxRateRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

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
  rejected_codes: Type.Array(RejectedCode),
  expired_codes: Type.Array(Type.String()),
  unusable_codes: Type.Array(Type.String()),
});

export const PriceLaddersRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 1000 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
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
