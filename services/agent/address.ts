// Where an intent goes, put together from an address and a point that was named beside it.
import type { Address, AddressInput } from '#proto/gen/shared.ts';
import type { Point } from '#values/geo/distance.ts';

/** Coordinates without an address: where delivery is asked for. */
export const pointOf = (latitude: number | null | undefined, longitude: number | null | undefined): Point | null =>
  latitude == null || longitude == null ? null : { latitude, longitude };

/** What delivery is asked for: the address, else the point on the map. */
export const placeOf = (address: AddressInput | null, point: Point | null): AddressInput | null =>
  address ?? (point && { line1: '', city: '', country: '', ...point });

/** Coordinates beside the address are the address's. */
export const withPoint = (
  address: AddressInput | null,
  latitude: number | null | undefined,
  longitude: number | null | undefined,
): AddressInput | null =>
  address === null || latitude == null || longitude == null ? address : { ...address, latitude, longitude };

/** Every field of an address, those that nobody gave as null. */
export const wholeAddress = (given: AddressInput | null): Address | null =>
  given === null
    ? null
    : {
        first_name: given.first_name ?? null,
        last_name: given.last_name ?? null,
        company: given.company ?? null,
        line1: given.line1 ?? '',
        line2: given.line2 ?? null,
        city: given.city ?? '',
        state: given.state ?? null,
        postal_code: given.postal_code ?? null,
        country: (given.country ?? '').toUpperCase(),
        phone: given.phone ?? null,
        latitude: given.latitude ?? null,
        longitude: given.longitude ?? null,
      };
