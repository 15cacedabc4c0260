// Buying what a parcel needs to travel, before it is recorded.
import type { BuyLabelRequest, BuyLabelResponse } from '#proto/gen/shipping_directory.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import type { Call, Refusal } from '#runtime/call/call.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { OrderNeighbours } from './neighbour.ts';
import type { ChosenRate, WholeOrder } from './order.ts';
import type { Parcel } from './shipment.ts';

export const buyLabel = (
  neighbours: OrderNeighbours,
  call: Call,
  order: WholeOrder,
  { items }: Parcel,
  rate: ChosenRate,
): Promise<BuyLabelResponse | Refusal> => {
  const variantOf = new Map(order.lines.map((line) => [line.id, line.variant_id]));
  return neighbours.buyLabel(call, {
    order_id: order.id,
    rate_id: rate.id,
    source: rate.source as BuyLabelRequest['source'],
    address: order.shipping_address,
    items: items.map(({ order_item_id, quantity }) => ({ variant_id: variantOf.get(order_item_id)!, quantity })),
    // A retry without a key finds the label that a try before it bought for the same parcel, too.
    reference: call.idempotency
      ? commandIdOf(call)
      : derivedId(order.id, `shipment ${order.shipments.length + 1}`, JSON.stringify(items)),
  });
};
