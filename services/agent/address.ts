// Addresses of an intent: an address of the body, completed by a point that it names beside.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { Point } from '#values/geo/distance.ts';

export const pointOf = (latitude: number | null | undefined, longitude: number | null | undefined): Point | null =>
  latitude == null || longitude == null ? null : { latitude, longitude };

/** An address without a street stands for a point on the map. */
export const placeOf = (address: AddressInput | null, point: Point | null): AddressInput | null =>
  address ?? (point && { line1: '', city: '', country: '', ...point });

export const withPoint = (
  address: AddressInput | null,
  latitude: number | null | undefined,
  longitude: number | null | undefined,
): AddressInput | null =>
  address === null || latitude == null || longitude == null ? address : { ...address, latitude, longitude };
