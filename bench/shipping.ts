// Measures zone lookups and prices a second on one core, with the postcode districts of Britain as zones, or a chessboard of
// squares without their data.

import { calculate } from '#services/shipping/calculation.ts';
import type { StoredConfig } from '#services/shipping/config.ts';
import { compileEngine, type ShippingAddress } from '#services/shipping/engine.ts';
import { type Geometry, polygonsOf } from '#services/shipping/geometry.ts';
import { currencyOf } from '#values/currency.ts';
import { compileZoneMap } from '#values/geo/zone_map.ts';
import { median, print, round } from './figure.ts';
import { Dice } from './scenario/scenario.ts';
import { pointNear, zones } from './scenario/zone.ts';

const POINTS = 50_000;
const DURATION_MS = Number(process.env.DURATION_MS ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);

const drawn = zones();
const dice = new Dice(6);
/** Points in a zone or near one, from the whole map: the processor's caches hold none of them. */
const places = Array.from({ length: POINTS }, (): ShippingAddress => {
  return { point: pointNear(dice.pick(drawn), dice), country: 'GB', postcode: null };
});
/** Anywhere in and around Britain, most of it sea. */
const anywhere = places.map((place): ShippingAddress => {
  const point = { latitude: 49.8 + dice.next() * 9, longitude: -7.5 + dice.next() * 9.5 };
  return { ...place, point };
});

const config: StoredConfig = {
  restriction: 'none',
  fulfil_from: 'primary',
  locations: [
    {
      id: crypto.randomUUID(),
      name: 'Warehouse',
      latitude: 52.48,
      longitude: -1.9,
      address: { line1: '1 Canal Street', city: 'Birmingham', state: null, postal_code: null, country: 'GB' },
      hours: null,
      instructions: null,
      ships: true,
      pickup: true,
      primary: true,
    },
  ],
  zones: drawn.map(({ name, geometry }, at) => ({
    id: crypto.randomUUID(),
    name,
    kind: 'map',
    geometry,
    rate: { fee: 3 + (at % 7), free_threshold: 150, estimate: null, weight_bands: [], category_rules: [], options: [] },
  })),
  tiers: [],
  fallback: null,
};

/** Counts processor time, so that other load on the machine does not count. */
const perSecond = (from: readonly ShippingAddress[], work: (place: ShippingAddress) => unknown): number => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  let done = 0;
  while (performance.now() - startedAt < DURATION_MS) {
    for (const place of from) work(place);
    done += POINTS;
  }
  const { user, system } = process.cpuUsage(before);
  return (done * 1_000_000) / (user + system);
};

/** All at once; the longest step is what others would have to wait for. */
const compiled = <T>(steps: Generator<void, T>): { result: T; ms: number; longestMs: number } => {
  const started = process.cpuUsage();
  let [last, longest] = [0, 0];
  for (;;) {
    const step = steps.next();
    const { user, system } = process.cpuUsage(started);
    longest = Math.max(longest, user + system - last);
    last = user + system;
    if (step.done) return { result: step.value, ms: last / 1_000, longestMs: longest / 1_000 };
  }
};

const map = compiled(compileZoneMap(drawn.map(({ geometry }) => polygonsOf(geometry as Geometry))));
print({
  bench: 'shipping',
  case: 'compiling the map',
  zones: drawn.length,
  ms: round(map.ms, 0),
  longest_step_ms: round(map.longestMs, 0),
  mb: round(map.result.bytes / 1e6, 1),
});

const { result: engine } = compiled(compileEngine(config, currencyOf('GBP')));
const basket = { weightGrams: null, categories: new Set<string>(), orderTotal: 4_990, requiresShipping: true };
let inside = 0;
const find = ({ point }: ShippingAddress): void => {
  if (map.result.find(point.longitude, point.latitude) >= 0) inside++;
};
const price = (place: ShippingAddress): unknown => {
  const origin = engine.origin(place.point);
  return calculate(engine, origin, engine.match(place, origin), { place, basket, rates: null, calendar: null });
};
for (const [name, from, work] of [
  ['zone look-up, anywhere', anywhere, find],
  ['zone look-up, in the zones', places, find],
  ['whole calculation', places, price],
] as const) {
  perSecond(from, work);
  const rates = Array.from({ length: ROUNDS }, () => perSecond(from, work));
  print({ bench: 'shipping', case: name, zones: drawn.length, per_second: round(median(rates), 0) });
}
if (inside === 0) throw new Error('No place lay in any zone.');
