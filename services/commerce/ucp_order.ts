// Renders an order in the Universal Commerce Protocol, for platforms and for events to them.
import {
  lineTotals,
  minorOf,
  orderUrl,
  type PlainAddress,
  postalAddressOf,
  present,
  titleOf,
  totalsOf,
} from './ucp_basket.ts';

export const UCP_VERSION = '2026-04-08' as const;

const ORDER_CAPABILITY = 'dev.ucp.shopping.order';

export interface BoughtLine {
  readonly id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly quantity: number;
  readonly quantity_fulfilled: number;
  readonly quantity_returned: number;
  readonly unit_price: number;
  readonly subtotal: number;
  readonly discount: number;
  readonly tax_amount: number;
  readonly total: number;
}

interface SentParcel {
  readonly id: string;
  readonly created_at: string;
  readonly carrier: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  readonly items: readonly { readonly order_item_id: string; readonly quantity: number }[];
}

interface GivenBack {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly created_at: string;
}

export interface BoughtOrder {
  readonly id: string;
  readonly order_number: string;
  readonly order_status: string;
  readonly delivered_at: string | null;
  readonly checkout_intent_id: string | null;
  readonly currency: string;
  readonly subtotal: number;
  readonly discount_total: number;
  readonly shipping_total: number;
  readonly tax_total: number;
  readonly total_amount: number;
  readonly shipping_option_id: string | null;
  readonly shipping_option_name: string | null;
  readonly shipping_address: PlainAddress | null;
  readonly items: readonly BoughtLine[];
  readonly shipments: readonly SentParcel[];
  readonly refunds: readonly GivenBack[];
}

type Minor = (major: number) => number;
type LineStatus = 'processing' | 'partial' | 'fulfilled' | 'removed';

const leftOf = (
  { order_status }: Pick<BoughtOrder, 'order_status'>,
  { quantity, quantity_returned }: Pick<BoughtLine, 'quantity' | 'quantity_returned'>,
): number => (order_status === 'cancelled' ? 0 : quantity - quantity_returned);

const statusOf = (total: number, fulfilled: number): LineStatus => {
  if (total === 0) return 'removed';
  if (fulfilled >= total) return 'fulfilled';
  return fulfilled > 0 ? 'partial' : 'processing';
};

/**
 * Returns the units of a line that were not returned, and how many of those are fulfilled: all once the order is
 * shipped or delivered.
 */
export const lineStatusOf = (
  order: Pick<BoughtOrder, 'order_status'>,
  line: Pick<BoughtLine, 'quantity' | 'quantity_fulfilled' | 'quantity_returned'>,
): { left: number; fulfilled: number; status: LineStatus } => {
  const left = leftOf(order, line);
  const isSent = order.order_status === 'shipped' || order.order_status === 'delivered';
  const fulfilled = isSent ? left : Math.min(line.quantity_fulfilled, left);
  return { left, fulfilled, status: statusOf(left, fulfilled) };
};

/** Returns whether the prices contain the tax: the total then does not add it again. */
export const isTaxInclusive = ({
  subtotal,
  discount_total,
  shipping_total,
  tax_total,
  total_amount,
}: Pick<BoughtOrder, 'subtotal' | 'discount_total' | 'shipping_total' | 'tax_total' | 'total_amount'>): boolean =>
  tax_total > 0 && Math.abs(subtotal - discount_total + shipping_total - total_amount) < tax_total / 2;

const lineItemOf = (order: BoughtOrder, line: BoughtLine, minor: Minor) => {
  const { left: total, fulfilled, status } = lineStatusOf(order, line);
  return {
    id: line.id,
    item: { id: line.variant_id, title: titleOf(line), price: minor(line.unit_price) },
    quantity: { original: line.quantity, total, fulfilled },
    totals: lineTotals(line, minor, isTaxInclusive(order)),
    status,
  };
};

export const methodOf = ({
  shipping_option_id: option,
  shipping_option_name: name,
}: Pick<BoughtOrder, 'shipping_option_id' | 'shipping_option_name'>): 'shipping' | 'pickup' | 'digital' => {
  if (option === null && name === null) return 'digital';
  return option?.startsWith('pickup:') ? 'pickup' : 'shipping';
};

interface ParcelEvent {
  readonly id: string;
  readonly type: 'shipped' | 'delivered';
  readonly occurred_at: string;
}

/** A shipment, or the units of a delivered order that are in no shipment. */
export interface Handover {
  readonly id: string;
  readonly line_items: { readonly id: string; readonly quantity: number }[];
  readonly carriage: { readonly carrier?: string; readonly tracking_number?: string; readonly tracking_url?: string };
  readonly events: readonly ParcelEvent[];
}

type Travelling = Pick<BoughtOrder, 'id' | 'order_status' | 'delivered_at' | 'shipments'> & {
  readonly items: readonly Pick<BoughtLine, 'id' | 'quantity'>[];
};

const deliveredEvents = ({ order_status, delivered_at: delivered }: Travelling, id: string): ParcelEvent[] =>
  order_status === 'delivered' && delivered
    ? [{ id: `${id}_delivered`, type: 'delivered', occurred_at: delivered }]
    : [];

const shipmentHandover = (order: Travelling, shipment: SentParcel): Handover => {
  const { id, created_at, items, carrier, tracking_number, tracking_url: url } = shipment;
  return {
    id,
    line_items: items.map(({ order_item_id, quantity }) => ({ id: order_item_id, quantity })),
    carriage: present({ carrier, tracking_number, tracking_url: url && URL.canParse(url) ? url : null }),
    events: [{ id, type: 'shipped', occurred_at: created_at }, ...deliveredEvents(order, id)],
  };
};

const unrecorded = (order: Travelling): Handover[] => {
  const events = deliveredEvents(order, order.id);
  const shipped = order.shipments.flatMap(({ items }) => items);
  const line_items = order.items
    .map(({ id, quantity }) => ({
      id,
      quantity: shipped
        .filter((item) => item.order_item_id === id)
        .reduce((rest, item) => rest - item.quantity, quantity),
    }))
    .filter(({ quantity }) => quantity > 0);
  return events.length > 0 && line_items.length > 0 ? [{ id: order.id, line_items, carriage: {}, events }] : [];
};

/** Returns the order's handovers. Refunds never change them, since events already sent must stay the same. */
export const handoversOf = (order: Travelling): Handover[] => [
  ...order.shipments.map((shipment) => shipmentHandover(order, shipment)),
  ...unrecorded(order),
];

const fulfillmentEvents = ({ line_items, carriage, events }: Handover) =>
  events.map((event) => ({ ...event, line_items, ...carriage }));

const expectationsOf = (order: BoughtOrder) => {
  const { shipping_address: address, shipping_option_name: description } = order;
  if (address === null || order.order_status === 'cancelled') return [];
  return [
    {
      id: order.id,
      line_items: order.items
        .map((line) => ({ id: line.id, quantity: leftOf(order, line) }))
        .filter(({ quantity }) => quantity > 0),
      method_type: methodOf(order),
      destination: postalAddressOf(address),
      ...(description && { description }),
    },
  ];
};

const ADJUSTMENT = { pending: 'pending', succeeded: 'completed', failed: 'failed' } as const;

const adjustmentOf = ({ id, amount, reason, status, created_at }: GivenBack, minor: Minor) => ({
  id,
  type: 'refund',
  occurred_at: created_at,
  status: ADJUSTMENT[status],
  totals: [{ type: 'total', amount: -minor(amount) }],
  ...(reason && { description: reason }),
});

/** `base` is the URL of the store's order page. */
export const ucpOrder = (order: BoughtOrder, base: string) => {
  const minor = minorOf(order.currency);
  return {
    ucp: {
      version: UCP_VERSION,
      status: 'success' as const,
      capabilities: { [ORDER_CAPABILITY]: [{ version: UCP_VERSION }] },
    },
    id: order.id,
    label: `#${order.order_number}`,
    checkout_id: order.checkout_intent_id ?? order.id,
    permalink_url: orderUrl(base, order.id),
    currency: order.currency,
    line_items: order.items.map((line) => lineItemOf(order, line, minor)),
    fulfillment: {
      expectations: expectationsOf(order),
      events: handoversOf(order).flatMap(fulfillmentEvents),
    },
    adjustments: order.refunds.map((refund) => adjustmentOf(refund, minor)),
    totals: totalsOf({ ...order, grand_total: order.total_amount }, minor, {
      delivered: order.shipping_option_id !== null,
      taxInclusive: isTaxInclusive(order),
    }),
  };
};
