// Generated from stoa/v1/pricing.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AppliedPromotion, RejectedCode } from './shared.schema.ts';

export const PricedItem: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const QueryPricesRequest: TSchema = Type.Object({
  items: Type.Array(PricedItem, { minItems: 1, maxItems: 500 }),
  currency: Type.Optional(Type.Union([Text({ format: "currency" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
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
  promotion_codes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
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
