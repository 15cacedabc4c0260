// Compares random configurations and points with an oracle: STOA_POINTS questions of one STOA_SEED.
import { randomUUIDv7 } from 'bun';
import { expect, test } from 'vitest';
import type { DeliveryRate, ShippingZone } from '#proto/gen/shipping_config.ts';
import { Refusal } from '#runtime/call/call.ts';
import { calculate } from '#services/shipping/calculation.ts';
import type { StoredConfig } from '#services/shipping/config.ts';
import { compileEngine, type ShippingAddress } from '#services/shipping/engine.ts';
import { currencyOf } from '#values/currency.ts';
import { distanceMeters } from '#values/geo/distance.ts';

const QUESTIONS = Number(process.env.STOA_POINTS ?? 5_000);
const SEED = Number(process.env.STOA_SEED ?? 42);
const USD = currencyOf('USD');

let state = SEED;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const whole = (max: number): number => Math.floor(random() * max);
const pick = <T>(from: readonly T[]): T => from[whole(from.length)]!;
const some = <T>(max: number, make: (at: number) => T): T[] =>
  Array.from({ length: whole(max + 1) }, (_, at) => make(at));
const perhaps = <T>(value: T): T | null => (random() < 0.5 ? value : null);

const CATEGORIES = ['red', 'green', 'blue'];
const COUNTRIES = ['GB', 'KE', 'US'];
const POSTCODES = ['SW1A 1AA', 'SW10 0AA', 'EC1A 1BB', 'E1 6AN', 'N1', '00100', '00200', '10001'];
const PREFIXES = ['SW1', 'SW', 'S', 'E', 'EC', 'E1', 'N', '00', '001', '1'];

const rateOf = (): DeliveryRate => ({
  fee: whole(2_000) / 100,
  free_threshold: perhaps(whole(100)),
  estimate: null,
  weight_bands: some(3, (at) => ({ up_to_grams: (at + 1) * 500, fee: whole(900) / 100 })),
  category_rules: CATEGORIES.filter(() => random() < 0.3).map((category_id) => ({
    category_id,
    surcharge: whole(500) / 100,
  })),
  options: some(2, () => ({
    id: randomUUIDv7(),
    name: 'option',
    fee: whole(3_000) / 100,
    minimum_order: whole(100),
    free_threshold: perhaps(whole(150)),
    estimate: null,
  })),
});

/** Boxes on a coarse grid, so that random points hit borders and corners. */
const zoneOf = (at: number): ShippingZone => {
  const common = { id: randomUUIDv7(), name: `zone ${at}`, rate: rateOf() };
  const kind = pick(['map', 'map', 'countries', 'postcodes'] as const);
  if (kind === 'countries') return { ...common, kind, countries: COUNTRIES.filter(() => random() < 0.4) };
  if (kind === 'postcodes')
    return { ...common, kind, country: pick(COUNTRIES), prefixes: [pick(PREFIXES), pick(PREFIXES)] };
  const [west, south] = [whole(8) - 4, whole(8) - 4];
  const [east, north] = [west + 1 + whole(4), south + 1 + whole(4)];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { ...common, kind, geometry: { type: 'Polygon', coordinates: [ring] } };
};

const configOf = (): StoredConfig => {
  const edges = [0, 100_000, 300_000, 900_000].slice(0, 1 + whole(4));
  return {
    restriction: pick(['none', 'none', 'local_only', 'pickup_only']),
    fulfil_from: pick(['primary', 'nearest']),
    locations: some(3, (at) => ({
      id: randomUUIDv7(),
      name: `location ${at}`,
      latitude: whole(8) - 4,
      longitude: whole(8) - 4,
      address: { line1: '', city: '', state: null, postal_code: null, country: 'KE' },
      hours: null,
      instructions: null,
      ships: random() < 0.8,
      pickup: random() < 0.4,
      primary: at === 1,
    })),
    zones: some(6, zoneOf),
    tiers: edges.slice(1).map((to_meters, at) => ({
      id: randomUUIDv7(),
      name: `tier ${at}`,
      from_meters: edges[at]!,
      to_meters: at === 2 ? null : to_meters,
      rate: rateOf(),
    })),
    fallback: perhaps({ rate: rateOf() }),
  };
};

interface Basket {
  readonly weightGrams: number | null;
  readonly categories: ReadonlySet<string>;
  readonly orderTotal: number;
  readonly requiresShipping: true;
}

// ── The oracle: amounts in cents ─────────────────────────────────────────────────────────────────────────────────────

const cents = (amount: number): number => Math.round(amount * 100);

/** Written by hand for the few postcodes in use: a British prefix may not split a run of letters or digits. */
const GB_HOLDS: Record<string, readonly string[]> = {
  'SW1A 1AA': ['SW1', 'SW'],
  'SW10 0AA': ['SW'],
  'EC1A 1BB': ['EC'],
  'E1 6AN': ['E', 'E1'],
  N1: ['N'],
  '00100': ['00', '001'],
  '00200': ['00'],
  '10001': [],
};

const inZone = (zone: ShippingZone, { point, country, postcode }: ShippingAddress): boolean => {
  if (zone.kind === 'countries') return country !== null && zone.countries!.includes(country);
  if (zone.kind === 'postcodes') {
    if (country !== zone.country || postcode === null) return false;
    const known = country === 'GB' ? GB_HOLDS[postcode]! : PREFIXES.filter((prefix) => postcode.startsWith(prefix));
    // A British prefix may not split a postcode of digits alone.
    return zone.prefixes!.some((prefix) => known.includes(prefix) && !(country === 'GB' && /^\d+$/.test(postcode)));
  }
  const [[west, south], , [east, north]] = (zone.geometry as { coordinates: number[][][] }).coordinates[0] as never as [
    [number, number],
    unknown,
    [number, number],
  ];
  return point.longitude >= west && point.longitude <= east && point.latitude >= south && point.latitude <= north;
};

const expected = (config: StoredConfig, place: ShippingAddress, basket: Basket) => {
  const senders = config.locations.filter(({ ships }) => ships);
  const meters = (location: { latitude: number; longitude: number }) => distanceMeters(location, place.point);
  const primary = senders.find((location) => location.primary) ?? senders[0];
  const nearest = senders.toSorted((a, b) => meters(a) - meters(b))[0];
  const origin = config.fulfil_from === 'nearest' ? nearest : primary;
  const local = config.restriction === 'local_only';
  const zone = config.zones.find((each) => (each.kind === 'map' || !local) && inZone(each, place));
  const tier = config.tiers.find(
    (each) =>
      origin && meters(origin) >= each.from_meters && (each.to_meters === null || meters(origin) < each.to_meters),
  );
  const [rule, rate, name] = zone
    ? ['zone', zone.rate, zone.name]
    : tier
      ? ['distance', tier.rate, tier.name]
      : config.fallback && !local
        ? ['fallback', config.fallback.rate, null]
        : ['none', null, null];
  const pickups = config.locations.filter(({ pickup }) => pickup).toSorted((a, b) => meters(a) - meters(b));
  const common = {
    distance: origin && Math.floor(meters(origin) + 0.5),
    from: config.fulfil_from === 'nearest' && senders.length > 1 ? nearest!.id : null,
  };
  const unpriced = config.zones.length === 0 && config.tiers.length === 0 && config.fallback === null;
  if (config.restriction === 'pickup_only' || (rate === null && !unpriced)) {
    if (pickups.length === 0) return 'shipping_not_deliverable';
    return { ...common, rule: 'none', name: null, fees: [], pickups: pickups.map(({ id }) => id), available: [] };
  }
  const common2 = { ...common, rule, name, pickups: pickups.map(({ id }) => id) };
  if (rate === null) return { ...common2, fees: [0], available: [true] };
  const surcharge = rate.category_rules
    .filter(({ category_id }) => basket.categories.has(category_id))
    .reduce((sum, { surcharge }) => sum + cents(surcharge), 0);
  const band = rate.weight_bands.find(
    ({ up_to_grams }) => basket.weightGrams !== null && basket.weightGrams <= up_to_grams,
  );
  const free = (threshold: number | null) => threshold !== null && basket.orderTotal >= cents(threshold);
  return {
    ...common2,
    fees: [
      free(rate.free_threshold) ? 0 : cents(band?.fee ?? rate.fee) + surcharge,
      ...rate.options.map((option) => (free(option.free_threshold) ? 0 : cents(option.fee) + surcharge)),
    ],
    available: [true, ...rate.options.map(({ minimum_order }) => basket.orderTotal >= cents(minimum_order!))],
  };
};

// ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const engineOf = (config: StoredConfig) => {
  const steps = compileEngine(config, USD);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

test(`the engine agrees with the oracle on ${QUESTIONS} questions`, () => {
  const rules = new Map<string, number>();
  for (let asked = 0; asked < QUESTIONS; ) {
    const config = configOf();
    const engine = engineOf(config);
    for (let at = 0; at < 25; at++, asked++) {
      const raster = random() < 0.4;
      const [latitude, longitude] = [random() * 12 - 6, random() * 12 - 6];
      const place: ShippingAddress = {
        point: raster ? { latitude: Math.round(latitude), longitude: Math.round(longitude) } : { latitude, longitude },
        country: perhaps(pick(COUNTRIES)),
        postcode: perhaps(pick(POSTCODES)),
      };
      const basket: Basket = {
        weightGrams: perhaps(whole(2_000)),
        categories: new Set(CATEGORIES.filter(() => random() < 0.4)),
        orderTotal: whole(20_000),
        requiresShipping: true,
      };
      const origin = engine.origin(place.point);
      const answer = calculate(engine, origin, engine.match(place, origin), {
        place,
        basket,
        rates: null,
        calendar: null,
      });
      const deliveries = answer instanceof Refusal ? [] : answer.options!.filter(({ method }) => method === 'delivery');
      const actual =
        answer instanceof Refusal
          ? answer.code
          : {
              distance: answer.distance_meters,
              from: answer.fulfilled_from?.id ?? null,
              rule: answer.applied_rule,
              name: answer.zone_name ?? answer.tier_name,
              pickups: answer.options!.flatMap(({ location }) => (location ? [location.id] : [])),
              fees: deliveries.map(({ fee }) => cents(fee)),
              available: deliveries.map(({ available }) => available),
            };
      const due = expected(config, place, basket);
      expect(actual, JSON.stringify({ config, place, orderTotal: basket.orderTotal })).toEqual(due);
      if (!(answer instanceof Refusal)) {
        expect(answer.deliverable).toBe(deliveries.length > 0);
        expect(answer.fee).toBe(deliveries[0]?.fee ?? null);
        expect(answer.is_free).toBe(answer.fee === 0);
      }
      const rule = typeof due === 'string' ? due : (due.rule as string);
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
    }
  }
  for (const rule of ['zone', 'distance', 'fallback', 'none', 'shipping_not_deliverable'])
    expect(rules.get(rule), rule).toBeGreaterThan(QUESTIONS / 100);
});

test('"a range includes its start and stops just before its end", to the last bit of a distance', () => {
  const [shop, place] = [
    { latitude: 0, longitude: 0 },
    { latitude: 0, longitude: 1 },
  ];
  const border = distanceMeters(shop, place);
  const rate: DeliveryRate = {
    fee: 1,
    free_threshold: null,
    estimate: null,
    weight_bands: [],
    category_rules: [],
    options: [],
  };
  const address = { line1: '', city: '', state: null, postal_code: null, country: 'KE' };
  const location = { id: randomUUIDv7(), name: 'shop', ...shop, address, hours: null, instructions: null };
  const matched = (...ranges: readonly (readonly [from: number, to: number | null])[]): string | null => {
    const engine = engineOf({
      restriction: 'none',
      fulfil_from: 'primary',
      locations: [{ ...location, ships: true, pickup: false, primary: true }],
      zones: [],
      tiers: ranges.map(([from_meters, to_meters], at) => ({
        id: randomUUIDv7(),
        name: `range ${at}`,
        from_meters,
        to_meters,
        rate,
      })),
      fallback: null,
    });
    const there = { point: place, country: null, postcode: null };
    return engine.match(there, engine.origin(place))?.name ?? null;
  };
  expect(matched([0, border], [border, null])).toBe('range 1');
  expect(matched([0, border])).toBeNull();
  expect(matched([border, border + 1])).toBe('range 0');
});
