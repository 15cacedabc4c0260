// A checkout as its operator sees it: the orders of its merchants and what is left to pay of them all.
import type { CheckoutGroup } from '#proto/gen/checkout.ts';
import { amountDue } from '#services/order/order.ts';
import type { GroupOrder, GroupRecord } from '#services/order/table/group.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';

const SETTLED: readonly GroupOrder['payment_status'][] = ['paid', 'partially_refunded', 'refunded'];

/** Cancelled orders keep no group waiting, as long as anything was ever paid. */
const isPaid = (orders: readonly GroupOrder[]): boolean =>
  orders.some(({ payment_status }) => SETTLED.includes(payment_status)) &&
  orders.every(({ order_status, payment_status }) => order_status === 'cancelled' || SETTLED.includes(payment_status));

export const groupDocument = (group: GroupRecord, orders: readonly GroupOrder[]): CheckoutGroup => {
  const currency = currencyOf(group.currency);
  const sum = (of: (order: GroupOrder) => number): number =>
    toMajor(
      orders.reduce((total, order) => total + of(order), 0),
      currency,
    );
  return {
    group_id: group.id,
    status: isPaid(orders) ? 'paid' : 'pending',
    email: group.email,
    currency: group.currency,
    total: sum(({ total_amount }) => total_amount),
    amount_due: sum(amountDue),
    orders: orders.map((order) => ({
      store_id: order.store,
      order_id: order.id,
      order_number: String(order.number),
      total: toMajor(order.total_amount, currency),
      amount_due: toMajor(amountDue(order), currency),
      order_status: order.order_status,
      payment_status: order.payment_status,
    })),
    created_at: group.created_at.toISOString(),
  };
};
