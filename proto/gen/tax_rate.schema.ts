// Generated from stoa/v1/tax_rate.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

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
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
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
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  state: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100 }), Type.Null()])),
  postal_prefix: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 16 }), Type.Null()])),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  category_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  applies_to_shipping: Type.Optional(Type.Boolean()),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  compound: Type.Optional(Type.Boolean()),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const DeleteTaxRateRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
