// Finds the country of a point with the borders of @rapideditor/country-coder, compiled to a zone map, since the
// package itself tests every nearby border line by line.
import { borders, featuresContaining, iso1A2Code } from '@rapideditor/country-coder';
import { inTimeSlices } from '#services/runtime/flow/slice.ts';
import type { Point } from '#values/geo/distance.ts';
import { compileZoneMap, type Polygon, type Ring, type ZoneMap } from '#values/geo/zone_map.ts';

interface Border {
  readonly properties: { readonly id: string };
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[][] } | null;
}

interface BorderMap {
  readonly map: ZoneMap;
  readonly codes: readonly (string | null)[];
}

let borderMap: BorderMap | null = null;
let building: Promise<void> | null = null;

/** ISO 3166-1 alpha-2, including dependent territories (PR, HK); null at sea. */
export const countryAt = ({ latitude, longitude }: Point): string | null => {
  if (borderMap !== null) return borderMap.codes[borderMap.map.find(longitude, latitude)] ?? null;
  void loadBorderMap();
  return iso1A2Code([longitude, latitude], { level: 'territory' });
};

/** Takes about half a second of processor time, in slices. */
export const loadBorderMap = (): Promise<void> => {
  building ??= buildBorderMap();
  return building;
};

const buildBorderMap = async (): Promise<void> => {
  const zones = (borders.features as Border[]).flatMap(({ properties, geometry }) =>
    geometry ? { code: countryCodeOf(properties.id), shape: geometry.coordinates.map(polygonOf) } : [],
  );
  const map = await inTimeSlices(compileZoneMap(zones.map(({ shape }) => shape)));
  borderMap = { map, codes: zones.map(({ code }) => code) };
};

/** Code of the border or of the smallest enclosing region that has one; parts of territories have their own. */
const countryCodeOf = (id: string): string | null =>
  featuresContaining(id).find(({ properties }) => properties.iso1A2 && properties.level !== 'subterritory')?.properties
    .iso1A2 ?? null;

const polygonOf = (rings: readonly (readonly (readonly [number, number])[])[]): Polygon =>
  rings.map((ring): Ring => Float64Array.from(ring.slice(0, -1).flat()));
