// Builds the consignment of an order: the parcel, the recipient's address, and the store's nearest location as sender.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { ShipOrderRequest } from '#proto/gen/shipping_directory.ts';
import type { Call } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Carriers } from './carrier/carrier.ts';
import { estimateParcel, parseParcel } from './carrier/parcel.ts';
import type { Consignment } from './carrier/source.ts';
import { locateAddress } from './destination.ts';
import type { Geocoder } from './geocode/place.ts';
import type { TenantShipping } from './pool.ts';

export type ConsignmentBuilder = (
  call: Call,
  shipping: TenantShipping,
  address: AddressInput,
  rateId: string,
  order: Pick<ShipOrderRequest, 'items' | 'order_total'>,
) => Promise<Consignment>;

/** Takes the parcel from the rate's id, else from the rate's last offer, else estimates it. */
export const consignmentBuilder =
  (ask: Runtime['ask'], geocoder: Geocoder, carriers: Carriers): ConsignmentBuilder =>
  async (call, { tenant, engine, store }, address, rateId, { items = [], order_total = 0 }) => {
    const { point } = await locateAddress(geocoder, address, store.country);
    const sender = engine.origin(point)?.location ?? engine.defaultSender;
    const parcel =
      parseParcel(rateId.slice(rateId.lastIndexOf(':') + 1)) ??
      carriers.parcelOf({ tenant, items }, rateId) ??
      (await estimateParcel(ask, call, items));
    return { tenant, currency: engine.currency, sender, address_to: address, parcel, items, order_total };
  };
