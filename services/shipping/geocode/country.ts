// Finds the country at a point. Compiles the borders of @rapideditor/country-coder to a zone map, because the package
// tests every line of every nearby border.
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

/** Returns the ISO 3166-1 alpha-2 code of the country or dependent territory (PR, HK); null at sea. */
export const countryAt = ({ latitude, longitude }: Point): string | null => {
  if (borderMap !== null) return borderMap.codes[borderMap.map.find(longitude, latitude)] ?? null;
  void loadBorderMap();
  return iso1A2Code([longitude, latitude], { level: 'territory' });
};

/** Compiles the borders once, which takes about half a second of processor time, in slices. */
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

/**
 * Returns the country code of a border, or of the smallest region around it that has a code. Codes of parts of a
 * territory are ignored.
 */
const countryCodeOf = (id: string): string | null =>
  featuresContaining(id).find(({ properties }) => properties.iso1A2 && properties.level !== 'subterritory')?.properties
    .iso1A2 ?? null;

const polygonOf = (rings: readonly (readonly (readonly [number, number])[])[]): Polygon =>
  rings.map((ring): Ring => Float64Array.from(ring.slice(0, -1).flat()));
