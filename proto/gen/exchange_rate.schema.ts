// Generated from stoa/v1/exchange_rate.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const StoreCurrency: TSchema = Type.Object({
  currency: Text({ format: "currency" }),
  prices: Type.Union([Type.Literal("rate"), Type.Literal("fixed")]),
});

export const StoreCurrencyInput: TSchema = Type.Object({
  currency: Text({ format: "currency" }),
  prices: Type.Union([Type.Literal("rate"), Type.Literal("fixed")]),
});

export const PriceRounding: TSchema = Type.Object({
  to: Text({ pattern: "^\\d{1,5}(\\.\\d{1,4})?$" }),
});

export const PriceRoundingInput: TSchema = Type.Object({
  to: Text({ pattern: "^\\d{1,5}(\\.\\d{1,4})?$" }),
});

export const StoreExchangeRate: TSchema = Type.Object({
  currency: Type.String(),
  base_currency: Type.String(),
  rate: Type.Number(),
  rounding: Type.Union([PriceRounding, Type.Null()]),
  max_age_hours: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  updated_at: Text({ format: "date-time" }),
  expires_at: Text({ format: "date-time" }),
});

export const ListExchangeRatesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListExchangeRatesResponse: TSchema = Type.Object({
  exchange_rates: Type.Array(StoreExchangeRate),
});

export const ExchangeRateResponse: TSchema = Type.Object({
  exchange_rate: StoreExchangeRate,
});

export const PutExchangeRateRequest: TSchema = Type.Object({
  currency: Text({ pattern: "^[A-Za-z]{3}$" }),
  rate: Type.Number(),
  rounding: Type.Optional(Type.Union([PriceRoundingInput, Type.Null()])),
  max_age_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8760 })),
});

export const DeletedExchangeRate: TSchema = Type.Object({
  deleted: Type.Boolean(),
  id: Type.String(),
});

export const DeleteExchangeRateRequest: TSchema = Type.Object({
  currency: Text({ pattern: "^[A-Za-z]{3}$" }),
});
