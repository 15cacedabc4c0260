// Generated from stoa/v1/shipping.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AddressInput } from './shared.schema.ts';
import { LocationAddress } from './shipping_config.schema.ts';

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
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const Coordinates: TSchema = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  country_code: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
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
  delivery_from: Type.Optional(Text({ format: "date" })),
  delivery_to: Type.Optional(Text({ format: "date" })),
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

export const ListPickupLocationsRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const ListPickupLocationsResponse: TSchema = Type.Object({
  locations: Type.Array(PickupLocation),
});

export const ListPlacesRequest: TSchema = Type.Object({
  country: Type.Optional(Text({ pattern: "^[A-Za-z]{2}$" })),
  text: Type.Optional(Text({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  fields: Type.Optional(Type.String()),
});

export const Place: TSchema = Type.Object({
  city: Type.String(),
  state: Type.Union([Type.String(), Type.Null()]),
  postal_code: Type.Union([Type.String(), Type.Null()]),
  deliverable: Type.Boolean(),
});

export const ListPlacesResponse: TSchema = Type.Object({
  places: Type.Array(Place),
});
