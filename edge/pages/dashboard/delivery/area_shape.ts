// The shape of a zone on the map as GeoJSON text, and the corners of its outlines. Pure.
import type { Position } from '#edge/pages/storefront/town.ts';

type Ring = readonly Position[];

const DIGITS = 5;

const rounded = (degrees: number): number => Number(degrees.toFixed(DIGITS));

const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length >= 2 && typeof value[0] === 'number' && typeof value[1] === 'number';

/** Without the last position, which repeats the first. */
const ringOf = (positions: unknown): Ring => {
  if (!Array.isArray(positions)) return [];
  const corners = positions.filter(isPair).map(([longitude, latitude]) => ({ latitude, longitude }));
  const [first] = corners;
  const last = corners.at(-1);
  const isClosed = corners.length > 1 && first?.latitude === last?.latitude && first?.longitude === last?.longitude;
  return isClosed ? corners.slice(0, -1) : corners;
};

/** The value of a text that is no JSON is the text, which the API refuses. */
export const geometryOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

export const geometryText = (geometry: unknown): string => (geometry === undefined ? '' : JSON.stringify(geometry));

export const ringsOf = (text: string): readonly Ring[] => {
  const geometry = geometryOf(text);
  if (typeof geometry !== 'object' || geometry === null) return [];
  const { type, coordinates } = geometry as { readonly type?: unknown; readonly coordinates?: unknown };
  if (!Array.isArray(coordinates)) return [];
  const polygons: readonly unknown[] = type === 'MultiPolygon' ? coordinates : [coordinates];
  return polygons.flatMap((polygon) => (Array.isArray(polygon) ? polygon.map(ringOf) : []));
};

/** A polygon of one outline, closed as GeoJSON asks; no corners, no text. */
export const textOfRing = (ring: Ring): string => {
  const [first] = ring;
  if (first === undefined) return '';
  const coordinates = [[...ring, first].map(({ latitude, longitude }) => [rounded(longitude), rounded(latitude)])];
  return JSON.stringify({ type: 'Polygon', coordinates });
};

interface Bounds {
  readonly centre: Position;
  /** Degrees. */
  readonly high: number;
  readonly wide: number;
}

export const boundsOf = (places: readonly Position[]): Bounds | null => {
  if (places.length === 0) return null;
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  return {
    centre: { latitude: (south + north) / 2, longitude: (west + east) / 2 },
    high: north - south,
    wide: east - west,
  };
};
