// Generated from stoa/v1/shipping.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AddressInput } from './shared.ts';
import type { GetConfigRequest, LocationAddress, PutConfigRequest, ShippingConfig } from './shipping_config.ts';

/** A line of the basket. */
export type ShippingLine = {
  variant_id: string;
  quantity: number;
};

/** The box that an order is sent in. */
export type Parcel = {
  weight_grams: number;
  length_cm: number;
  width_cm: number;
  height_cm: number;
};

export type CalculateRequest = {
  latitude?: number;
  longitude?: number;
  /** Geocoded; coordinates win over it. */
  place_name?: string;
  /** ISO 3166-1 alpha-2; wins over the geocoded value. */
  country_code?: string;
  /** Wins over the geocoded value. */
  postal_code?: string;
  items?: readonly ShippingLine[];
  /** Merchandise after discounts, before tax and shipping; 0 where left out. */
  order_total?: number;
  address_to?: AddressInput;
  parcel?: Parcel;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type Coordinates = {
  latitude: number;
  longitude: number;
  /** When known. */
  country_code?: string;
  /** When known. */
  postal_code?: string;
};

/** A place where an order can be picked up. */
export type PickupLocation = {
  id: string;
  name: string;
  address: LocationAddress;
  latitude: number;
  longitude: number;
  hours: string | null;
  instructions: string | null;
  /** From the place asked for, where it is known. */
  distance_meters?: number;
};

/** A delivery or pickup option of an order. The id is the order's `shipping_option_id`. */
export type ShippingChoice = {
  /** `place`, `opt:<option_id>` or `pickup:<location_id>`. */
  id: string;
  method: "delivery" | "pickup";
  name: string;
  fee: number;
  currency: string;
  is_free: boolean;
  estimate: string | null;
  /** False when it does not apply yet: the order is below its minimum. */
  available: boolean;
  /** On the `place` option. */
  free_threshold?: number | null;
  /** On pickup options. */
  location?: PickupLocation;
  /**
   * First and last day of the delivery if the store orders it today, in the store's timezone; where its rate or option
   * has `estimate_days`.
   */
  delivery_from?: string;
  delivery_to?: string;
};

export type FulfilmentLocation = {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  distance_meters: number;
};

/** A carrier's price. `rate_id` and `source` are the order's `shipping_rate_id` and `shipping_rate_source`. */
export type CarrierRate = {
  rate_id: string;
  source: "carrier_account" | "custom";
  carrier: string;
  service: string;
  fee: number;
  currency: string;
  estimate: string | null;
  delivery_days: number | null;
  expires_at: string | null;
};

export type ShippingCalculation = {
  /** The `place` option's fee; null on carrier-only requests and when `deliverable` is false. */
  fee: number | null;
  /** The store's own. */
  currency: string;
  /** The zone that priced the address. */
  zone_name: string | null;
  /** The distance rate that priced the address. */
  tier_name: string | null;
  /** From where the order is sent; when measured. */
  distance_meters?: number;
  /** The fee is 0. */
  is_free: boolean;
  /** Order total from which the matched rate is free. */
  free_threshold: number | null;
  /** False: the store has no delivery rates. */
  configured: boolean;
  /** For shoppers. */
  reason: string;
  applied_rule: "zone" | "distance" | "fallback" | "none";
  /** Null on carrier-only requests. */
  coordinates: Coordinates | null;
  rate_source: "zone" | "tier" | "fallback" | "carrier_account" | "custom" | "none";
  /** False when only pickup is offered. */
  deliverable: boolean;
  restriction: "none" | "local_only" | "pickup_only";
  /** `place` first, then `opt:`, then `pickup:`, nearest first. Absent on carrier-only requests. */
  options?: readonly ShippingChoice[];
  /** The nearest of several locations, where the store sends from the nearest. */
  fulfilled_from: FulfilmentLocation | null;
  /** Cheapest first; present only when the store has a provider and `address_to` and `parcel` were sent. */
  rates?: readonly CarrierRate[];
};

export type ListPickupLocationsRequest = {
  /** Comma-separated names of a location's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListPickupLocationsResponse = {
  locations: readonly PickupLocation[];
};

export type ListPlacesRequest = {
  /** ISO 3166-1 alpha-2; the store's own where left out. */
  country?: string;
  /**
   * The beginning of a town's name or of a word in it, with or without a postcode that is written without blanks. The
   * country's largest towns where left out.
   */
  text?: string;
  limit?: number;
  /** Comma-separated names of a place's fields to return. */
  fields?: string;
};

/** A town to which an order may be sent. */
export type Place = {
  city: string;
  /** The code of the state, in Australia, Canada and the United States. */
  state: string | null;
  /** The one in `text`, not checked. */
  postal_code: string | null;
  /**
   * False: the store delivers neither itself nor by carrier to addresses there, judged by the middle of the town. Pickup
   * may be offered.
   */
  deliverable: boolean;
};

export type ListPlacesResponse = {
  places: readonly Place[];
};

/**
 * Delivery zones, distance tiers, options, pickup locations and what they cost.
 * @internal
 */
export interface ShippingRpcs {
  Calculate: { request: CalculateRequest; response: ShippingCalculation };
  GetConfig: { request: GetConfigRequest; response: ShippingConfig };
  PutConfig: { request: PutConfigRequest; response: ShippingConfig };
  ListPickupLocations: { request: ListPickupLocationsRequest; response: ListPickupLocationsResponse };
  ListPlaces: { request: ListPlacesRequest; response: ListPlacesResponse };
}
