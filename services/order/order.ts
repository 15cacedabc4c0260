// The record of an order, its status transitions, and arithmetic on its amounts in minor units. Pure.
import type { AddressInput, AgentName, AppliedPromotion } from '#proto/gen/shared.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { impossibleTransition } from '#services/commerce/shared_refusal.ts';
import type { BookedOrder } from './booked_order.ts';

export type OrderStatus = 'pending' | 'confirmed' | 'processing' | 'shipped' | 'delivered' | 'cancelled';
export type PaymentStatus = 'pending' | 'authorized' | 'paid' | 'partially_refunded' | 'refunded' | 'failed' | 'voided';

const STATUS_SEQUENCE: readonly OrderStatus[] = ['pending', 'confirmed', 'processing', 'shipped', 'delivered'];
const rankOf = (status: OrderStatus): number => STATUS_SEQUENCE.indexOf(status);

/** Refuses to go back, to leave `cancelled`, and to cancel from `shipped` on. Steps may be skipped. */
export const orderStatusObstacle = (from: OrderStatus, to: OrderStatus): Refusal | null => {
  const allowed =
    from === to ||
    (from !== 'cancelled' && (to === 'cancelled' ? rankOf(from) < rankOf('shipped') : rankOf(to) > rankOf(from)));
  if (allowed) return null;
  return impossibleTransition('An order', from, to, 'order_status');
};

const PAYMENT_MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['authorized', 'paid', 'failed'],
  authorized: ['paid', 'voided'],
  paid: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
  failed: ['pending', 'authorized', 'paid'],
  voided: ['pending', 'authorized', 'paid'],
};

export const paymentStatusObstacle = (order: OrderStatus, from: PaymentStatus, to: PaymentStatus): Refusal | null => {
  if (from === to) return null;
  if (order === 'cancelled' && to === 'paid')
    return refuse('conflict', 'An order that is cancelled cannot be paid.', { param: 'payment_status' });
  if (PAYMENT_MOVES[from].includes(to)) return null;
  return impossibleTransition('A payment', from, to, 'payment_status');
};

const awaitsPayment = (status: PaymentStatus): boolean =>
  status === 'pending' || status === 'failed' || status === 'authorized' || status === 'voided';

/** Derives the status of an unpaid order's payment from whether one is authorised. */
export const statusWithAuthorization = (status: PaymentStatus, isAuthorized: boolean): PaymentStatus => {
  if (!awaitsPayment(status)) return status;
  if (isAuthorized) return 'authorized';
  return status === 'authorized' ? 'voided' : status;
};

export const paymentStatusAfter = (
  before: PaymentStatus,
  { due, received, refunded }: { readonly due: number; readonly received: number; readonly refunded: number },
): PaymentStatus => {
  const unpaid = awaitsPayment(before);
  if (refunded > 0 && refunded >= received) return 'refunded';
  // An order that was not yet paid in full stays unpaid when credit is returned.
  if (refunded > 0) return unpaid && due > 0 ? before : 'partially_refunded';
  if (due === 0) return 'paid';
  return before === 'paid' || before === 'partially_refunded' || before === 'refunded' ? 'pending' : before;
};

export const canBePaid = (order: OrderStatus, payment: PaymentStatus): boolean =>
  order !== 'cancelled' && awaitsPayment(payment);

export interface LineRecord {
  readonly id: string;
  readonly product_id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly quantity: number;
  readonly requires_shipping: boolean;
  readonly quantity_shipped: number;
  readonly quantity_returned: number;
  readonly quantity_returned_unshipped: number;
  readonly quantity_restocked: number;
  readonly unit_price: number;
  readonly subtotal: number;
  readonly discount: number;
  readonly tax_amount: number;
  readonly total: number;
}

export interface ChosenRate {
  readonly id: string;
  readonly source: string;
}

export interface OrderRecord {
  readonly id: string;
  readonly number: number;
  readonly attempt: string;
  /** `id` is the key of the cart, or the id of the quote, intent, purchase order or checkout group. */
  readonly origin: {
    readonly kind: 'items' | 'cart' | 'quote' | 'intent' | 'purchase_order' | 'group';
    readonly id: string | null;
    readonly version: number;
    readonly cart: BoughtCart | null;
    readonly agent?: AgentName | null;
    /** BCP 47 tag of the shopper's language; absent: the store's default one. */
    readonly language?: string | null;
  };
  readonly customer_id: string | null;
  readonly email: string;
  readonly order_status: OrderStatus;
  readonly payment_status: PaymentStatus;
  readonly currency: string;
  readonly subtotal: number;
  readonly discount_total: number;
  readonly shipping_total: number;
  readonly shipping_tax: number;
  readonly tax_total: number;
  readonly total_amount: number;
  readonly gift_card_total: number;
  readonly store_credit_total: number;
  readonly amount_paid: number;
  readonly amount_refunded: number;
  /** Uncaptured rest of an authorised payment. `amount_due` excludes it. */
  readonly amount_released: number;
  readonly shipping_address: AddressInput | null;
  readonly billing_address: AddressInput | null;
  readonly shipping_option_id: string | null;
  readonly shipping_option_name: string | null;
  readonly shipping_rate: ChosenRate | null;
  readonly tracking_number: string | null;
  readonly carrier: string | null;
  readonly tracking_url: string | null;
  /** Amounts in major units. */
  readonly applied_promotions: readonly AppliedPromotion[];
  readonly note: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly return_window_days: number;
  readonly delivered_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Amounts in the store's currency, at the rate of the order; null if the order is in it. */
  readonly books: BookedOrder | null;
}

export interface RefundRecord {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly created_at: Date;
}

export interface ShipmentRecord {
  readonly id: string;
  readonly carrier: string | null;
  readonly service: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  readonly label_url: string | null;
  readonly rate_id: string | null;
  readonly source: string | null;
  readonly fee: number | null;
  readonly items: readonly { readonly order_item_id: string; readonly quantity: number }[];
  readonly created_at: Date;
}

export interface WholeOrder extends OrderRecord {
  readonly lines: readonly LineRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly shipments: readonly ShipmentRecord[];
}

/** Returns whether invoices alone pay the order, because it comes from a purchase order. */
export const isInvoiced = ({ origin }: Pick<OrderRecord, 'origin'>): boolean => origin.kind === 'purchase_order';

export const groupOf = ({ origin }: Pick<OrderRecord, 'origin'>): string | null =>
  origin.kind === 'group' ? origin.id : null;

export const intentOf = ({ origin }: Pick<OrderRecord, 'origin'>): string | null =>
  origin.kind === 'intent' ? origin.id : null;

export const outstanding = (
  order: Pick<
    OrderRecord,
    'total_amount' | 'gift_card_total' | 'store_credit_total' | 'amount_paid' | 'amount_released'
  >,
): number =>
  Math.max(
    0,
    order.total_amount - order.gift_card_total - order.store_credit_total - order.amount_paid - order.amount_released,
  );

export const amountDue = (order: Parameters<typeof outstanding>[0] & Pick<OrderRecord, 'order_status'>): number =>
  order.order_status === 'cancelled' ? 0 : outstanding(order);

export const amountReceived = (
  order: Pick<OrderRecord, 'gift_card_total' | 'store_credit_total' | 'amount_paid'>,
): number => order.amount_paid + order.gift_card_total + order.store_credit_total;

/** Returns the units of a line that are in no shipment; cancelling restocks them. */
export const unparcelled = ({ quantity, quantity_shipped, quantity_returned_unshipped }: LineRecord): number =>
  quantity - quantity_shipped - quantity_returned_unshipped;

export const unshipped = (line: LineRecord): number => (line.requires_shipping ? unparcelled(line) : 0);

export const shippedUnits = ({ requires_shipping, quantity, quantity_shipped }: LineRecord): number =>
  requires_shipping ? quantity_shipped : quantity;

const unitsWithBuyer = ({ quantity_shipped, quantity_returned, quantity_returned_unshipped }: LineRecord): number =>
  quantity_shipped - (quantity_returned - quantity_returned_unshipped);

/** Returns how many of the returned `units` were never shipped; shipped ones are returned first. */
export const unshippedAmong = (line: LineRecord, units: number): number => Math.max(0, units - unitsWithBuyer(line));

/**
 * Returns the units that a further return can restock. A unit is restocked by its return or when the order is cancelled.
 * Units that were returned without restocking can no longer be restocked.
 */
export const restockable = ({ order_status }: Pick<OrderRecord, 'order_status'>, line: LineRecord): number => {
  const notReturned = line.quantity - line.quantity_returned;
  const notRestocked = line.quantity - line.quantity_restocked;
  const units = Math.min(notReturned, notRestocked);
  // Cancelling has restocked all units in no shipment, so only the shipped ones can come back.
  return order_status === 'cancelled' ? Math.min(units, unitsWithBuyer(line)) : units;
};

/** Returns the cost of some units of a line. The costs of its partial returns add up to exactly its total. */
export const worthOf = ({ total, quantity, quantity_returned }: LineRecord, units: number): number => {
  const upTo = (count: number): number => Number((BigInt(total) * BigInt(count)) / BigInt(quantity));
  return upTo(quantity_returned + units) - upTo(quantity_returned);
};

export interface BoughtCart {
  readonly id: string;
  readonly lines: readonly { readonly variant_id: string; readonly quantity: number }[];
  readonly codes: readonly string[];
  readonly giftCards: readonly string[];
}

export const isUnpaid = (order: WholeOrder): boolean =>
  outstanding(order) > 0 && canBePaid(order.order_status, order.payment_status);
