// Labels of parcels: which one an order's parcel needs.
import type { BuyLabelRequest } from '#proto/gen/shipping_directory.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import type { Call } from '#runtime/call/call.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { ChosenRate, WholeOrder } from './order.ts';
import type { Parcel } from './shipment.ts';

/** The label of a parcel, by a reference that a retry gives again. */
export const labelRequest = (call: Call, order: WholeOrder, { items }: Parcel, rate: ChosenRate): BuyLabelRequest => {
  const variantOf = new Map(order.lines.map((line) => [line.id, line.variant_id]));
  return {
    order_id: order.id,
    rate_id: rate.id,
    source: rate.source as BuyLabelRequest['source'],
    address: order.shipping_address,
    items: items.map(({ order_item_id, quantity }) => ({ variant_id: variantOf.get(order_item_id)!, quantity })),
    // A retry without a key finds the label that a try before it bought for the same parcel, too.
    reference: call.idempotency
      ? commandIdOf(call)
      : derivedId(order.id, `shipment ${order.shipments.length + 1}`, JSON.stringify(items)),
  };
};
