// What a place's name may mean, and which of its meanings is taken.

export interface GeocodedPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** Upper-case. */
  readonly country: string | null;
  readonly postcode: string | null;
  /** 0 where it is not known. */
  readonly population: number;
}

/** A way to find places by name: the best first, none where the name is unknown. */
export interface Geocoder {
  find(name: string, country: string | null): Promise<readonly GeocodedPlace[]>;
}

/** So much more populous a place is meant, whatever else bears its name. */
const POPULATION_RATIO = 5;

/**
 * The contract's rule: a place that is not known is none, and neither is one whose two best candidates lie in different
 * countries, with neither the store's nor five times as populous.
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
