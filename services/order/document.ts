// Renders an order as an API document: amounts in major units, times as text.
import type { OrderLine, Refund, RefundedTo, Shipment, StoreOrder } from '#proto/gen/order.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { wholeAddress } from '#services/commerce/address.ts';
import type { ReturnedShare } from '#services/ledger/index.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { storeAmounts } from './booked_order.ts';
import {
  amountDue,
  groupOf,
  intentOf,
  type LineRecord,
  type RefundRecord,
  type ShipmentRecord,
  shippedUnits,
  type WholeOrder,
} from './order.ts';

const DAY_MS = 86_400_000;

const lineOf = (line: LineRecord, currency: Currency): OrderLine => ({
  id: line.id,
  product_id: line.product_id,
  variant_id: line.variant_id,
  name: line.name,
  variant_name: line.variant_name,
  sku: line.sku,
  quantity: line.quantity,
  quantity_fulfilled: shippedUnits(line),
  quantity_returned: line.quantity_returned,
  unit_price: toMajor(line.unit_price, currency),
  subtotal: toMajor(line.subtotal, currency),
  discount: toMajor(line.discount, currency),
  tax_amount: toMajor(line.tax_amount, currency),
  total: toMajor(line.total, currency),
});

export const refundDocument = (refund: RefundRecord, currency: Currency): Refund => ({
  id: refund.id,
  amount: toMajor(refund.amount, currency),
  reason: refund.reason,
  status: refund.status,
  created_at: refund.created_at.toISOString(),
});

export const refundedTo = (
  places: readonly (Pick<ReturnedShare, 'to' | 'amount'> & Pick<RefundedTo, 'closed'>)[],
  currency: Currency,
): readonly RefundedTo[] =>
  places.map(({ to, amount, closed }) => ({
    type: to.kind as RefundedTo['type'],
    id: to.subject,
    amount: toMajor(amount, currency),
    closed,
  }));

export const shipmentDocument = (shipment: ShipmentRecord, currency: Currency): Shipment => ({
  ...shipment,
  fee: shipment.fee === null ? null : toMajor(shipment.fee, currency),
  items: shipment.items.map(({ order_item_id, quantity }) => ({ order_item_id, quantity })),
  created_at: shipment.created_at.toISOString(),
});

export const orderDocument = (tenant: Tenant, order: WholeOrder): StoreOrder => {
  const currency = currencyOf(order.currency);
  const major = (amount: number): number => toMajor(amount, currency);
  const { delivered_at: delivered } = order;
  return {
    id: order.id,
    order_number: String(order.number),
    store_id: tenant.store,
    customer_id: order.customer_id,
    email: order.email,
    order_status: order.order_status,
    payment_status: order.payment_status,
    currency: order.currency,
    items: order.lines.map((line) => lineOf(line, currency)),
    subtotal: major(order.subtotal),
    discount_total: major(order.discount_total),
    shipping_total: major(order.shipping_total),
    shipping_tax: major(order.shipping_tax),
    tax_total: major(order.tax_total),
    total_amount: major(order.total_amount),
    gift_card_total: major(order.gift_card_total),
    store_credit_total: major(order.store_credit_total),
    amount_paid: major(order.amount_paid),
    amount_refunded: major(order.amount_refunded),
    amount_released: major(order.amount_released),
    amount_due: major(amountDue(order)),
    shipping_address: order.shipping_address && wholeAddress(order.shipping_address),
    billing_address: order.billing_address && wholeAddress(order.billing_address),
    shipping_option_id: order.shipping_option_id,
    shipping_option_name: order.shipping_option_name,
    tracking_number: order.tracking_number,
    carrier: order.carrier,
    tracking_url: order.tracking_url,
    applied_promotions: order.applied_promotions,
    refunds: order.refunds.map((refund) => refundDocument(refund, currency)),
    shipments: order.shipments.map((shipment) => shipmentDocument(shipment, currency)),
    note: order.note,
    metadata: order.metadata,
    return_window_ends_at: delivered && new Date(delivered.getTime() + order.return_window_days * DAY_MS).toISOString(),
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    checkout_group_id: groupOf(order),
    checkout_intent_id: intentOf(order),
    agent: order.origin.agent ?? null,
    delivered_at: delivered?.toISOString() ?? null,
    language: order.origin.language ?? null,
    store_amounts: order.books && storeAmounts(order.books, order.amount_refunded, order.amount_released),
  };
};
