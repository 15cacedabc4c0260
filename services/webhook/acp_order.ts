// Formats an order's event for the Agentic Commerce Protocol: the whole order, in minor units.
import type { OrderLine, Refund, StoreOrder } from '#proto/gen/order.ts';
import { titleOf } from '#services/commerce/ucp_basket.ts';
import { type Handover, handoversOf, isTaxInclusive, lineStatusOf, methodOf } from '#services/commerce/ucp_order.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { OrderEvent } from './order_event.ts';

const lineOf = (order: StoreOrder, line: OrderLine, minor: (major: number) => number) => {
  const { left: current, fulfilled, status } = lineStatusOf(order, line);
  return {
    id: line.id,
    title: titleOf(line),
    ...(line.product_id && { product_id: line.product_id }),
    quantity: { ordered: line.quantity, current, fulfilled },
    unit_price: minor(line.unit_price),
    subtotal: minor(line.subtotal),
    status,
  };
};

const fulfillmentOf = (order: StoreOrder, { id, line_items, carriage, events }: Handover) => ({
  id,
  type: methodOf(order),
  status: order.order_status === 'delivered' ? 'delivered' : 'shipped',
  line_items,
  ...carriage,
  events,
});

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

const refundedOf = ({ refunds }: StoreOrder): number =>
  refunds.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0);

/** `total` is the amount charged: refunds are listed separately, and tax included in prices is not added. */
const totalsOf = (order: StoreOrder, minor: (major: number) => number) => {
  const refunded = minor(refundedOf(order));
  const listed: [type: string, display_text: string, amount: number, isListed: boolean][] = [
    ['subtotal', 'Subtotal', minor(order.subtotal), true],
    ['discount', 'Discount', minor(order.discount_total), order.discount_total > 0],
    ['fulfillment', 'Delivery', minor(order.shipping_total), true],
    ['tax', 'Tax', minor(order.tax_total), !isTaxInclusive(order)],
    ['total', 'Total', minor(order.total_amount), true],
    ['amount_refunded', 'Refunded', refunded, refunded > 0],
  ];
  return listed
    .filter(([, , , isListed]) => isListed)
    .map(([type, display_text, amount]) => ({ type, display_text, amount }));
};

const STATUS: Readonly<Record<StoreOrder['order_status'], string>> = {
  pending: 'created',
  confirmed: 'confirmed',
  processing: 'processing',
  shipped: 'shipped',
  delivered: 'completed',
  cancelled: 'canceled',
};

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
      fulfillments: handoversOf(order).map((handover) => fulfillmentOf(order, handover)),
      adjustments: order.refunds.map((refund) => adjustmentOf(currency, refund)),
      totals: totalsOf(order, minor),
    },
  });
};
