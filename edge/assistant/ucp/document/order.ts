// An order as a UCP order: what was bought, how it travels, what was given back.
import type { OrderLine, Shipment, StoreOrder } from '#proto/gen/order.ts';
import { lineTotals, minorOf, orderUrl, postalAddressOf, titleOf, totalsOf } from './basket.ts';
import { envelopeOf, type Setting } from './envelope.ts';
import type { Order } from './schema.ts';

type OrderLineItem = Order['line_items'][number];

/** Nothing of a cancelled order is left. */
const leftOf = ({ order_status }: StoreOrder, { quantity, quantity_returned }: OrderLine): number =>
  order_status === 'cancelled' ? 0 : quantity - quantity_returned;

const statusOf = (total: number, fulfilled: number): OrderLineItem['status'] => {
  if (total === 0) return 'removed';
  if (fulfilled >= total) return 'fulfilled';
  return fulfilled > 0 ? 'partial' : 'processing';
};

const lineItemOf = (order: StoreOrder, line: OrderLine, minor: (major: number) => number): OrderLineItem => {
  const total = leftOf(order, line);
  const fulfilled = Math.min(line.quantity_fulfilled, total);
  return {
    id: line.id,
    item: { id: line.variant_id, title: titleOf(line), price: minor(line.unit_price) },
    quantity: { original: line.quantity, total, fulfilled },
    totals: lineTotals(line, minor, isTaxInclusive(order)),
    status: statusOf(total, fulfilled),
  };
};

/** Whether its prices contain their tax: then its total does not. */
const isTaxInclusive = ({ subtotal, discount_total, shipping_total, tax_total, total_amount }: StoreOrder): boolean =>
  tax_total > 0 && Math.abs(subtotal - discount_total + shipping_total - total_amount) < tax_total / 2;

const shipmentEvent = (order: StoreOrder, shipment: Shipment): Order['fulfillment']['events'][number] => ({
  id: shipment.id,
  occurred_at: shipment.created_at,
  type: order.order_status === 'delivered' ? 'delivered' : 'shipped',
  line_items: shipment.items.map(({ order_item_id, quantity }) => ({ id: order_item_id, quantity })),
  ...(shipment.tracking_number && { tracking_number: shipment.tracking_number }),
  ...(shipment.tracking_url && { tracking_url: shipment.tracking_url }),
  ...(shipment.carrier && { carrier: shipment.carrier }),
});

const ADJUSTMENT = { pending: 'pending', succeeded: 'completed', failed: 'failed' } as const;

export const orderDocument = ({ base }: Pick<Setting, 'base'>, order: StoreOrder): Order => {
  const minor = minorOf(order.currency);
  const taxInclusive = isTaxInclusive(order);
  const pickedUp = order.shipping_option_id?.startsWith('pickup:') === true;
  const { shipping_address: address } = order;
  return {
    ucp: envelopeOf('order'),
    id: order.id,
    label: `#${order.order_number}`,
    checkout_id: order.checkout_intent_id ?? order.id,
    permalink_url: orderUrl(base, order.id),
    currency: order.currency,
    line_items: order.items.map((line) => lineItemOf(order, line, minor)),
    fulfillment: {
      expectations:
        address === null || order.order_status === 'cancelled'
          ? []
          : [
              {
                id: order.id,
                line_items: order.items
                  .map((line) => ({ id: line.id, quantity: leftOf(order, line) }))
                  .filter(({ quantity }) => quantity > 0),
                method_type: pickedUp ? 'pickup' : 'shipping',
                destination: postalAddressOf(address),
                ...(order.shipping_option_name && { description: order.shipping_option_name }),
              },
            ],
      events: order.shipments.map((shipment) => shipmentEvent(order, shipment)),
    },
    adjustments: order.refunds.map(({ id, amount, reason, status, created_at }) => ({
      id,
      type: 'refund',
      occurred_at: created_at,
      status: ADJUSTMENT[status],
      totals: [{ type: 'total', amount: -minor(amount) }],
      ...(reason && { description: reason }),
    })),
    totals: totalsOf({ ...order, grand_total: order.total_amount }, minor, {
      delivered: order.shipping_option_id !== null,
      taxInclusive,
    }),
  };
};
