// Orders as a CSV file for a spreadsheet. Pure.
import type { StoreOrder } from '#proto/client/dashboard.ts';
import { csvText } from '#values/csv.ts';

const HEADINGS = [
  'Number',
  'Placed',
  'Status',
  'Payment',
  'E-mail',
  'Units',
  'Currency',
  'Subtotal',
  'Discount',
  'Delivery',
  'Tax',
  'Total',
  'Paid',
  'Refunded',
  'Due',
];

const rowOf = (order: StoreOrder): readonly (string | number)[] => [
  order.order_number,
  order.created_at,
  order.order_status,
  order.payment_status,
  order.email,
  order.items.reduce((units, { quantity }) => units + quantity, 0),
  order.currency,
  order.subtotal,
  order.discount_total,
  order.shipping_total,
  order.tax_total,
  order.total_amount,
  order.amount_paid,
  order.amount_refunded,
  order.amount_due,
];

export const ordersCsv = (orders: readonly StoreOrder[]): string => csvText([HEADINGS, ...orders.map(rowOf)]);
