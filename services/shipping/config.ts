// The shipping configuration as it is written: checked as a whole, given ids, and left out of it what is not asked for.
import { randomUUIDv7 } from 'bun';
import type {
  DeliveryRate,
  DeliveryRateInput,
  PutConfigRequest,
  ShippingConfig,
  ShippingLocation,
  ShippingTier,
  ShippingZone,
  ShippingZoneInput,
} from '#proto/gen/shipping_config.ts';
import { invalid, notFound, type Refusal } from '#runtime/call/call.ts';
import { parseCountry } from '#values/country.ts';
import type { Currency } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { plainPostcode } from '#values/typed_name.ts';
import { GeometryFault, readGeometry } from './geometry.ts';

export const NO_CONFIG: ShippingConfig = {
  restriction: 'none',
  fulfil_from: 'primary',
  locations: [],
  zones: [],
  tiers: [],
  fallback: null,
};

/** Thrown within a reading alone: it ends at the first fault. */
class Bad extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const bad = (param: string, words: string): Bad => new Bad(invalid(param, `\`${param}\` ${words}.`));

/** The categories that a configuration names. */
export const categoriesIn = (config: PutConfigRequest): string[] =>
  ratesOf(config).flatMap((rate) => (rate.category_rules ?? []).map(({ category_id }) => category_id));

const ratesOf = ({ zones = [], tiers = [], fallback }: PutConfigRequest): DeliveryRateInput[] => [
  ...zones.map(({ rate }) => rate),
  ...tiers.map(({ rate }) => rate),
  ...(fallback ? [fallback.rate] : []),
];

export interface ConfigContext {
  readonly currency: Currency;
  /** Ids of the tenant's categories and subcategories, deleted ones that it names already too, where it names any. */
  readonly categories: ReadonlySet<string>;
}

/** The whole configuration or the first thing that is wrong with it, in steps. */
export function* readConfig(
  input: PutConfigRequest,
  surroundings: ConfigContext,
): Generator<void, ShippingConfig | Refusal> {
  try {
    const locations = readLocations(input);
    const zones: ShippingZone[] = [];
    const ids = new Ids();
    for (const [at, zone] of (input.zones ?? []).entries()) {
      zones.push(yield* readZone(zone, `zones[${at}]`, ids, surroundings));
      yield;
    }
    return {
      restriction: input.restriction ?? 'none',
      fulfil_from: input.fulfil_from ?? 'primary',
      locations,
      zones,
      tiers: readTiers(input, surroundings),
      fallback: input.fallback ? { rate: readRate(input.fallback.rate, 'fallback.rate', surroundings) } : null,
    };
  } catch (problem) {
    if (problem instanceof Bad) return problem.refusal;
    throw problem;
  }
}

/** Ids of one kind: kept where they were sent, each once. */
class Ids {
  readonly #seen = new Set<string>();

  of(id: string | null | undefined, path: string): string {
    const own = id ? id.toLowerCase() : randomUUIDv7();
    if (this.#seen.has(own)) throw bad(`${path}.id`, 'stands twice');
    this.#seen.add(own);
    return own;
  }
}

const country = (code: string, path: string): string => {
  const known = parseCountry(code);
  if (known === null) throw bad(path, 'must be a country code of ISO 3166-1');
  return known;
};

const readLocations = ({ locations = [] }: PutConfigRequest): ShippingLocation[] => {
  const ids = new Ids();
  let primary = false;
  return locations.map((location, at) => {
    const path = `locations[${at}]`;
    if (location.primary && primary) throw bad(`${path}.primary`, 'may be true for one location');
    primary ||= location.primary ?? false;
    const { address } = location;
    return {
      id: ids.of(location.id, path),
      name: location.name,
      latitude: location.latitude,
      longitude: location.longitude,
      address: {
        line1: address.line1,
        city: address.city,
        state: address.state ?? null,
        postal_code: address.postal_code ?? null,
        country: country(address.country, `${path}.address.country`),
      },
      hours: location.hours ?? null,
      instructions: location.instructions ?? null,
      ships: location.ships ?? true,
      pickup: location.pickup ?? false,
      primary: location.primary ?? false,
    };
  });
};

function* readZone(
  zone: ShippingZoneInput,
  path: string,
  ids: Ids,
  surroundings: ConfigContext,
): Generator<void, ShippingZone> {
  const id = ids.of(zone.id, path);
  const rate = readRate(zone.rate, `${path}.rate`, surroundings);
  const { name, kind } = zone;
  if (kind === 'map') {
    const geometry = yield* readGeometry(zone.geometry);
    if (geometry instanceof GeometryFault) throw bad(`${path}.geometry${geometry.path}`, geometry.message);
    return { id, name, kind, geometry, rate };
  }
  if (kind === 'countries') {
    if (!zone.countries?.length) throw bad(`${path}.countries`, 'must name a country');
    const countries = zone.countries.map((code, at) => country(code, `${path}.countries[${at}]`));
    return { id, name, kind, countries: [...new Set(countries)], rate };
  }
  if (zone.country === undefined) throw bad(`${path}.country`, 'is required');
  if (!zone.prefixes?.length) throw bad(`${path}.prefixes`, 'must hold a prefix');
  for (const [at, prefix] of zone.prefixes.entries())
    if (!/^[A-Z0-9]+$/.test(plainPostcode(prefix)))
      throw bad(`${path}.prefixes[${at}]`, 'must be the beginning of a postcode');
  return { id, name, kind, country: country(zone.country, `${path}.country`), prefixes: [...zone.prefixes], rate };
}

const readTiers = ({ tiers = [] }: PutConfigRequest, surroundings: ConfigContext): ShippingTier[] => {
  const ids = new Ids();
  const read = tiers.map((tier, at): ShippingTier => {
    const path = `tiers[${at}]`;
    const to = tier.to_meters ?? null;
    if (to !== null && to <= tier.from_meters) throw bad(`${path}.to_meters`, 'must be more than `from_meters`');
    return {
      id: ids.of(tier.id, path),
      name: tier.name,
      from_meters: tier.from_meters,
      to_meters: to,
      rate: readRate(tier.rate, `${path}.rate`, surroundings),
    };
  });
  const order = [...read.keys()].sort((a, b) => read[a]!.from_meters - read[b]!.from_meters || a - b);
  for (const [place, at] of order.entries()) {
    const before = read[order[place - 1] ?? -1];
    if (before && read[at]!.from_meters < (before.to_meters ?? Number.POSITIVE_INFINITY))
      throw bad(`tiers[${at}].from_meters`, `lies within another tier, "${before.name}": tiers may not overlap`);
  }
  return read;
};

const readRate = (rate: DeliveryRateInput, path: string, { currency, categories }: ConfigContext): DeliveryRate => {
  const amount = (value: number, name: string): number => {
    if (toMinor(value, currency) === null)
      throw bad(`${path}.${name}`, `must be an amount of at most 99,999,999.99 with ${currency.exponent} decimals`);
    return value;
  };
  const amountOrNull = (value: number | null | undefined, name: string): number | null =>
    value === null || value === undefined ? null : amount(value, name);

  const bands = rate.weight_bands ?? [];
  for (const [at, band] of bands.entries())
    if (at > 0 && band.up_to_grams <= bands[at - 1]!.up_to_grams)
      throw bad(`${path}.weight_bands[${at}].up_to_grams`, 'must be more than that of the band before it');
  const seen = new Set<string>();
  const rules = (rate.category_rules ?? []).map((rule, at) => {
    const where = `${path}.category_rules[${at}].category_id`;
    const category_id = rule.category_id.toLowerCase();
    if (!categories.has(category_id)) throw new Bad(notFound('category', where));
    if (seen.size === seen.add(category_id).size) throw bad(where, 'stands twice');
    return { category_id, surcharge: amount(rule.surcharge, `category_rules[${at}].surcharge`) };
  });
  const ids = new Ids();
  return {
    fee: amount(rate.fee, 'fee'),
    free_threshold: amountOrNull(rate.free_threshold, 'free_threshold'),
    estimate: rate.estimate ?? null,
    weight_bands: bands.map((band, at) => ({
      up_to_grams: band.up_to_grams,
      fee: amount(band.fee, `weight_bands[${at}].fee`),
    })),
    category_rules: rules,
    options: (rate.options ?? []).map((option, at) => ({
      id: ids.of(option.id, `${path}.options[${at}]`),
      name: option.name,
      fee: amount(option.fee, `options[${at}].fee`),
      minimum_order: amountOrNull(option.minimum_order, `options[${at}].minimum_order`) ?? 0,
      free_threshold: amountOrNull(option.free_threshold, `options[${at}].free_threshold`),
      estimate: option.estimate ?? null,
    })),
  };
};
