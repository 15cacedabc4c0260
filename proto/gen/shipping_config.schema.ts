// Generated from stoa/v1/shipping_config.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const GetConfigRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const LocationAddress: TSchema = Type.Object({
  line1: Text({ maxLength: 200 }),
  city: Text({ maxLength: 100 }),
  state: Type.Union([Text({ maxLength: 100 }), Type.Null()]),
  postal_code: Type.Union([Text({ maxLength: 16 }), Type.Null()]),
  country: Text({ pattern: "^[A-Za-z]{2}$" }),
});

export const LocationAddressInput: TSchema = Type.Object({
  line1: Text({ maxLength: 200 }),
  city: Text({ maxLength: 100 }),
  state: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  postal_code: Type.Optional(Type.Union([Text({ maxLength: 16 }), Type.Null()])),
  country: Text({ pattern: "^[A-Za-z]{2}$" }),
});

export const LocationTranslation: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  hours: Type.Optional(Type.Union([Text({ maxLength: 1000 }), Type.Null()])),
  instructions: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const LocationTranslationInput: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  hours: Type.Optional(Type.Union([Text({ maxLength: 1000 }), Type.Null()])),
  instructions: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const ShippingLocation: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  address: LocationAddress,
  hours: Type.Union([Text({ maxLength: 1000 }), Type.Null()]),
  instructions: Type.Union([Text({ maxLength: 2000 }), Type.Null()]),
  ships: Type.Boolean(),
  pickup: Type.Boolean(),
  primary: Type.Boolean(),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), LocationTranslation, { additionalProperties: false, maxProperties: 50 })),
});

export const ShippingLocationInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  address: LocationAddressInput,
  hours: Type.Optional(Type.Union([Text({ maxLength: 1000 }), Type.Null()])),
  instructions: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  ships: Type.Optional(Type.Boolean()),
  pickup: Type.Optional(Type.Boolean()),
  primary: Type.Optional(Type.Boolean()),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), LocationTranslationInput, { additionalProperties: false, maxProperties: 50 })),
});

export const WeightBand: TSchema = Type.Object({
  up_to_grams: Type.Integer({ minimum: 1, maximum: 2000000000 }),
  fee: Type.Number({ minimum: 0 }),
});

export const WeightBandInput: TSchema = Type.Object({
  up_to_grams: Type.Integer({ minimum: 1, maximum: 2000000000 }),
  fee: Type.Number({ maximum: 99999999.99, minimum: 0 }),
});

export const CategoryRule: TSchema = Type.Object({
  category_id: Text({ format: "uuid" }),
  surcharge: Type.Number({ minimum: 0 }),
});

export const CategoryRuleInput: TSchema = Type.Object({
  category_id: Text({ format: "uuid" }),
  surcharge: Type.Number({ maximum: 99999999.99, minimum: 0 }),
});

export const EstimateDays: TSchema = Type.Object({
  min: Type.Integer({ minimum: 0, maximum: 365 }),
  max: Type.Integer({ minimum: 0, maximum: 365 }),
});

export const EstimateDaysInput: TSchema = Type.Object({
  min: Type.Integer({ minimum: 0, maximum: 365 }),
  max: Type.Integer({ minimum: 0, maximum: 365 }),
});

export const OptionTranslation: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
});

export const OptionTranslationInput: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
});

export const DeliveryOption: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  fee: Type.Number({ minimum: 0 }),
  minimum_order: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  free_threshold: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  estimate: Type.Union([Text({ maxLength: 200 }), Type.Null()]),
  estimate_days: Type.Optional(EstimateDays),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), OptionTranslation, { additionalProperties: false, maxProperties: 50 })),
});

export const DeliveryOptionInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  fee: Type.Number({ maximum: 99999999.99, minimum: 0 }),
  minimum_order: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  free_threshold: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  estimate_days: Type.Optional(EstimateDaysInput),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), OptionTranslationInput, { additionalProperties: false, maxProperties: 50 })),
});

export const RateTranslation: TSchema = Type.Object({
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
});

export const RateTranslationInput: TSchema = Type.Object({
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
});

export const DeliveryRate: TSchema = Type.Object({
  fee: Type.Number({ minimum: 0 }),
  free_threshold: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  estimate: Type.Union([Text({ maxLength: 200 }), Type.Null()]),
  weight_bands: Type.Array(WeightBand, { maxItems: 100 }),
  category_rules: Type.Array(CategoryRule, { maxItems: 200 }),
  options: Type.Array(DeliveryOption, { maxItems: 50 }),
  estimate_days: Type.Optional(EstimateDays),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), RateTranslation, { additionalProperties: false, maxProperties: 50 })),
});

export const DeliveryRateInput: TSchema = Type.Object({
  fee: Type.Number({ maximum: 99999999.99, minimum: 0 }),
  free_threshold: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  weight_bands: Type.Optional(Type.Array(WeightBandInput, { maxItems: 100 })),
  category_rules: Type.Optional(Type.Array(CategoryRuleInput, { maxItems: 200 })),
  options: Type.Optional(Type.Array(DeliveryOptionInput, { maxItems: 50 })),
  estimate_days: Type.Optional(EstimateDaysInput),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), RateTranslationInput, { additionalProperties: false, maxProperties: 50 })),
});

export const AreaTranslation: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
});

export const AreaTranslationInput: TSchema = Type.Object({
  name: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
});

export const ShippingZone: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  kind: Type.Union([Type.Literal("map"), Type.Literal("countries"), Type.Literal("postcodes")]),
  geometry: Type.Optional(Type.Unknown()),
  countries: Type.Optional(Type.Array(Text({ pattern: "^[A-Za-z]{2}$" }), { maxItems: 300 })),
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  prefixes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 16 }), { maxItems: 10000 })),
  rate: DeliveryRate,
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), AreaTranslation, { additionalProperties: false, maxProperties: 50 })),
});

export const ShippingZoneInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  kind: Type.Union([Type.Literal("map"), Type.Literal("countries"), Type.Literal("postcodes")]),
  geometry: Type.Optional(Type.Unknown()),
  countries: Type.Optional(Type.Array(Text({ pattern: "^[A-Za-z]{2}$" }), { maxItems: 300 })),
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  prefixes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 16 }), { maxItems: 10000 })),
  rate: DeliveryRateInput,
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), AreaTranslationInput, { additionalProperties: false, maxProperties: 50 })),
});

export const ShippingTier: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  from_meters: Type.Number({ minimum: 0, maximum: 50000000 }),
  to_meters: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 50000000 }), Type.Null()]),
  rate: DeliveryRate,
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), AreaTranslation, { additionalProperties: false, maxProperties: 50 })),
});

export const ShippingTierInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  from_meters: Type.Number({ minimum: 0, maximum: 50000000 }),
  to_meters: Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 50000000 }), Type.Null()])),
  rate: DeliveryRateInput,
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), AreaTranslationInput, { additionalProperties: false, maxProperties: 50 })),
});

export const ShippingFallback: TSchema = Type.Object({
  rate: DeliveryRate,
});

export const ShippingFallbackInput: TSchema = Type.Object({
  rate: DeliveryRateInput,
});

export const ShippingConfig: TSchema = Type.Object({
  restriction: Type.Union([Type.Literal("none"), Type.Literal("local_only"), Type.Literal("pickup_only")]),
  fulfil_from: Type.Union([Type.Literal("primary"), Type.Literal("nearest")]),
  locations: Type.Array(ShippingLocation),
  zones: Type.Array(ShippingZone),
  tiers: Type.Array(ShippingTier),
  fallback: Type.Union([ShippingFallback, Type.Null()]),
  handling_days: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  updated_at: Text({ format: "date-time" }),
});

export const PutConfigRequest: TSchema = Type.Object({
  restriction: Type.Optional(Type.Union([Type.Literal("none"), Type.Literal("local_only"), Type.Literal("pickup_only")])),
  fulfil_from: Type.Optional(Type.Union([Type.Literal("primary"), Type.Literal("nearest")])),
  locations: Type.Optional(Type.Array(ShippingLocationInput, { maxItems: 1000 })),
  zones: Type.Optional(Type.Array(ShippingZoneInput, { maxItems: 5000 })),
  tiers: Type.Optional(Type.Array(ShippingTierInput, { maxItems: 200 })),
  fallback: Type.Optional(Type.Union([ShippingFallbackInput, Type.Null()])),
  handling_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
  version: Type.Optional(Text({ format: "date-time" })),
});
