// Where an order goes: on the map by coordinates, by the name of a place or by an address, with its country and postcode.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CalculateRequest } from '#proto/gen/shipping.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type { Point } from '#values/geo/distance.ts';
import type { Destination, ShippingAddress } from './engine.ts';
import { countryAt } from './geocode/country.ts';
import { chooseCandidate, type Geocoder } from './geocode/place.ts';

/** Country and postcode from the body win: the order's own, then its address'. */
const givenPlace = (input: CalculateRequest): Pick<ShippingAddress, 'country' | 'postcode'> => ({
  country: (input.country_code ?? input.address_to?.country)?.toUpperCase() ?? null,
  postcode: (input.postal_code ?? input.address_to?.postal_code)?.trim() || null,
});

export const atCoordinates = (input: CalculateRequest): ShippingAddress => {
  const { country, postcode } = givenPlace(input);
  const point = { latitude: input.latitude!, longitude: input.longitude! };
  return { point, country: country ?? countryAt(point), postcode };
};

export const atNamedPlace = async (
  geocoder: Geocoder,
  input: CalculateRequest,
  storeCountry: string | null,
): Promise<ShippingAddress | Refusal> => {
  const name = input.place_name!.trim();
  const own = givenPlace(input);
  let candidates = await geocoder.find(name, own.country);
  // The country that was sent tells namesakes apart, and wins even where it lies elsewhere.
  if (candidates.length === 0 && own.country !== null) candidates = await geocoder.find(name, null);
  const found = chooseCandidate(candidates, storeCountry);
  if (!found)
    return refuse('invalid_request', 'No such place is known, or more than one: name its country too.', {
      param: 'place_name',
    });
  const point = { latitude: found.latitude, longitude: found.longitude };
  return {
    point,
    country: own.country ?? found.country ?? countryAt(point),
    postcode: own.postcode ?? found.postcode,
  };
};

/** An address on the map: by its coordinates, else by its words, else nowhere. */
export const atAddress = async (
  geocoder: Geocoder,
  address: AddressInput,
  country: string | null,
): Promise<Destination> => {
  const { latitude, longitude, line1, city, state, postal_code } = address;
  const own = address.country?.toUpperCase() || null;
  const postcode = postal_code?.trim() || null;
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    const point = { latitude, longitude };
    return { point, country: own ?? countryAt(point), postcode };
  }
  const words = [line1, city, state].filter(Boolean).join(', ');
  // Without an answer there is still the country and the postcode.
  const candidates = words === '' ? [] : await geocoder.find(words, own).catch(() => []);
  const found = chooseCandidate(candidates, country);
  const point: Point | null = found && { latitude: found.latitude, longitude: found.longitude };
  return { point, country: own ?? found?.country ?? null, postcode: postcode ?? found?.postcode ?? null };
};
