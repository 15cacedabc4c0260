// Compiles a store's shipping configuration. Finds the rate for a destination and the location that ships there.
import type { AreaTranslation, ShippingConfig, ShippingLocation } from '#proto/gen/shipping_config.ts';
import type { Currency } from '#values/currency.ts';
import { distanceMeters, nearest, type Point } from '#values/geo/distance.ts';
import { compileZoneMap, type Polygon, type ZoneMap } from '#values/geo/zone_map.ts';
import { type Translations, translated } from '#values/translation.ts';
import type { StoredConfig } from './config.ts';
import { type Geometry, polygonsOf } from './geometry.ts';
import { PostcodeZones } from './postcode.ts';
import { type CompiledRate, compileRate, rateIn } from './rate.ts';

export interface Destination {
  readonly point: Point | null;
  readonly country: string | null;
  readonly postcode: string | null;
}

export interface ShippingAddress extends Destination {
  readonly point: Point;
}

export interface ShippingOrigin {
  readonly location: ShippingLocation;
  readonly meters: number;
}

/**
 * The rate that applies at a location: of the first zone that contains the location, else of the distance tier, else
 * the fallback.
 */
export interface RateMatch {
  readonly rule: 'zone' | 'distance' | 'fallback';
  readonly name: string | null;
  readonly translations: Translations<AreaTranslation> | undefined;
  readonly rate: CompiledRate;
}

/** Returns a match with its shown texts in a language. */
export const matchIn = (match: RateMatch | null, language: string | undefined): RateMatch | null =>
  match && language !== undefined
    ? { ...translated(match, match.translations, language), rate: rateIn(match.rate, language) }
    : match;

interface Tier {
  readonly match: RateMatch;
  readonly fromMeters: number;
  readonly toMeters: number;
}

interface CompiledConfig {
  readonly currency: Currency;
  readonly config: Pick<ShippingConfig, 'restriction' | 'fulfil_from' | 'locations' | 'handling_days'>;
  readonly zones: readonly RateMatch[];
  readonly map: ZoneMap;
  readonly zoneIndexByShape: readonly number[];
  readonly countries: ReadonlyMap<string, number>;
  readonly postcodes: PostcodeZones;
  readonly tiers: readonly Tier[];
  readonly fallback: RateMatch | null;
}

/** Approximate bytes per zone or postcode prefix, without the zone map. */
const ZONE_BYTES = 600;

export class Engine {
  readonly currency: Currency;
  readonly restriction: ShippingConfig['restriction'];
  readonly pickups: readonly ShippingLocation[];
  readonly #compiled: CompiledConfig;
  readonly #senders: readonly ShippingLocation[];
  readonly #primary: ShippingLocation | null;

  constructor(compiled: CompiledConfig) {
    const { locations, restriction } = compiled.config;
    this.#compiled = compiled;
    this.currency = compiled.currency;
    this.restriction = restriction;
    this.pickups = locations.filter((location) => location.pickup);
    this.#senders = locations.filter((location) => location.ships);
    this.#primary = this.#senders.find((location) => location.primary) ?? this.#senders[0] ?? null;
  }

  get bytes(): number {
    const { map, zones, postcodes } = this.#compiled;
    return map.bytes + ZONE_BYTES * (zones.length + postcodes.size);
  }

  get configured(): boolean {
    const { zones, tiers, fallback } = this.#compiled;
    return zones.length > 0 || tiers.length > 0 || fallback !== null;
  }

  get handlingDays(): number {
    return this.#compiled.config.handling_days ?? 0;
  }

  get choosesNearest(): boolean {
    return this.#compiled.config.fulfil_from === 'nearest' && this.#senders.length > 1;
  }

  origin(place: Point | null): ShippingOrigin | null {
    if (this.#primary === null || place === null) return null;
    if (this.#compiled.config.fulfil_from === 'primary')
      return { location: this.#primary, meters: distanceMeters(this.#primary, place) };
    const found = nearest(this.#senders, place)!;
    return { location: found.place, meters: found.meters };
  }

  get defaultSender(): ShippingLocation | null {
    return this.#primary;
  }

  match(place: Destination, origin: ShippingOrigin | null): RateMatch | null {
    if (this.restriction === 'pickup_only') return null;
    const zone = this.#zone(place);
    if (zone >= 0) return this.#compiled.zones[zone]!;
    const tier = origin && this.#tier(origin.meters);
    if (tier) return tier.match;
    const { fallback } = this.#compiled;
    return this.restriction === 'local_only' ? null : fallback;
  }

  /** Tells whether a rate may apply that only an address's postcode decides. */
  dependsOnPostcode({ country, postcode }: Destination): boolean {
    if (country === null || postcode !== null || this.restriction !== 'none') return false;
    return this.#compiled.postcodes.covers(country);
  }

  #zone({ point, country, postcode }: Destination): number {
    const { map, zoneIndexByShape, countries, postcodes } = this.#compiled;
    const onMap = point === null ? -1 : map.find(point.longitude, point.latitude);
    let first = onMap < 0 ? Number.POSITIVE_INFINITY : zoneIndexByShape[onMap]!;
    // Ignores zones by country or postcode in a `local_only` store, which delivers only within map zones and distance
    // tiers.
    if (country !== null && this.restriction !== 'local_only') {
      first = Math.min(first, countries.get(country) ?? Number.POSITIVE_INFINITY);
      const byPostcode = postcode === null ? -1 : postcodes.find(country, postcode);
      if (byPostcode >= 0) first = Math.min(first, byPostcode);
    }
    return first === Number.POSITIVE_INFINITY ? -1 : first;
  }

  /** Finds the tier of a distance. A tier includes the start of its range but not the end. */
  #tier(meters: number): Tier | null {
    for (const tier of this.#compiled.tiers) if (meters >= tier.fromMeters && meters < tier.toMeters) return tier;
    return null;
  }
}

export function* compileEngine(config: StoredConfig, currency: Currency): Generator<void, Engine> {
  const shapes: (readonly Polygon[])[] = [];
  const mapZones: number[] = [];
  const countries = new Map<string, number>();
  const postcodes = new PostcodeZones();
  for (const [at, zone] of config.zones.entries()) {
    if (zone.kind === 'map') {
      mapZones.push(at);
      shapes.push(polygonsOf(zone.geometry as Geometry));
    }
    for (const country of zone.countries ?? []) if (!countries.has(country)) countries.set(country, at);
    for (const prefix of zone.prefixes ?? []) postcodes.add(zone.country!, prefix, at);
    yield;
  }
  const map = yield* compileZoneMap(shapes);
  return new Engine({
    currency,
    config: {
      restriction: config.restriction,
      fulfil_from: config.fulfil_from,
      locations: config.locations,
      handling_days: config.handling_days ?? 0,
    },
    zones: config.zones.map(({ name, translations, rate }) => ({
      rule: 'zone',
      name,
      translations,
      rate: compileRate(rate, currency),
    })),
    map,
    zoneIndexByShape: mapZones,
    countries,
    postcodes,
    tiers: config.tiers.map((tier) => ({
      match: {
        rule: 'distance',
        name: tier.name,
        translations: tier.translations,
        rate: compileRate(tier.rate, currency),
      },
      fromMeters: tier.from_meters,
      toMeters: tier.to_meters ?? Number.POSITIVE_INFINITY,
    })),
    fallback: config.fallback && {
      rule: 'fallback',
      name: null,
      translations: undefined,
      rate: compileRate(config.fallback.rate, currency),
    },
  });
}
