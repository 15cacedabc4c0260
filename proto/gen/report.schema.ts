// Generated from stoa/v1/report.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const GetSalesRequest: TSchema = Type.Object({
  from: Type.Optional(Text({ maxLength: 40 })),
  to: Type.Optional(Text({ maxLength: 40 })),
  interval: Type.Optional(Type.Union([Type.Literal("hour"), Type.Literal("day"), Type.Literal("week"), Type.Literal("month")])),
  by: Type.Optional(Type.Union([Type.Literal("none"), Type.Literal("channel"), Type.Literal("product"), Type.Literal("category"), Type.Literal("country")])),
  currency: Type.Optional(Text({ format: "currency" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const SalesFigures: TSchema = Type.Object({
  orders: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  units: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  gross: Type.Number(),
  discounts: Type.Number(),
  refunds: Type.Number(),
  tax: Type.Number(),
  shipping: Type.Number(),
  total: Type.Number(),
  net: Type.Number(),
  average_order: Type.Union([Type.Number(), Type.Null()]),
  returning_customers: Type.Union([Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }), Type.Null()]),
});

export const SalesInterval: TSchema = Type.Object({
  from: Text({ format: "date-time" }),
  to: Text({ format: "date-time" }),
  figures: SalesFigures,
});

export const SalesRow: TSchema = Type.Object({
  value: Type.Union([Type.String(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
  total: SalesFigures,
  intervals: Type.Array(SalesInterval),
});

export const SalesReport: TSchema = Type.Object({
  from: Text({ format: "date-time" }),
  to: Text({ format: "date-time" }),
  interval: Type.Union([Type.Literal("hour"), Type.Literal("day"), Type.Literal("week"), Type.Literal("month")]),
  by: Type.Union([Type.Literal("none"), Type.Literal("channel"), Type.Literal("product"), Type.Literal("category"), Type.Literal("country")]),
  timezone: Type.String(),
  currency: Type.String(),
  currencies: Type.Array(Type.String()),
  as_of: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  total: SalesFigures,
  intervals: Type.Array(SalesInterval),
  rows: Type.Array(SalesRow),
});

export const GetSalesResponse: TSchema = Type.Object({
  sales: SalesReport,
  pagination: Pagination,
});

export const GetFunnelRequest: TSchema = Type.Object({
  from: Type.Optional(Text({ maxLength: 40 })),
  to: Type.Optional(Text({ maxLength: 40 })),
  interval: Type.Optional(Type.Union([Type.Literal("hour"), Type.Literal("day"), Type.Literal("week"), Type.Literal("month")])),
  fields: Type.Optional(Type.String()),
});

export const FunnelFigures: TSchema = Type.Object({
  sessions: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  product_views: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  added_to_cart: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  checkouts_started: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  orders_placed: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  orders_paid: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const FunnelInterval: TSchema = Type.Object({
  from: Text({ format: "date-time" }),
  to: Text({ format: "date-time" }),
  figures: FunnelFigures,
});

export const FunnelReport: TSchema = Type.Object({
  from: Text({ format: "date-time" }),
  to: Text({ format: "date-time" }),
  interval: Type.Union([Type.Literal("hour"), Type.Literal("day"), Type.Literal("week"), Type.Literal("month")]),
  timezone: Type.String(),
  as_of: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  total: FunnelFigures,
  intervals: Type.Array(FunnelInterval),
});

export const GetFunnelResponse: TSchema = Type.Object({
  funnel: FunnelReport,
});
