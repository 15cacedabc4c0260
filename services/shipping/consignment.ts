// What a carrier is asked to bring: an order's parcel, from the store's nearest location to its address.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { ShipOrderRequest } from '#proto/gen/shipping_directory.ts';
import type { Call } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Carriers } from './carrier/carrier.ts';
import { guessParcel, parseParcel } from './carrier/parcel.ts';
import type { Consignment } from './carrier/source.ts';
import { atAddress } from './destination.ts';
import type { Geocoder } from './geocode/place.ts';
import type { TenantShipping } from './pool.ts';

export type Consignments = (
  call: Call,
  shipping: TenantShipping,
  address: AddressInput,
  rateId: string,
  order: Pick<ShipOrderRequest, 'items' | 'order_total'>,
) => Promise<Consignment>;

/** A rate's id says which parcel it was made for; of an extension's own it is remembered, or the products are packed. */
export const openConsignments =
  (ask: Runtime['ask'], geocoder: Geocoder, carriers: Carriers): Consignments =>
  async (call, { tenant, engine, shop }, address, rateId, { items = [], order_total = 0 }) => {
    const { point } = await atAddress(geocoder, address, shop.country);
    const sender = engine.origin(point)?.location ?? engine.sender;
    const parcel =
      parseParcel(rateId.slice(rateId.lastIndexOf(':') + 1)) ??
      carriers.parcelOf({ tenant, items }, rateId) ??
      (await guessParcel(ask, call, items));
    return { tenant, currency: engine.currency, sender, address_to: address, parcel, items, order_total };
  };
