// The country in which a point lies, by the borders that @rapideditor/country-coder carries along. It tries each border
// nearby line by line; drawn as a map of zones they are found at once.
import { borders, featuresContaining, iso1A2Code } from '@rapideditor/country-coder';
import { inTurns } from '#services/shipping/turn.ts';
import type { Point } from '#values/geo/distance.ts';
import { compileZoneMap, type Polygon, type Ring, type ZoneMap } from '#values/geo/zone_map.ts';

interface Border {
  readonly properties: { readonly id: string };
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[][] } | null;
}

interface Drawn {
  readonly map: ZoneMap;
  /** By zone. */
  readonly codes: readonly (string | null)[];
}

let drawn: Drawn | null = null;
let drawing: Promise<void> | null = null;

/** ISO 3166-1 alpha-2, of dependent territories too (PR, HK); null at sea. */
export const countryAt = ({ latitude, longitude }: Point): string | null => {
  if (drawn !== null) return drawn.codes[drawn.map.find(longitude, latitude)] ?? null;
  void drawBorders();
  return iso1A2Code([longitude, latitude], { level: 'territory' });
};

/** Resolves once the map is there; half a second of work, in turns. */
export const drawBorders = (): Promise<void> => {
  drawing ??= draw();
  return drawing;
};

const draw = async (): Promise<void> => {
  const zones = (borders.features as Border[]).flatMap(({ properties, geometry }) =>
    geometry ? { code: codeOf(properties.id), shape: geometry.coordinates.map(polygonOf) } : [],
  );
  const map = await inTurns(compileZoneMap(zones.map(({ shape }) => shape)));
  drawn = { map, codes: zones.map(({ code }) => code) };
};

/** Of the border itself or the smallest region around it that has a code; parts of territories have one of their own. */
const codeOf = (id: string): string | null =>
  featuresContaining(id).find(({ properties }) => properties.iso1A2 && properties.level !== 'subterritory')?.properties
    .iso1A2 ?? null;

const polygonOf = (rings: readonly (readonly (readonly [number, number])[])[]): Polygon =>
  rings.map((ring): Ring => Float64Array.from(ring.slice(0, -1).flat()));
