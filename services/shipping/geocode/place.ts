// Interface of geocoders, and the choice among places of the same name.

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

/** Ratio of inhabitants from which the larger of two places in different countries is chosen. */
const POPULATION_RATIO = 5;

/**
 * Returns the place that is meant. Returns null if the two best candidates are in different countries, and neither the
 * store's country nor the number of inhabitants decides.
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
