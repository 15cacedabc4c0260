// The rpc handlers of shipments: buys a label, then records the shipment.
import type { CreateShipmentRequest, OrderRpcs } from '#proto/gen/order.ts';
import type { BuyLabelRequest, BuyLabelResponse } from '#proto/gen/shipping_directory.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { OrderClients } from './client.ts';
import type { ChosenRate, WholeOrder } from './order.ts';
import { type Parcel, parcelOf, recordShipment } from './shipment.ts';
import { findOrder, lockOrder } from './table/order.ts';

const labelRequest = (call: Call, order: WholeOrder, { items }: Parcel, rate: ChosenRate): BuyLabelRequest => {
  const variantOf = new Map(order.lines.map((line) => [line.id, line.variant_id]));
  return {
    order_id: order.id,
    rate_id: rate.id,
    source: rate.source as BuyLabelRequest['source'],
    address: order.shipping_address,
    items: items.map(({ order_item_id, quantity }) => ({ variant_id: variantOf.get(order_item_id)!, quantity })),
    // Equal in all retries: without an idempotency key the contents of the parcel identify the label.
    reference: call.idempotency
      ? commandIdOf(call)
      : derivedId(order.id, `shipment ${order.shipments.length + 1}`, JSON.stringify(items)),
  };
};

const rateOf = ({ rate_id, source, carrier, tracking_number }: CreateShipmentRequest): ChosenRate | null | Refusal => {
  if (rate_id && source) return { id: rate_id, source };
  if (rate_id || source)
    return refuse('invalid_request', '`rate_id` and `source` go together.', { param: rate_id ? 'source' : 'rate_id' });
  if (carrier || tracking_number) return null;
  return refuse(
    'invalid_request',
    'Send `rate_id` and `source` to buy a label, or your own `carrier` and `tracking_number`.',
    {
      param: 'rate_id',
    },
  );
};

interface Purchase {
  readonly input: CreateShipmentRequest;
  readonly requested: BuyLabelRequest;
  readonly label: BuyLabelResponse;
}

/** Returns whether no retry can record the label: the parcel cannot be shipped, and no shipment has the label. */
const isUnused = (order: WholeOrder, { input, label }: Purchase): boolean =>
  parcelOf(order, input) instanceof Refusal &&
  !order.shipments.some(
    ({ tracking_number, label_url }) => tracking_number === label.tracking_number && label_url === label.label_url,
  );

export const shipmentHandlers = (
  { postgres }: Pick<Runtime, 'postgres'>,
  clients: OrderClients,
): Pick<Handlers<OrderRpcs>, 'CreateShipment'> => ({
  CreateShipment: staged<CreateShipmentRequest, unknown, { purchase: Purchase | null }>({
    prepare: async (call, input) => {
      const rate = rateOf(input);
      if (rate === null) return { purchase: null };
      if (rate instanceof Refusal) return rate;
      const order = await findOrder(postgres.sql, call.tenant, input.id);
      if (order === null) return notFound('order');
      const parcel = parcelOf(order, input);
      if (parcel instanceof Refusal) return parcel;
      const requested = labelRequest(call, order, parcel, rate);
      const label = await clients.buyLabel(call, requested);
      if (label instanceof Refusal) return renamed(label, (param) => param.replace('shipping_rate_', ''));
      return { purchase: { input, requested, label } };
    },
    run: async (tx, { tenant }, input, { purchase }) => {
      const order = await lockOrder(tx.sql, tenant, input.id);
      if (order === null) return notFound('order');
      const parcel = parcelOf(order, input);
      return parcel instanceof Refusal
        ? parcel
        : recordShipment(tx, tenant, order, input, parcel, purchase?.label ?? null);
    },
    /** Voids the bought label, unless a shipment has it or a retry could still create one with it. */
    undo: async (call, { purchase }) => {
      if (purchase === null) return;
      const order = await findOrder(postgres.sql, call.tenant, purchase.requested.order_id);
      if (order === null || isUnused(order, purchase)) await clients.voidLabel(call, purchase.requested);
    },
  }) as Handlers<OrderRpcs>['CreateShipment'],
});
