// The door of an order's shipments: a label is bought, then the shipment recorded.
import type { CreateShipmentRequest, OrderRpcs } from '#proto/gen/order.ts';
import type { BuyLabelResponse } from '#proto/gen/shipping_directory.ts';
import { notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { buyLabel } from './label.ts';
import type { OrderNeighbours } from './neighbour.ts';
import type { ChosenRate } from './order.ts';
import { parcelOf, recordShipment } from './shipment.ts';
import { findOrder, holdOrder } from './table/order.ts';

/** The carrier's rate at which a label is to be bought; null: the merchant has one already. */
const rateOf = ({ rate_id, source, carrier, tracking_number }: CreateShipmentRequest): ChosenRate | null | Refusal => {
  if (rate_id && source) return { id: rate_id, source };
  if (rate_id || source)
    return refuse('invalid_request', '`rate_id` and `source` go together.', { param: rate_id ? 'source' : 'rate_id' });
  if (carrier || tracking_number) return null;
  return refuse('invalid_request', '`rate_id` and `source`, or `carrier` and `tracking_number`, are needed.', {
    param: 'rate_id',
  });
};

export const shipmentHandlers = (
  { postgres }: Pick<Runtime, 'postgres'>,
  neighbours: OrderNeighbours,
): Pick<Handlers<OrderRpcs>, 'CreateShipment'> => ({
  CreateShipment: staged<CreateShipmentRequest, unknown, { label: BuyLabelResponse | null }>({
    /** A label is bought before it is recorded, under a name that a retry gives again. */
    prepare: async (call, input) => {
      const rate = rateOf(input);
      if (rate === null) return { label: null };
      if (rate instanceof Refusal) return rate;
      const order = await findOrder(postgres.sql, call.tenant, input.id);
      if (order === null) return notFound('order');
      const parcel = parcelOf(order, input);
      if (parcel instanceof Refusal) return parcel;
      const label = await buyLabel(neighbours, call, order, parcel, rate);
      return label instanceof Refusal ? renamed(label, (param) => param.replace('shipping_rate_', '')) : { label };
    },
    run: async (tx, { tenant }, input, { label }) => {
      const order = await holdOrder(tx.sql, tenant, input.id);
      if (order === null) return notFound('order');
      const parcel = parcelOf(order, input);
      return parcel instanceof Refusal ? parcel : recordShipment(tx, tenant, order, input, parcel, label);
    },
    undo: () => {},
  }) as Handlers<OrderRpcs>['CreateShipment'],
});
