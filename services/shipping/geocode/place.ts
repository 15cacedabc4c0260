// Declares geocoders and chooses among several places of one name.

export interface GeocodedPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly country: string | null;
  readonly postcode: string | null;
  readonly population: number;
}

export interface Geocoder {
  find(name: string, country: string | null): Promise<readonly GeocodedPlace[]>;
}

/** A place this many times as populous wins over one in another country. */
const POPULATION_RATIO = 5;

/**
 * Returns null when the two best candidates lie in different countries and neither the store's country nor population
 * decides.
 */
export const chooseCandidate = (
  candidates: readonly GeocodedPlace[],
  storeCountry: string | null,
): GeocodedPlace | null => {
  const [best, second] = candidates;
  if (!best || !second || best.country === second.country) return best ?? null;
  if (storeCountry !== null) {
    if (best.country === storeCountry) return best;
    if (second.country === storeCountry) return second;
  }
  return best.population > 0 && best.population >= POPULATION_RATIO * second.population ? best : null;
};
