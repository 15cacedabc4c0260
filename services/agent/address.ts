// Where an intent goes, put together from an address and a point that was named beside it.
import type { AddressInput } from '#proto/gen/shared.ts';
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
