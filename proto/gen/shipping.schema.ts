// Generated from stoa/v1/shipping.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AddressInput, Pagination } from './shared.schema.ts';

export const ShippingLine: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const Parcel: TSchema = Type.Object({
  weight_grams: Type.Integer({ minimum: 1, maximum: 100000000 }),
  length_cm: Type.Number({ exclusiveMinimum: 0, maximum: 10000 }),
  width_cm: Type.Number({ exclusiveMinimum: 0, maximum: 10000 }),
  height_cm: Type.Number({ exclusiveMinimum: 0, maximum: 10000 }),
});

export const CalculateRequest: TSchema = Type.Object({
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  place_name: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  country_code: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  postal_code: Type.Optional(Text({ maxLength: 16 })),
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  order_total: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
  address_to: Type.Optional(AddressInput),
  parcel: Type.Optional(Parcel),
});

export const Coordinates: TSchema = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  country_code: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
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

export const PickupLocation: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  address: LocationAddress,
  latitude: Type.Number(),
  longitude: Type.Number(),
  hours: Type.Union([Type.String(), Type.Null()]),
  instructions: Type.Union([Type.String(), Type.Null()]),
  distance_meters: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
});

export const ShippingChoice: TSchema = Type.Object({
  id: Type.String(),
  method: Type.Union([Type.Literal("delivery"), Type.Literal("pickup")]),
  name: Type.String(),
  fee: Type.Number(),
  currency: Type.String(),
  is_free: Type.Boolean(),
  estimate: Type.Union([Type.String(), Type.Null()]),
  available: Type.Boolean(),
  free_threshold: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  location: Type.Optional(PickupLocation),
});

export const FulfilmentLocation: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.String(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  distance_meters: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const CarrierRate: TSchema = Type.Object({
  rate_id: Type.String(),
  source: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  carrier: Type.String(),
  service: Type.String(),
  fee: Type.Number(),
  currency: Type.String(),
  estimate: Type.Union([Type.String(), Type.Null()]),
  delivery_days: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  expires_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const ShippingCalculation: TSchema = Type.Object({
  fee: Type.Union([Type.Number(), Type.Null()]),
  currency: Type.String(),
  zone_name: Type.Union([Type.String(), Type.Null()]),
  tier_name: Type.Union([Type.String(), Type.Null()]),
  distance_meters: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  is_free: Type.Boolean(),
  free_threshold: Type.Union([Type.Number(), Type.Null()]),
  configured: Type.Boolean(),
  reason: Type.String(),
  applied_rule: Type.Union([Type.Literal("zone"), Type.Literal("distance"), Type.Literal("fallback"), Type.Literal("none")]),
  coordinates: Type.Union([Coordinates, Type.Null()]),
  rate_source: Type.Union([Type.Literal("zone"), Type.Literal("tier"), Type.Literal("fallback"), Type.Literal("carrier_account"), Type.Literal("custom"), Type.Literal("none")]),
  deliverable: Type.Boolean(),
  restriction: Type.Union([Type.Literal("none"), Type.Literal("local_only"), Type.Literal("pickup_only")]),
  options: Type.Optional(Type.Array(ShippingChoice)),
  fulfilled_from: Type.Union([FulfilmentLocation, Type.Null()]),
  rates: Type.Optional(Type.Array(CarrierRate)),
});

export const GetConfigRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ShippingLocation: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 200 }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  address: LocationAddress,
  hours: Type.Union([Text({ maxLength: 1000 }), Type.Null()]),
  instructions: Type.Union([Text({ maxLength: 2000 }), Type.Null()]),
  ships: Type.Boolean(),
  pickup: Type.Boolean(),
  primary: Type.Boolean(),
});

export const ShippingLocationInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 200 }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  address: LocationAddressInput,
  hours: Type.Optional(Type.Union([Text({ maxLength: 1000 }), Type.Null()])),
  instructions: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  ships: Type.Optional(Type.Boolean()),
  pickup: Type.Optional(Type.Boolean()),
  primary: Type.Optional(Type.Boolean()),
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

export const DeliveryOption: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 200 }),
  fee: Type.Number({ minimum: 0 }),
  minimum_order: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  free_threshold: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  estimate: Type.Union([Text({ maxLength: 200 }), Type.Null()]),
});

export const DeliveryOptionInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 200 }),
  fee: Type.Number({ maximum: 99999999.99, minimum: 0 }),
  minimum_order: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  free_threshold: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
});

export const DeliveryRate: TSchema = Type.Object({
  fee: Type.Number({ minimum: 0 }),
  free_threshold: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  estimate: Type.Union([Text({ maxLength: 200 }), Type.Null()]),
  weight_bands: Type.Array(WeightBand, { maxItems: 100 }),
  category_rules: Type.Array(CategoryRule, { maxItems: 200 }),
  options: Type.Array(DeliveryOption, { maxItems: 50 }),
});

export const DeliveryRateInput: TSchema = Type.Object({
  fee: Type.Number({ maximum: 99999999.99, minimum: 0 }),
  free_threshold: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  estimate: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  weight_bands: Type.Optional(Type.Array(WeightBandInput, { maxItems: 100 })),
  category_rules: Type.Optional(Type.Array(CategoryRuleInput, { maxItems: 200 })),
  options: Type.Optional(Type.Array(DeliveryOptionInput, { maxItems: 50 })),
});

export const ShippingZone: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 200 }),
  kind: Type.Union([Type.Literal("map"), Type.Literal("countries"), Type.Literal("postcodes")]),
  geometry: Type.Optional(Type.Unknown()),
  countries: Type.Optional(Type.Array(Text({ pattern: "^[A-Za-z]{2}$" }), { maxItems: 300 })),
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  prefixes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 16 }), { maxItems: 10000 })),
  rate: DeliveryRate,
});

export const ShippingZoneInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 200 }),
  kind: Type.Union([Type.Literal("map"), Type.Literal("countries"), Type.Literal("postcodes")]),
  geometry: Type.Optional(Type.Unknown()),
  countries: Type.Optional(Type.Array(Text({ pattern: "^[A-Za-z]{2}$" }), { maxItems: 300 })),
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  prefixes: Type.Optional(Type.Array(Text({ minLength: 1, maxLength: 16 }), { maxItems: 10000 })),
  rate: DeliveryRateInput,
});

export const ShippingTier: TSchema = Type.Object({
  id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Text({ minLength: 1, maxLength: 200 }),
  from_meters: Type.Number({ minimum: 0, maximum: 50000000 }),
  to_meters: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 50000000 }), Type.Null()]),
  rate: DeliveryRate,
});

export const ShippingTierInput: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  name: Text({ minLength: 1, maxLength: 200 }),
  from_meters: Type.Number({ minimum: 0, maximum: 50000000 }),
  to_meters: Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 50000000 }), Type.Null()])),
  rate: DeliveryRateInput,
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
});

export const PutConfigRequest: TSchema = Type.Object({
  restriction: Type.Optional(Type.Union([Type.Literal("none"), Type.Literal("local_only"), Type.Literal("pickup_only")])),
  fulfil_from: Type.Optional(Type.Union([Type.Literal("primary"), Type.Literal("nearest")])),
  locations: Type.Optional(Type.Array(ShippingLocationInput, { maxItems: 1000 })),
  zones: Type.Optional(Type.Array(ShippingZoneInput, { maxItems: 5000 })),
  tiers: Type.Optional(Type.Array(ShippingTierInput, { maxItems: 200 })),
  fallback: Type.Optional(Type.Union([ShippingFallbackInput, Type.Null()])),
});

export const ListPickupLocationsRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListPickupLocationsResponse: TSchema = Type.Object({
  locations: Type.Array(PickupLocation),
});

export const ConnectedProvider: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  kind: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  name: Type.String(),
  base_url: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  signing_secret: Type.Optional(Type.String()),
  created_at: Text({ format: "date-time" }),
});

export const ListProvidersRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListProvidersResponse: TSchema = Type.Object({
  providers: Type.Array(ConnectedProvider),
  pagination: Pagination,
});

export const CreateProviderRequest: TSchema = Type.Object({
  kind: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  name: Text({ minLength: 1, maxLength: 100 }),
  api_key: Type.Optional(Text({ minLength: 1, maxLength: 500 })),
  base_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
});

export const ProviderResponse: TSchema = Type.Object({
  provider: ConnectedProvider,
});

export const DeleteProviderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const ShipOrderRequest: TSchema = Type.Object({
  address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  order_total: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
  shipping_option_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  shipping_rate_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  shipping_rate_source: Type.Optional(Type.Union([Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]), Type.Null()])),
});

export const ShipOrderResponse: TSchema = Type.Object({
  option_id: Type.Union([Type.String(), Type.Null()]),
  option_name: Type.String(),
  fee: Type.Number(),
  carrier: Type.Union([Type.String(), Type.Null()]),
  service: Type.Union([Type.String(), Type.Null()]),
  pickup_address: Type.Union([LocationAddress, Type.Null()]),
});

export const ListChoicesRequest: TSchema = Type.Object({
  address: AddressInput,
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  order_total: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
});

export const ListChoicesResponse: TSchema = Type.Object({
  options: Type.Array(ShippingChoice),
});

export const BuyLabelRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  rate_id: Type.String(),
  source: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  reference: Type.String(),
});

export const BuyLabelResponse: TSchema = Type.Object({
  carrier: Type.String(),
  service: Type.String(),
  tracking_number: Type.Union([Type.String(), Type.Null()]),
  tracking_url: Type.Union([Type.String(), Type.Null()]),
  label_url: Type.Union([Type.String(), Type.Null()]),
  fee: Type.Number(),
});

export const GetSenderRequest: TSchema = Type.Object({});

export const GetSenderResponse: TSchema = Type.Object({
  address: Type.Union([LocationAddress, Type.Null()]),
});
