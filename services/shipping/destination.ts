// Locates the destination of an order by coordinates, by place name or by address.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CalculateRequest } from '#proto/gen/shipping.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type { Point } from '#values/geo/distance.ts';
import type { Destination, ShippingAddress } from './engine.ts';
import { countryAt } from './geocode/country.ts';
import { chooseCandidate, type Geocoder } from './geocode/place.ts';

const sentCountryAndPostcode = (input: CalculateRequest): Pick<ShippingAddress, 'country' | 'postcode'> => ({
  country: (input.country_code ?? input.address_to?.country)?.toUpperCase() ?? null,
  postcode: (input.postal_code ?? input.address_to?.postal_code)?.trim() || null,
});

export const locateCoordinates = (input: CalculateRequest): ShippingAddress => {
  const { country, postcode } = sentCountryAndPostcode(input);
  const point = { latitude: input.latitude!, longitude: input.longitude! };
  return { point, country: country ?? countryAt(point), postcode };
};

export const locatePlaceName = async (
  geocoder: Geocoder,
  input: CalculateRequest,
  storeCountry: string | null,
): Promise<ShippingAddress | Refusal> => {
  const name = input.place_name!.trim();
  const own = sentCountryAndPostcode(input);
  let candidates = await geocoder.find(name, own.country);
  // Searches the place name within the country that was sent; if nothing is found there, in all countries.
  if (candidates.length === 0 && own.country !== null) candidates = await geocoder.find(name, null);
  const found = chooseCandidate(candidates, storeCountry);
  if (!found)
    return refuse('invalid_request', `\`place_name\` "${name}" matches no place, or several. Add its country.`, {
      param: 'place_name',
    });
  const point = { latitude: found.latitude, longitude: found.longitude };
  return {
    point,
    country: own.country ?? found.country ?? countryAt(point),
    postcode: own.postcode ?? found.postcode,
  };
};

export const locateAddress = async (
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
  const candidates = words === '' ? [] : await geocoder.find(words, own).catch(() => []);
  const found = chooseCandidate(candidates, country);
  const point: Point | null = found && { latitude: found.latitude, longitude: found.longitude };
  return { point, country: own ?? found?.country ?? null, postcode: postcode ?? found?.postcode ?? null };
};
