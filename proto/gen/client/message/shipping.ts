// Generated from stoa/v1/shipping.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AddressInput, Pagination } from './shared.ts';

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
};

export type Coordinates = {
  latitude: number;
  longitude: number;
  /** When known. */
  country_code?: string;
  /** When known. */
  postal_code?: string;
};

export type LocationAddress = {
  line1: string;
  city: string;
  state: string | null;
  postal_code: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
};

export type LocationAddressInput = {
  line1: string;
  city: string;
  state?: string | null;
  postal_code?: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
};

/** Where an order can be picked up. */
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

/** One way to get an order: delivered or picked up. Its id is the order's `shipping_option_id`. */
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
};

export type FulfilmentLocation = {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  distance_meters: number;
};

/** A carrier's price. Its `rate_id` and `source` are the order's `shipping_rate_id` and `shipping_rate_source`. */
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

export type GetConfigRequest = Record<never, never>;

/** A place of the store's: orders are sent from it, picked up at it, or both. */
export type ShippingLocation = {
  /** Given where left out. */
  id: string | null;
  name: string;
  latitude: number;
  longitude: number;
  address: LocationAddress;
  hours: string | null;
  instructions: string | null;
  /** True where left out. */
  ships: boolean;
  /** False where left out. */
  pickup: boolean;
  /** At most one is; the first that ships counts where none is. */
  primary: boolean;
};

/** A place of the store's: orders are sent from it, picked up at it, or both. */
export type ShippingLocationInput = {
  /** Given where left out. */
  id?: string | null;
  name: string;
  latitude: number;
  longitude: number;
  address: LocationAddressInput;
  hours?: string | null;
  instructions?: string | null;
  /** True where left out. */
  ships?: boolean;
  /** False where left out. */
  pickup?: boolean;
  /** At most one is; the first that ships counts where none is. */
  primary?: boolean;
};

export type WeightBand = {
  /** Inclusive. */
  up_to_grams: number;
  fee: number;
};

export type WeightBandInput = {
  /** Inclusive. */
  up_to_grams: number;
  fee: number;
};

/** Charged once when a line of the category, or of one of its subcategories, is in the basket. */
export type CategoryRule = {
  category_id: string;
  surcharge: number;
};

/** Charged once when a line of the category, or of one of its subcategories, is in the basket. */
export type CategoryRuleInput = {
  category_id: string;
  surcharge: number;
};

export type DeliveryOption = {
  /** Given where left out. */
  id: string | null;
  name: string;
  fee: number;
  /** Order total from which it is available; 0 where left out. */
  minimum_order: number | null;
  /** Order total from which it is free: its own, whatever the rate's. */
  free_threshold: number | null;
  estimate: string | null;
};

export type DeliveryOptionInput = {
  /** Given where left out. */
  id?: string | null;
  name: string;
  fee: number;
  /** Order total from which it is available; 0 where left out. */
  minimum_order?: number | null;
  /** Order total from which it is free: its own, whatever the rate's. */
  free_threshold?: number | null;
  estimate?: string | null;
};

/** What delivery costs where it applies. */
export type DeliveryRate = {
  fee: number;
  /** Order total from which it is free, surcharges included. */
  free_threshold: number | null;
  estimate: string | null;
  /** Lightest first; the first that holds the basket gives the fee. */
  weight_bands: readonly WeightBand[];
  category_rules: readonly CategoryRule[];
  /** Other ways of delivery at the same place. */
  options: readonly DeliveryOption[];
};

/** What delivery costs where it applies. */
export type DeliveryRateInput = {
  fee: number;
  /** Order total from which it is free, surcharges included. */
  free_threshold?: number | null;
  estimate?: string | null;
  /** Lightest first; the first that holds the basket gives the fee. */
  weight_bands?: readonly WeightBandInput[];
  category_rules?: readonly CategoryRuleInput[];
  /** Other ways of delivery at the same place. */
  options?: readonly DeliveryOptionInput[];
};

/** Where a rate applies: an area of the map, whole countries, or a country's postcodes by their beginnings. */
export type ShippingZone = {
  /** Given where left out. */
  id: string | null;
  name: string;
  kind: "map" | "countries" | "postcodes";
  /** Of a `map` zone: a GeoJSON Polygon or MultiPolygon, positions as `[longitude, latitude]`. */
  geometry?: unknown;
  /** Of a `countries` zone: ISO 3166-1 alpha-2. */
  countries?: readonly string[];
  /** Of a `postcodes` zone: ISO 3166-1 alpha-2. */
  country?: string;
  /** Of a `postcodes` zone. */
  prefixes?: readonly string[];
  rate: DeliveryRate;
};

/** Where a rate applies: an area of the map, whole countries, or a country's postcodes by their beginnings. */
export type ShippingZoneInput = {
  /** Given where left out. */
  id?: string | null;
  name: string;
  kind: "map" | "countries" | "postcodes";
  /** Of a `map` zone: a GeoJSON Polygon or MultiPolygon, positions as `[longitude, latitude]`. */
  geometry?: unknown;
  /** Of a `countries` zone: ISO 3166-1 alpha-2. */
  countries?: readonly string[];
  /** Of a `postcodes` zone: ISO 3166-1 alpha-2. */
  country?: string;
  /** Of a `postcodes` zone. */
  prefixes?: readonly string[];
  rate: DeliveryRateInput;
};

/** A range of distances from where orders are sent: its start is in it, its end is not. */
export type ShippingTier = {
  /** Given where left out. */
  id: string | null;
  name: string;
  from_meters: number;
  /** Null: without end. */
  to_meters: number | null;
  rate: DeliveryRate;
};

/** A range of distances from where orders are sent: its start is in it, its end is not. */
export type ShippingTierInput = {
  /** Given where left out. */
  id?: string | null;
  name: string;
  from_meters: number;
  /** Null: without end. */
  to_meters?: number | null;
  rate: DeliveryRateInput;
};

export type ShippingFallback = {
  rate: DeliveryRate;
};

export type ShippingFallbackInput = {
  rate: DeliveryRateInput;
};

/** Everything that decides what delivery costs. */
export type ShippingConfig = {
  restriction: "none" | "local_only" | "pickup_only";
  fulfil_from: "primary" | "nearest";
  locations: readonly ShippingLocation[];
  zones: readonly ShippingZone[];
  tiers: readonly ShippingTier[];
  /** The everywhere-else rate. */
  fallback: ShippingFallback | null;
};

export type PutConfigRequest = {
  /** `none` where left out. */
  restriction?: "none" | "local_only" | "pickup_only";
  /** `primary` where left out. */
  fulfil_from?: "primary" | "nearest";
  locations?: readonly ShippingLocationInput[];
  /** Tried in order. */
  zones?: readonly ShippingZoneInput[];
  tiers?: readonly ShippingTierInput[];
  fallback?: ShippingFallbackInput | null;
};

export type ListPickupLocationsRequest = Record<never, never>;

export type ListPickupLocationsResponse = {
  locations: readonly PickupLocation[];
};

/** A carrier account or an extension. Its key and secret never come back. */
export type ConnectedProvider = {
  id: string;
  kind: "carrier_account" | "custom";
  name: string;
  /** Of a carrier account. */
  base_url?: string;
  /** Of an extension. */
  url?: string;
  /** Of an extension, in the answer to its creation alone. */
  signing_secret?: string;
  created_at: string;
};

export type ListProvidersRequest = {
  limit?: number;
  cursor?: string;
};

export type ListProvidersResponse = {
  providers: readonly ConnectedProvider[];
  pagination: Pagination;
};

export type CreateProviderRequest = {
  kind: "carrier_account" | "custom";
  name: string;
  /** Of a carrier account. */
  api_key?: string;
  /** Of a carrier account, where it is not the usual one. */
  base_url?: string | null;
  /** Of an extension. */
  url?: string;
};

export type ProviderResponse = {
  provider: ConnectedProvider;
};

export type DeleteProviderRequest = {
  id: string;
};
