// Shipments: which units a parcel contains, and how a shipment changes its order.
import { randomUUIDv7 } from 'bun';
import type { CreateShipmentRequest, ShipmentResponse } from '#proto/gen/order.ts';
import type { BuyLabelResponse } from '#proto/gen/shipping_directory.ts';
import { counted, notFound, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { changeEvents } from './change.ts';
import { orderDocument, shipmentDocument } from './document.ts';
import { type ShipmentRecord, unparcelled, unshipped, type WholeOrder } from './order.ts';
import { findOrder, insertShipment, moveUnits, updateOrder } from './table/order.ts';

export interface Parcel {
  readonly items: readonly { readonly order_item_id: string; readonly quantity: number }[];
}

/** Returns the function that counts a line's units to ship. If no line needs shipping, every line counts. */
const openUnits = ({ lines }: WholeOrder) => (lines.some((line) => line.requires_shipping) ? unshipped : unparcelled);

export const openParcel = (order: WholeOrder): Parcel => {
  const open = openUnits(order);
  const items = order.lines.map((line) => ({ order_item_id: line.id, quantity: open(line) }));
  return { items: items.filter(({ quantity }) => quantity > 0) };
};

/**
 * Returns the parcel with the named units, else with all that are still to be shipped. Units of lines that need no
 * shipping may be named.
 */
export const parcelOf = (order: WholeOrder, input: CreateShipmentRequest): Parcel | Refusal => {
  if (order.order_status === 'cancelled') return refuse('conflict', 'The order is cancelled and cannot be shipped.');
  if (!input.items) {
    const open = openParcel(order);
    return open.items.length > 0 ? open : refuse('conflict', 'The order has no units left to ship.');
  }
  const left = new Map(order.lines.map((line) => [line.id, unparcelled(line)]));
  const items = new Map<string, number>();
  for (const [at, { order_item_id, quantity }] of input.items.entries()) {
    const id = order_item_id.toLowerCase();
    const most = left.get(id);
    if (most === undefined) return notFound('order item', `items[${at}].order_item_id`);
    const sum = (items.get(id) ?? 0) + quantity;
    if (sum > most)
      return refuse(
        'conflict',
        `Only ${counted(most, 'unit')} of this item can be shipped, not ${sum}. Send a lower quantity.`,
        {
          param: `items[${at}].quantity`,
        },
      );
    items.set(id, sum);
  }
  return { items: Array.from(items, ([order_item_id, quantity]) => ({ order_item_id, quantity })) };
};

/** `label` is null if the merchant did not buy the label here. The caller must hold the order's lock. */
export const recordShipment = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  input: CreateShipmentRequest,
  { items }: Parcel,
  label: BuyLabelResponse | null,
): Promise<ShipmentResponse> => {
  const now = tx.clock.now(tenant);
  const currency = currencyOf(order.currency);
  const shipment: ShipmentRecord = {
    id: randomUUIDv7(),
    carrier: label?.carrier ?? input.carrier ?? null,
    service: label?.service ?? null,
    tracking_number: label?.tracking_number ?? input.tracking_number ?? null,
    tracking_url: label?.tracking_url ?? input.tracking_url ?? null,
    label_url: label?.label_url ?? null,
    rate_id: label ? (input.rate_id ?? null) : null,
    source: label ? (input.source ?? null) : null,
    fee: label?.fee === null || label?.fee === undefined ? null : toMinor(label.fee, currency),
    items,
    created_at: now,
  };
  await insertShipment(tx.sql, tenant, order.id, shipment);
  await moveUnits(
    tx.sql,
    tenant,
    order.id,
    items.map(({ order_item_id, quantity }) => ({ line: order_item_id, shipped: quantity })),
  );
  const sent = new Map(items.map(({ order_item_id, quantity }) => [order_item_id, quantity]));
  const open = openUnits(order);
  const whole = order.lines.every((line) => open(line) <= (sent.get(line.id) ?? 0));
  const onItsWay = order.order_status !== 'shipped' && order.order_status !== 'delivered';
  const before = orderDocument(tenant, order);
  await updateOrder(tx.sql, tenant, {
    ...order,
    order_status: whole && onItsWay ? 'shipped' : order.order_status,
    tracking_number: shipment.tracking_number ?? order.tracking_number,
    carrier: shipment.carrier ?? order.carrier,
    tracking_url: shipment.tracking_url ?? order.tracking_url,
    updated_at: now,
  });
  const after = orderDocument(tenant, (await findOrder(tx.sql, tenant, order.id))!);
  const { tracking_number, carrier, tracking_url } = shipment;
  await tx.emit(tenant, [
    ...(label
      ? [{ type: 'order.shipped', object: { ...after, tracking_number, carrier, tracking_url } } as const]
      : []),
    ...changeEvents(before, after, label !== null),
  ]);
  return { shipment: shipmentDocument(shipment, currency) };
};
