// Parses a shipping configuration: validates the whole of it, assigns ids and adds defaults.
import { randomUUIDv7 } from 'bun';
import type {
  DeliveryRate,
  DeliveryRateInput,
  EstimateDays,
  PutConfigRequest,
  ShippingConfig,
  ShippingLocation,
  ShippingTier,
  ShippingZone,
  ShippingZoneInput,
} from '#proto/gen/shipping_config.ts';
import { invalid, notFound, Refusal } from '#runtime/call/call.ts';
import { mergeTranslations } from '#services/commerce/translation.ts';
import { parseCountry } from '#values/country.ts';
import type { Currency } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { plainPostcode } from '#values/text.ts';
import type { Translations } from '#values/translation.ts';
import { GeometryFault, parseGeometry } from './geometry.ts';

/** A configuration as it is stored; the time of its last change stands beside it. */
export type StoredConfig = Omit<ShippingConfig, 'updated_at'>;

export const NO_CONFIG: StoredConfig = {
  restriction: 'none',
  fulfil_from: 'primary',
  locations: [],
  zones: [],
  tiers: [],
  fallback: null,
};

/** Thrown and caught in this file, to end parsing at the first fault. */
class ConfigFault extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const fault = (param: string, words: string): ConfigFault => new ConfigFault(invalid(param, `\`${param}\` ${words}.`));

export const categoriesIn = (config: PutConfigRequest): string[] =>
  ratesOf(config).flatMap((rate) => (rate.category_rules ?? []).map(({ category_id }) => category_id));

/** Returns the translations of a configuration by language, one for each language that it has. */
export const translationsIn = (config: PutConfigRequest): Translations => {
  const { locations = [], zones = [], tiers = [] } = config;
  const rates = ratesOf(config);
  const items = [...locations, ...zones, ...tiers, ...rates, ...rates.flatMap(({ options = [] }) => options)];
  return Object.assign({}, ...items.map(({ translations }) => translations ?? {}));
};

const ratesOf = ({ zones = [], tiers = [], fallback }: PutConfigRequest): DeliveryRateInput[] => [
  ...zones.map(({ rate }) => rate),
  ...tiers.map(({ rate }) => rate),
  ...(fallback ? [fallback.rate] : []),
];

export interface ConfigContext {
  readonly currency: Currency;
  /** Ids of existing categories, and of categories in the stored configuration. */
  readonly categories: ReadonlySet<string>;
  /** The store's languages, its default one first. */
  readonly languages: readonly string[];
  /** Translations of the stored configuration by language: those into a language that the store dropped may be sent back. */
  readonly former: Translations;
}

export function* parseConfig(input: PutConfigRequest, context: ConfigContext): Generator<void, StoredConfig | Refusal> {
  try {
    const locations = parseLocations(input, context);
    const zones: ShippingZone[] = [];
    const ids = new UniqueIds();
    for (const [at, zone] of (input.zones ?? []).entries()) {
      zones.push(yield* parseZone(zone, `zones[${at}]`, ids, context));
      yield;
    }
    return {
      restriction: input.restriction ?? 'none',
      fulfil_from: input.fulfil_from ?? 'primary',
      locations,
      zones,
      tiers: parseTiers(input, context),
      ...(input.handling_days === undefined ? {} : { handling_days: input.handling_days }),
      fallback: input.fallback ? { rate: parseRate(input.fallback.rate, 'fallback.rate', context) } : null,
    };
  } catch (error) {
    if (error instanceof ConfigFault) return error.refusal;
    throw error;
  }
}

class UniqueIds {
  readonly #seen = new Set<string>();

  claim(id: string | null | undefined, path: string): string {
    const own = id ? id.toLowerCase() : randomUUIDv7();
    if (this.#seen.has(own)) throw fault(`${path}.id`, 'appears twice');
    this.#seen.add(own);
    return own;
  }
}

const parseCountryAt = (code: string, path: string): string => {
  const known = parseCountry(code);
  if (known === null) throw fault(path, 'must be an ISO 3166-1 country code');
  return known;
};

const parseLocations = ({ locations = [] }: PutConfigRequest, context: ConfigContext): ShippingLocation[] => {
  const ids = new UniqueIds();
  let primary = false;
  return locations.map((location, at) => {
    const path = `locations[${at}]`;
    if (location.primary && primary) throw fault(`${path}.primary`, 'may be true for one location only');
    primary ||= location.primary ?? false;
    const { address } = location;
    return {
      id: ids.claim(location.id, path),
      name: location.name,
      latitude: location.latitude,
      longitude: location.longitude,
      address: {
        line1: address.line1,
        city: address.city,
        state: address.state ?? null,
        postal_code: address.postal_code ?? null,
        country: parseCountryAt(address.country, `${path}.address.country`),
      },
      hours: location.hours ?? null,
      instructions: location.instructions ?? null,
      ships: location.ships ?? true,
      pickup: location.pickup ?? false,
      primary: location.primary ?? false,
      ...parseTranslations(location, path, context),
    };
  });
};

function* parseZone(
  zone: ShippingZoneInput,
  path: string,
  ids: UniqueIds,
  context: ConfigContext,
): Generator<void, ShippingZone> {
  const id = ids.claim(zone.id, path);
  const rate = parseRate(zone.rate, `${path}.rate`, context);
  const { name, kind } = zone;
  const translations = parseTranslations(zone, path, context);
  if (kind === 'map') {
    const geometry = yield* parseGeometry(zone.geometry);
    if (geometry instanceof GeometryFault) throw fault(`${path}.geometry${geometry.path}`, geometry.message);
    return { id, name, kind, geometry, rate, ...translations };
  }
  if (kind === 'countries') {
    if (!zone.countries?.length) throw fault(`${path}.countries`, 'must have at least one country');
    const countries = zone.countries.map((code, at) => parseCountryAt(code, `${path}.countries[${at}]`));
    return { id, name, kind, countries: [...new Set(countries)], rate, ...translations };
  }
  if (zone.country === undefined) throw fault(`${path}.country`, 'is required');
  if (!zone.prefixes?.length) throw fault(`${path}.prefixes`, 'must have at least one prefix');
  for (const [at, prefix] of zone.prefixes.entries())
    if (!/^[A-Z0-9]+$/.test(plainPostcode(prefix)))
      throw fault(`${path}.prefixes[${at}]`, 'must be the beginning of a postcode');
  return {
    id,
    name,
    kind,
    country: parseCountryAt(zone.country, `${path}.country`),
    prefixes: [...zone.prefixes],
    rate,
    ...translations,
  };
}

const parseTiers = ({ tiers = [] }: PutConfigRequest, context: ConfigContext): ShippingTier[] => {
  const ids = new UniqueIds();
  const read = tiers.map((tier, at): ShippingTier => {
    const path = `tiers[${at}]`;
    const to = tier.to_meters ?? null;
    if (to !== null && to <= tier.from_meters) throw fault(`${path}.to_meters`, 'must be more than `from_meters`');
    return {
      id: ids.claim(tier.id, path),
      name: tier.name,
      from_meters: tier.from_meters,
      to_meters: to,
      rate: parseRate(tier.rate, `${path}.rate`, context),
      ...parseTranslations(tier, path, context),
    };
  });
  const order = [...read.keys()].sort((a, b) => read[a]!.from_meters - read[b]!.from_meters || a - b);
  for (const [place, at] of order.entries()) {
    const before = read[order[place - 1] ?? -1];
    if (before && read[at]!.from_meters < (before.to_meters ?? Number.POSITIVE_INFINITY))
      throw fault(`tiers[${at}].from_meters`, `lies within the tier "${before.name}"; tiers must not overlap`);
  }
  return read;
};

interface Translatable<T extends object> {
  readonly translations?: Record<string, T>;
}

/** Returns the translations of one item; nothing if there are none. */
const parseTranslations = <T extends object>(
  { translations: given }: Translatable<T>,
  path: string,
  { languages, former }: ConfigContext,
): Translatable<T> => {
  const read = mergeTranslations<T>(null, given, languages, `${path}.translations`, former);
  if (read instanceof Refusal) throw new ConfigFault(read);
  return read === null ? {} : { translations: read };
};

const parseDays = (days: EstimateDays | null | undefined, path: string): { readonly estimate_days?: EstimateDays } => {
  if (!days) return {};
  if (days.max < days.min) throw fault(`${path}.max`, 'must be at least `min`');
  return { estimate_days: days };
};

const parseRate = (rate: DeliveryRateInput, path: string, context: ConfigContext): DeliveryRate => {
  const { currency, categories } = context;
  const amount = (value: number, name: string): number => {
    if (toMinor(value, currency) === null)
      throw fault(`${path}.${name}`, `must be an amount of at most 99,999,999.99 with ${currency.exponent} decimals`);
    return value;
  };
  const amountOrNull = (value: number | null | undefined, name: string): number | null =>
    value === null || value === undefined ? null : amount(value, name);

  const bands = rate.weight_bands ?? [];
  for (const [at, band] of bands.entries())
    if (at > 0 && band.up_to_grams <= bands[at - 1]!.up_to_grams)
      throw fault(`${path}.weight_bands[${at}].up_to_grams`, 'must be more than that of the band before it');
  const seen = new Set<string>();
  const rules = (rate.category_rules ?? []).map((rule, at) => {
    const where = `${path}.category_rules[${at}].category_id`;
    const category_id = rule.category_id.toLowerCase();
    if (!categories.has(category_id)) throw new ConfigFault(notFound('category', where));
    if (seen.size === seen.add(category_id).size) throw fault(where, 'appears twice');
    return { category_id, surcharge: amount(rule.surcharge, `category_rules[${at}].surcharge`) };
  });
  const ids = new UniqueIds();
  return {
    fee: amount(rate.fee, 'fee'),
    free_threshold: amountOrNull(rate.free_threshold, 'free_threshold'),
    estimate: rate.estimate ?? null,
    ...parseDays(rate.estimate_days, `${path}.estimate_days`),
    ...parseTranslations(rate, path, context),
    weight_bands: bands.map((band, at) => ({
      up_to_grams: band.up_to_grams,
      fee: amount(band.fee, `weight_bands[${at}].fee`),
    })),
    category_rules: rules,
    options: (rate.options ?? []).map((option, at) => ({
      id: ids.claim(option.id, `${path}.options[${at}]`),
      name: option.name,
      fee: amount(option.fee, `options[${at}].fee`),
      minimum_order: amountOrNull(option.minimum_order, `options[${at}].minimum_order`) ?? 0,
      free_threshold: amountOrNull(option.free_threshold, `options[${at}].free_threshold`),
      estimate: option.estimate ?? null,
      ...parseDays(option.estimate_days, `${path}.options[${at}].estimate_days`),
      ...parseTranslations(option, `${path}.options[${at}]`, context),
    })),
  };
};
