// The door of orders for the other domains: what is due, what was bought, and what became of a payment, refund or hold.
import type { OrderDecisionRpcs, OrderDirectoryRpcs } from '#proto/gen/order_directory.ts';
import { notFound } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { save } from './change.ts';
import { orderDocument } from './document.ts';
import { amountDue, isInvoiced } from './order.ts';
import { settle } from './settling.ts';
import { canBePaid } from './status.ts';
import { abortAttempt } from './table/decision.ts';
import { countOrders } from './table/group.ts';
import { findOrder, holdOrder, setRefundStatus } from './table/order.ts';
import { findPurchase } from './table/purchase.ts';

export const orderDirectoryHandlers: Handlers<OrderDirectoryRpcs> = {
  GetPayable: query(async (sql, { tenant }, { order_id }) => {
    const order = await findOrder(sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    return {
      order_id: order.id,
      order_number: String(order.number),
      currency: order.currency,
      amount_due: amountDue(order),
      payable: canBePaid(order.order_status, order.payment_status) && !isInvoiced(order),
      email: order.email,
      order_status: order.order_status,
      payment_status: order.payment_status,
    };
  }),

  SettleOrder: transaction(async (tx, { tenant }, { order_id }) => {
    const order = await holdOrder(tx.sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    const { payment_status } = await settle(tx, tenant, order);
    return { payment_status };
  }),

  NotePayment: transaction(async (tx, { tenant }, { order_id, status }) => {
    const order = await holdOrder(tx.sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    const open = order.payment_status === 'pending' || order.payment_status === 'failed';
    if (!open || order.payment_status === status) return { payment_status: order.payment_status };
    const after = await save(tx, tenant, orderDocument(tenant, order), { ...order, payment_status: status });
    return { payment_status: after.payment_status };
  }),

  NoteRefund: transaction(async (tx, { tenant }, { order_id, refund_id, succeeded }) => {
    const order = await holdOrder(tx.sql, tenant, order_id);
    const refund = order?.refunds.find(({ id }) => id === refund_id);
    if (!order || !refund) return notFound('refund', 'refund_id');
    const status = succeeded ? 'succeeded' : 'failed';
    if (refund.status === status) return { status };
    await setRefundStatus(tx.sql, tenant, order_id, refund_id, status);
    await save(tx, tenant, orderDocument(tenant, order), order);
    return { status };
  }),

  CountOrders: query(async (sql, { tenant }, { customers }) => ({
    orders_count: await countOrders(sql, tenant.environment, customers),
  })),

  FindPurchase: query((sql, { tenant }, { customer_id, product_id, order_id }) =>
    findPurchase(sql, tenant, { customer: customer_id, product: product_id, order: order_id ?? null }),
  ),
};

export const orderDecisionHandlers: Handlers<OrderDecisionRpcs> = {
  AbortHold: transaction(async (tx, { tenant }, { hold_id }) => {
    const stateOf = await enterSandboxes(tx.sql, [tenant]);
    if (stateOf(tenant).shut) throw new Unavailable('The sandbox is being reset.');
    const committed = await abortAttempt(tx.sql, tenant, hold_id!, tx.clock.now(tenant));
    return { decision: committed ? 'committed' : 'aborted' };
  }),
};
