// An order's event as the Agentic Commerce Protocol tells of it: the whole order as it stands, in minor units.
import type { OrderLine, Refund, Shipment, StoreOrder } from '#proto/gen/order.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import { parcelEvents } from '#values/ucp_order.ts';
import type { OrderEvent } from './order_event.ts';

const lineOf = (order: StoreOrder, line: OrderLine, minor: (major: number) => number) => {
  const current = order.order_status === 'cancelled' ? 0 : line.quantity - line.quantity_returned;
  const fulfilled = Math.min(line.quantity_fulfilled, current);
  return {
    id: line.id,
    title: line.variant_name ? `${line.name} – ${line.variant_name}` : line.name,
    ...(line.product_id && { product_id: line.product_id }),
    quantity: { ordered: line.quantity, current, fulfilled },
    unit_price: minor(line.unit_price),
    subtotal: minor(line.subtotal),
    status: current === 0 ? 'removed' : fulfilled >= current ? 'fulfilled' : fulfilled > 0 ? 'partial' : 'processing',
  };
};

const fulfillmentOf = (order: StoreOrder, shipment: Shipment) => {
  const status = order.order_status === 'delivered' ? 'delivered' : 'shipped';
  const events = parcelEvents(order, shipment);
  return {
    id: shipment.id,
    type: order.shipping_option_id?.startsWith('pickup:') ? 'pickup' : 'shipping',
    status,
    line_items: shipment.items.map(({ order_item_id, quantity }) => ({ id: order_item_id, quantity })),
    ...(shipment.carrier && { carrier: shipment.carrier }),
    ...(shipment.tracking_number && { tracking_number: shipment.tracking_number }),
    ...(shipment.tracking_url && URL.canParse(shipment.tracking_url) && { tracking_url: shipment.tracking_url }),
    events,
  };
};

const ADJUSTED = { pending: 'pending', succeeded: 'completed', failed: 'failed' } as const;

const adjustmentOf = (currency: Currency, { id, amount, reason, status, created_at }: Refund) => ({
  id,
  type: 'refund',
  occurred_at: created_at,
  status: ADJUSTED[status],
  amount: fromMajor(amount, currency),
  currency: currency.code.toLowerCase(),
  ...(reason && { reason }),
});

const totalsOf = (order: StoreOrder, minor: (major: number) => number) =>
  [
    ['subtotal', 'Subtotal', minor(order.subtotal) - minor(order.discount_total)],
    ['fulfillment', 'Delivery', minor(order.shipping_total)],
    ['tax', 'Tax', minor(order.tax_total)],
    ['total', 'Total', minor(order.total_amount)],
  ].map(([type, display_text, amount]) => ({ type, display_text, amount }));

const STATUS: Readonly<Record<StoreOrder['order_status'], string>> = {
  pending: 'created',
  confirmed: 'confirmed',
  processing: 'processing',
  shipped: 'shipped',
  delivered: 'delivered',
  cancelled: 'canceled',
};

/** `base`: the store's address for assistants. */
export const acpOrderEvent = ({ type, order }: OrderEvent, base: string): string => {
  const currency = currencyOf(order.currency);
  const minor = (major: number): number => fromMajor(major, currency);
  return JSON.stringify({
    type: type === 'order.created' ? 'order_create' : 'order_update',
    data: {
      type: 'order',
      id: order.id,
      checkout_session_id: order.checkout_intent_id ?? order.id,
      order_number: order.order_number,
      permalink_url: `${base}/orders/${order.id}`,
      status: STATUS[order.order_status],
      line_items: order.items.map((line) => lineOf(order, line, minor)),
      fulfillments: order.shipments.map((shipment) => fulfillmentOf(order, shipment)),
      adjustments: order.refunds.map((refund) => adjustmentOf(currency, refund)),
      totals: totalsOf(order, minor),
    },
  });
};
