// Computes distances on the Earth's surface.

const EARTH_MEAN_RADIUS_METERS = 6_371_008.8;
const RADIANS = Math.PI / 180;

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export const distanceMeters = (from: Point, to: Point): number => {
  const north = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const chord = north * north + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * east * east;
  return 2 * EARTH_MEAN_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
};

export const nearest = <P extends Point>(places: readonly P[], to: Point): { place: P; meters: number } | null => {
  let found: { place: P; meters: number } | null = null;
  for (const place of places) {
    const meters = distanceMeters(place, to);
    if (found === null || meters < found.meters) found = { place, meters };
  }
  return found;
};
