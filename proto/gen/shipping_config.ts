// Generated from stoa/v1/shipping_config.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type GetConfigRequest = {
  /** Comma-separated names of the configuration's fields to return. */
  fields?: string;
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

/** Texts of a location in another language. A field without a translation is read in the store's `language`. */
export type LocationTranslation = {
  name?: string | null;
  hours?: string | null;
  instructions?: string | null;
};

/** Texts of a location in another language. A field without a translation is read in the store's `language`. */
export type LocationTranslationInput = {
  name?: string | null;
  hours?: string | null;
  instructions?: string | null;
};

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
  /** One location at most is primary. Without one the first that ships counts. */
  primary: boolean;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, LocationTranslation>;
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
  /** One location at most is primary. Without one the first that ships counts. */
  primary?: boolean;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, LocationTranslationInput>;
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

/** A span of working days, Monday to Friday. */
export type EstimateDays = {
  min: number;
  max: number;
};

/** A span of working days, Monday to Friday. */
export type EstimateDaysInput = {
  min: number;
  max: number;
};

/** Texts of an option in another language. */
export type OptionTranslation = {
  name?: string | null;
  estimate?: string | null;
};

/** Texts of an option in another language. */
export type OptionTranslationInput = {
  name?: string | null;
  estimate?: string | null;
};

export type DeliveryOption = {
  /** Given where left out. */
  id: string | null;
  name: string;
  fee: number;
  /** Order total from which it is available; 0 where left out. */
  minimum_order: number | null;
  /** Order total from which this option is free. The rate's own threshold does not apply to it. */
  free_threshold: number | null;
  estimate: string | null;
  /** Working days that the delivery takes, after the store's `handling_days`. */
  estimate_days?: EstimateDays;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, OptionTranslation>;
};

export type DeliveryOptionInput = {
  /** Given where left out. */
  id?: string | null;
  name: string;
  fee: number;
  /** Order total from which it is available; 0 where left out. */
  minimum_order?: number | null;
  /** Order total from which this option is free. The rate's own threshold does not apply to it. */
  free_threshold?: number | null;
  estimate?: string | null;
  /** Working days that the delivery takes, after the store's `handling_days`. */
  estimate_days?: EstimateDaysInput;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, OptionTranslationInput>;
};

/** Texts of a rate in another language. */
export type RateTranslation = {
  estimate?: string | null;
};

/** Texts of a rate in another language. */
export type RateTranslationInput = {
  estimate?: string | null;
};

/** Delivery cost of a zone or tier. */
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
  /** Working days that the delivery takes, after the store's `handling_days`. */
  estimate_days?: EstimateDays;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, RateTranslation>;
};

/** Delivery cost of a zone or tier. */
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
  /** Working days that the delivery takes, after the store's `handling_days`. */
  estimate_days?: EstimateDaysInput;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, RateTranslationInput>;
};

/** Name of a zone or tier in another language. */
export type AreaTranslation = {
  name?: string | null;
};

/** Name of a zone or tier in another language. */
export type AreaTranslationInput = {
  name?: string | null;
};

/** An area with its own rate: a polygon on the map, whole countries, or a country's postcodes by their beginnings. */
export type ShippingZone = {
  /** Given where left out. */
  id: string | null;
  name: string;
  kind: "map" | "countries" | "postcodes";
  /** Area of a `map` zone: a GeoJSON Polygon or MultiPolygon, positions as `[longitude, latitude]`. */
  geometry?: unknown;
  /** Countries of a `countries` zone: ISO 3166-1 alpha-2. */
  countries?: readonly string[];
  /** Country of a `postcodes` zone: ISO 3166-1 alpha-2. */
  country?: string;
  /** Postcode prefixes of a `postcodes` zone. */
  prefixes?: readonly string[];
  rate: DeliveryRate;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, AreaTranslation>;
};

/** An area with its own rate: a polygon on the map, whole countries, or a country's postcodes by their beginnings. */
export type ShippingZoneInput = {
  /** Given where left out. */
  id?: string | null;
  name: string;
  kind: "map" | "countries" | "postcodes";
  /** Area of a `map` zone: a GeoJSON Polygon or MultiPolygon, positions as `[longitude, latitude]`. */
  geometry?: unknown;
  /** Countries of a `countries` zone: ISO 3166-1 alpha-2. */
  countries?: readonly string[];
  /** Country of a `postcodes` zone: ISO 3166-1 alpha-2. */
  country?: string;
  /** Postcode prefixes of a `postcodes` zone. */
  prefixes?: readonly string[];
  rate: DeliveryRateInput;
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, AreaTranslationInput>;
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
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, AreaTranslation>;
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
  /** Texts in other languages, by the tag of a language among the store's `languages`. The bound is 256 kB of JSON. */
  translations?: Record<string, AreaTranslationInput>;
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
  /** Working days, Monday to Friday, from the order until it is sent. */
  handling_days?: number;
  /** When it was last replaced; `1970-01-01T00:00:00.000Z` if never. */
  updated_at: string;
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
  /** Working days, Monday to Friday, from the order until it is sent; 0 where left out. */
  handling_days?: number;
  /** The `updated_at` that the change is based on. If the configuration has changed since then, the answer is 409 `conflict`. */
  version?: string;
};
